/** Processes that hang, shown with SIGSTOP: a front, the supervisor, and the reader of the store. The service's clock runs faster. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { frontsOf } from '../../support/faults/process-figures.js';
import { waitUntilGone } from '../../support/service/children.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { get } from '../../support/service/requests.js';
import { answersOf, scrape, type Samples } from '../../support/service/scrape.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { activate } from '../../support/service/service.js';

t.jobs = 2;

/** Five beats of a second are one second and a half. */
const CLOCK = pathToFileURL(resolve('build/test/support/faults/fast-clock.js')).href;

const FIRST = snapshotDocument({ snapshot_id: 'first' });
const SECOND = snapshotDocument({ snapshot_id: 'second' });

/** Counters, and parts of histograms that only ever grow, which have less than before. */
function shrunk(before: Samples, after: Samples): readonly string[] {
  const isCounter = /^(?!.*process=).*_(?:total|count|bucket)(?:\{|$)/;
  return [...before].flatMap(([series, count]) =>
    isCounter.test(series) && (after.get(series) ?? 0) < count ? [series] : [],
  );
}

void t.test('beside processes that hang', async (t) => {
  const service = await startServing(t, FIRST, {
    nodeArguments: ['--import', `${CLOCK}?times=3&signals`],
    env: { FRONT_PROCESSES: '2', ADMIN_PORT: '0' },
    // With limits this short, a start on a busy machine may be too late for the store.
    expect: ['supervisor silent', 'front hung', 'front died', 'store unreachable', 'unavailable'],
  });

  await t.test(
    'fronts serve on while the supervisor is stopped, and it kills none after',
    async (t) => {
      const before = await frontsOf(service);
      service.signal('SIGSTOP');
      await service.waitForLog('supervisor silent');
      t.equal((await get(service, '/stations')).status, 200);
      const from = service.lines.length;
      service.signal('SIGCONT');
      await service.waitForLog('supervisor answers again', from);
      const { samples } = await scrape(service);
      t.ok([1, 2].includes(samples.get('bura_supervisor_silences_total') ?? NaN));
      t.equal(samples.get('bura_fronts_hung_total'), 0);
      t.same(await frontsOf(service), before);
    },
  );

  await t.test('a front that hangs is replaced, and no swap waits for it', async (t) => {
    await publishAndServe(service, SECOND);
    const [victim = 0, other = 0] = await frontsOf(service);
    const from = service.lines.length;
    for (let time = 0; time < 20; time += 1) await get(service, '/meta');
    const before = (await scrape(service)).samples;
    process.kill(victim, 'SIGSTOP');
    const during = (await scrape(service)).samples;
    t.same(shrunk(before, during), [], 'no counter falls');
    t.same(answersOf(during, '/meta'), { 200: 20 }, 'what the front has told before');
    await activate(service, 'first');
    const swap = await activated(service, FIRST, from);
    const hung = await service.waitForLog('front hung', from);
    t.equal(hung['front_pid'], victim);
    t.ok(service.lines.indexOf(swap) < service.lines.indexOf(hung), 'the swap was done before');
    t.match(await service.waitForLog('front died', from), { front_pid: victim, reason: 'SIGKILL' });
    t.same(shrunk(before, (await scrape(service)).samples), []);
    await service.waitForLog('front replaced', from);
    await waitUntilGone([victim]);
    const fronts = await frontsOf(service);
    t.equal(fronts.length, 2);
    t.ok(fronts.includes(other), 'the other one is the same');
    for (let request = 0; request < 20; request += 1) {
      const { headers } = await get(service, '/meta');
      t.equal(headers['x-snapshot-id'], 'first', 'on a new connection each');
    }
    const after = (await scrape(service)).samples;
    t.same(shrunk(before, after), []);
    t.same(answersOf(after, '/meta'), { 200: 40 });
    t.equal(after.get('bura_fronts_hung_total'), 1);
    t.equal(after.get('bura_fronts_replaced_total'), 1);
    t.same(await service.stop(), { code: 0, signal: null });
  });
});

void t.test(
  'a swap is told of when a front serves it, and not while the only one hangs',
  async (t) => {
    const service = await startServing(t, FIRST, {
      nodeArguments: ['--import', `${CLOCK}?times=3`],
      env: { ADMIN_PORT: '0' },
      expect: ['front hung', 'front died'],
    });
    await publishAndServe(service, SECOND);
    const before = (await scrape(service)).samples;
    const [front = 0] = await frontsOf(service);
    const from = service.lines.length;
    process.kill(front, 'SIGSTOP');
    await activate(service, 'first');
    const hung = await service.waitForLog('front hung', from);
    const swap = await activated(service, FIRST, from);
    t.ok(service.lines.indexOf(swap) > service.lines.indexOf(hung));
    // It opens the copy first, and the port then.
    await service.waitForLog('front replaced', from);
    t.match((await get(service, '/meta')).body.toString(), '"first"');
    const { samples } = await scrape(service);
    const swaps = 'bura_swaps_total';
    t.equal((samples.get(swaps) ?? NaN) - (before.get(swaps) ?? NaN), 1);
  },
);
