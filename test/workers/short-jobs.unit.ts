/** Jobs of one thread: a long one lets the short ones end before it goes on, and goes on all the same. */
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { asShortJob, TimeSlices } from '../../src/workers/short-jobs.js';

function work(): void {
  const until = performance.now() + 15;
  while (performance.now() < until);
}

void t.test('a long job goes on when the short ones have ended', async (t) => {
  const order: string[] = [];
  const turns = new TimeSlices();
  const short = asShortJob(async () => {
    for (let step = 0; step < 20; step += 1) await turn();
    order.push('short');
  });
  work();
  await turns.next();
  order.push('long');
  await short;
  t.same(order, ['short', 'long']);
});

void t.test('it goes on too where a short one does not end, or fails', async (t) => {
  let end = (): void => undefined;
  const endless = asShortJob(() => new Promise<void>((settle) => (end = settle)));
  await t.rejects(asShortJob(() => Promise.reject(new Error('failed'))));
  const turns = new TimeSlices();
  work();
  await turns.next();
  end();
  await endless;
});

void t.test('a short job waits for nobody, and nobody waits within a turn', async (t) => {
  const order: string[] = [];
  const one = asShortJob(async () => {
    const turns = new TimeSlices(false);
    await turns.next();
    order.push('within a turn');
    work();
    await turns.next();
    order.push('after it');
  });
  await one;
  t.same(order, ['within a turn', 'after it']);
});
