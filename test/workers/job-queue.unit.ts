/** The queue of jobs: turns of clients and kinds, limits, jobs that several wait for, and jobs that nobody waits for any more. */
import fc from 'fast-check';
import t from 'tap';
import { JobQueue, type JobClient, type WaitingJob } from '../../src/workers/job-queue.js';
import type { JobKind } from '../../src/workers/messages.js';

interface NamedJob extends WaitingJob {
  readonly name: string;
}

function job(name: string, kind: JobKind = 'render-page', expectedMs = 10): NamedJob {
  return { name, kind, expectedMs };
}

/** Takes out all that waits. */
function drain(queue: JobQueue<NamedJob>): readonly string[] {
  const names: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    names.push(next.job.name);
  }
  return names;
}

void t.test('clients take turns, whatever number of jobs each has waiting', async (t) => {
  const queue = new JobQueue<NamedJob>(100_000);
  for (let at = 0; at < 300; at += 1) t.ok(queue.add(job(`many ${at}`), 'many'));
  queue.add(job('one'), 'one');
  for (const name of ['two 0', 'two 1']) queue.add(job(name), 'two');
  const order = drain(queue);
  t.same(order.slice(0, 7), [
    ...['many 0', 'one', 'two 0', 'many 1'],
    ...['two 1', 'many 2', 'many 3'],
  ]);
  t.equal(order.length, 303);
});

void t.test('kinds take turns within a client', async (t) => {
  const queue = new JobQueue<NamedJob>(100_000);
  for (let at = 0; at < 50; at += 1) queue.add(job(`file ${at}`, 'plan-export'), 'one');
  for (let at = 0; at < 2; at += 1) queue.add(job(`page ${at}`), 'one');
  t.same(drain(queue).slice(0, 5), ['file 0', 'page 0', 'file 1', 'page 1', 'file 2']);
});

void t.test('a client may have a quarter of the work waiting, one kind half of it', async (t) => {
  const queue = new JobQueue<NamedJob>(400);
  const accepted = (client: string, kind: JobKind): number => {
    let jobs = 0;
    while (queue.add(job('any', kind), client)) jobs += 1;
    return jobs;
  };
  t.equal(accepted('one', 'plan-export'), 10);
  t.equal(accepted('other', 'plan-export'), 10, 'the first has left room for another');
  t.equal(accepted('one', 'plan-export'), 0);
  t.equal(accepted('third', 'render-page'), 10, 'and another kind has the other half');
  t.equal(accepted('fourth', 'plan-latest'), 10);
  t.equal(accepted('fourth', 'plan-catalog'), 0);
  t.equal(queue.waitingMs, 400);
});

void t.test('who has nothing waiting finds room, until twice as much waits', async (t) => {
  const queue = new JobQueue<NamedJob>(400);
  for (const client of ['a', 'b', 'c', 'd']) {
    while (queue.add(job('any', client < 'c' ? 'plan-export' : 'render-page'), client));
  }
  t.equal(queue.waitingMs, 400);
  t.ok(queue.add(job('mine', 'plan-export'), 'newcomer'), 'where its kind is full too');
  t.notOk(queue.add(job('more', 'plan-export'), 'newcomer'));
  for (let at = 0; queue.add(job('any', 'plan-export'), `export ${at}`); at += 1);
  t.equal(queue.waitingMs, 200 + 400, 'half of it one kind');
  for (let at = 0; queue.add(job('any', 'render-page'), `page ${at}`); at += 1);
  t.equal(queue.waitingMs, 800);
});

void t.test('work counts, not pieces: a job longer than a share can be run', async (t) => {
  const queue = new JobQueue<NamedJob>(100);
  t.ok(queue.add(job('long', 'render-page', 5000), 'one'));
  t.notOk(queue.add(job('short', 'render-page', 1), 'one'));
  t.equal(queue.next()?.job.name, 'long');
  t.ok(queue.add(job('short', 'render-page', 1), 'one'));
});

void t.test('a job that another client joins has its turn where either of them has', async (t) => {
  const queue = new JobQueue<NamedJob>(100_000);
  for (let at = 0; at < 100; at += 1) queue.add(job(`many ${at}`), 'many');
  const shared = job('shared');
  queue.add(shared, 'many');
  queue.join(shared, 'one');
  t.same(
    [queue.next()?.job.name, queue.next()?.job.name, queue.next()?.job.name],
    [...['many 0', 'shared', 'many 1']],
  );
  t.equal(drain(queue).length, 98, 'and is run once');
});

const CLIENTS: readonly JobClient[] = [undefined, 'a', 'b', 'c'];
const KINDS = ['render-page', 'plan-export', 'plan-latest'] as const satisfies readonly JobKind[];

const anyStep = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    client: fc.constantFrom(...CLIENTS),
    kind: fc.constantFrom(...KINDS),
    expectedMs: fc.integer({ min: 1, max: 60 }),
  }),
  fc.record({
    do: fc.constantFrom('join' as const, 'leave' as const),
    client: fc.constantFrom(...CLIENTS),
    /** Which of the jobs that were ever added. */
    at: fc.nat(),
  }),
  fc.record({ do: fc.constant('next' as const) }),
);

void t.test('after any steps no more wait than may, and each job is run once', async () => {
  const limitMs = 400;
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
      const queue = new JobQueue<NamedJob>(limitMs);
      const added: NamedJob[] = [];
      /** Requests that wait for a job, by client. */
      const waiting = new Map<NamedJob, JobClient[]>();
      const take = (): boolean => {
        const next = queue.next()?.job;
        if (next === undefined) return false;
        const clients = waiting.get(next);
        if (clients === undefined) throw new Error('nobody waits for it');
        const isOwn = (some: readonly JobClient[]): boolean => some.includes(undefined);
        if (!isOwn(clients) && [...waiting.values()].some(isOwn)) throw new Error('not its turn');
        waiting.delete(next);
        return true;
      };
      for (const step of steps) {
        if (step.do === 'next') {
          take();
        } else if (step.do === 'add') {
          const { client, kind, expectedMs } = step;
          const one = job('any', kind, expectedMs);
          const before = queue.waitingMs;
          if (queue.add(one, client)) {
            const isNew = ![...waiting.values()].some((some) => some.includes(client));
            const mostMs = isNew ? 2 * limitMs : limitMs;
            if (client !== undefined && before >= mostMs) throw new Error('too much waits');
            waiting.set(one, [client]);
            added.push(one);
          }
        } else {
          const one = added[step.at % added.length];
          if (one === undefined) continue;
          const clients = waiting.get(one);
          if (step.do === 'join') {
            queue.join(one, step.client);
            clients?.push(step.client);
          } else {
            const index = clients?.indexOf(step.client) ?? -1;
            if (index >= 0) clients?.splice(index, 1);
            const isOver = clients?.length === 0;
            if (isOver) waiting.delete(one);
            if (queue.leave(one, step.client) !== isOver) throw new Error('left otherwise');
          }
        }
        const sum = [...waiting.keys()].reduce((ms, { expectedMs }) => ms + expectedMs, 0);
        if (queue.waitingMs !== sum) throw new Error(`${queue.waitingMs} instead of ${sum} ms`);
      }
      while (take());
      return waiting.size === 0 && queue.waitingMs === 0;
    }),
    { numRuns: 500 },
  );
});

void t.test('with any others waiting, a newcomer waits for one job of each of them', async () => {
  const others = fc.array(
    fc.record({
      client: fc.constantFrom('a', 'b', 'c', 'd'),
      kind: fc.constantFrom(...KINDS),
      expectedMs: fc.integer({ min: 1, max: 60 }),
    }),
    { maxLength: 100 },
  );
  fc.assert(
    fc.property(others, fc.nat(100), (jobs, taken) => {
      const queue = new JobQueue<NamedJob>(1_000_000);
      for (const { client, kind, expectedMs } of jobs) {
        queue.add(job('another', kind, expectedMs), client);
      }
      for (let at = 0; at < taken; at += 1) queue.next();
      queue.add(job('mine'), 'me');
      const inLine = drain(queue).indexOf('mine');
      return inLine >= 0 && inLine <= new Set(jobs.map(({ client }) => client)).size;
    }),
  );
});

void t.test(
  'clients that always have jobs waiting get the same time, however long their jobs are',
  async () => {
    const milliseconds = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(milliseconds, milliseconds), { minLength: 2, maxLength: 5 }),
        (pairs) => {
          const queue = new JobQueue<NamedJob>(Infinity);
          const tookMs = pairs.map(() => 0);
          const waits = (at: number): void => {
            queue.add(job(String(at), 'render-page', pairs[at]?.[0]), String(at));
          };
          for (const at of pairs.keys()) waits(at);
          for (let turns = 0; turns < 200; turns += 1) {
            const turn = queue.next();
            const at = Number(turn?.client);
            const [expectedMs, actualMs] = pairs[at] ?? [0, 0];
            queue.charge(turn?.client, actualMs - expectedMs);
            tookMs[at] = (tookMs[at] ?? 0) + actualMs;
            waits(at);
          }
          const longestMs = Math.max(...pairs.flat());
          return Math.max(...tookMs) - Math.min(...tookMs) <= 2 * longestMs;
        },
      ),
    );
  },
);

void t.test('what may not be begun now waits, and keeps nobody else waiting', async (t) => {
  const queue = new JobQueue<NamedJob>(100_000);
  queue.add(job('long', 'plan-wide'), 'one');
  queue.add(job('short'), 'one');
  queue.add(job('other'), 'other');
  const isShort = (kind: JobKind): boolean => kind !== 'plan-wide';
  t.equal(queue.next(isShort)?.job.name, 'short');
  t.equal(queue.next(isShort)?.job.name, 'other');
  t.equal(queue.next(isShort), undefined);
  t.equal(queue.next()?.job.name, 'long');
});
