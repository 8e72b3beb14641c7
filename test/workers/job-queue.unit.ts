/** The queue of jobs: turns of classes and clients, limits, jobs that several clients wait for, or no client. */
import fc from 'fast-check';
import t from 'tap';
import { FairQueue } from '../../src/workers/fair-queue.js';
import { JobQueue, type JobClient, type WaitingJob } from '../../src/workers/job-queue.js';
import { JOB_CLASSES, type JobClass } from '../../src/workers/messages.js';

interface NamedJob extends WaitingJob {
  readonly name: string;
}

function job(name: string, jobClass: JobClass = 'page', expectedMs = 10): NamedJob {
  return { name, class: jobClass, expectedMs };
}

function drain(queue: JobQueue<NamedJob>): readonly string[] {
  const names: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    names.push(next.job.name);
  }
  return names;
}

void t.test('who has nothing waiting finds room, until twice as much waits', async (t) => {
  const queue = new JobQueue<NamedJob>(200);
  for (const client of ['a', 'b', 'c', 'd']) {
    while (queue.add(job('any', client < 'c' ? 'file' : 'page'), client));
  }
  t.equal(queue.waitingMs, 400);
  t.ok(queue.add(job('mine', 'file'), 'newcomer'), 'where its class is full too');
  t.notOk(queue.add(job('more', 'file'), 'newcomer'));
  t.ok(queue.add(job('mine', 'page'), 'a'), 'new is who has nothing of that class waiting');
  for (let at = 0; queue.add(job('any', 'file'), `file ${at}`); at += 1);
  t.equal(queue.waitingMs, 400 + 210);
  for (let at = 0; queue.add(job('any', 'page'), `page ${at}`); at += 1);
  t.equal(queue.waitingMs, 800);
  t.ok(queue.add(job('mine', 'quick'), 'a'), 'full classes leave others their room');
});

void t.test('a job that another client joins has its turn where either of them has', async (t) => {
  const queue = new JobQueue<NamedJob>(100_000);
  for (let at = 0; at < 100; at += 1) queue.add(job(`many ${at}`), 'many');
  const shared = job('shared');
  queue.add(shared, 'many');
  queue.join(shared, 'one');
  t.same(
    [queue.next()?.job.name, queue.next()?.job.name, queue.next()?.job.name],
    ['many 0', 'shared', 'many 1'],
  );
  t.equal(drain(queue).length, 98, 'and is run once');
  const twice = job('twice');
  queue.add(twice, 'one');
  queue.join(twice, 'one');
  t.same([queue.leave(twice, 'one'), queue.leave(twice, 'one')], [false, true], 'until both leave');
});

void t.test('a client with its share under way lets others begin', async (t) => {
  const queue = new JobQueue<NamedJob>(100_000, 1);
  const long = (name: string): NamedJob => job(name, 'long', 1000);
  for (const name of ['first', 'second', 'third']) queue.add(long(name), 'many');
  const first = queue.next();
  t.equal(first?.job.name, 'first');
  t.equal(queue.next(), undefined, 'its others wait');
  queue.add(long('of another'), 'one');
  queue.join(long('unknown'), 'many');
  t.equal(queue.next()?.job.name, 'of another');
  t.equal(queue.running, 2);
  queue.add(long('of the service'), undefined);
  t.equal(queue.next()?.job.name, 'of the service', 'whose jobs have no such limit');
  if (first !== undefined) queue.end(first, 1000);
  t.equal(queue.running, 2);
  t.equal(queue.next()?.job.name, 'second');
  t.equal(queue.next(), undefined);
});

const CLIENTS: readonly JobClient[] = [undefined, 'a', 'b', 'c'];
const CLASSES = ['quick', 'page', 'file'] as const satisfies readonly JobClass[];

const anyStep = fc.record({
  step: fc.constantFrom('add', 'add', 'join', 'leave', 'next', 'next'),
  client: fc.constantFrom(...CLIENTS),
  jobClass: fc.constantFrom(...CLASSES),
  expectedMs: fc.integer({ min: 1, max: 60 }),
  /** Which of the jobs that were ever added. */
  at: fc.nat(),
});

void t.test('after any steps no more wait than may, and each job is run once', async () => {
  const limitMs = 200;
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
      const queue = new JobQueue<NamedJob>(limitMs);
      const added: NamedJob[] = [];
      /** Requests that wait for a job, by client. */
      const waiting = new Map<NamedJob, JobClient[]>();
      const sumOf = (jobs: readonly NamedJob[]): number =>
        jobs.reduce((ms, { expectedMs }) => ms + expectedMs, 0);
      const take = (): boolean => {
        const next = queue.next()?.job;
        if (next === undefined) return false;
        const isOwn = next.class === 'own';
        if (!isOwn && [...waiting.keys()].some((one) => one.class === 'own')) {
          throw new Error('not its turn');
        }
        if (!waiting.delete(next)) throw new Error('nobody waits for it');
        return true;
      };
      for (const { step, client, jobClass, expectedMs, at } of steps) {
        const known = added[at % added.length];
        const clients = known && waiting.get(known);
        if (step === 'next') {
          take();
        } else if (step === 'add') {
          const one = job('any', client === undefined ? 'own' : jobClass, expectedMs);
          const others = [...waiting].filter(([other]) => other.class === one.class);
          const before = sumOf(others.map(([other]) => other));
          if (queue.add(one, client)) {
            const isNew = !others.some(([, some]) => some.includes(client));
            const mostMs = isNew ? 2 * limitMs : limitMs;
            if (client !== undefined && before >= mostMs) throw new Error('too much waits');
            waiting.set(one, [client]);
            added.push(one);
          }
        } else if (known !== undefined && step === 'join') {
          queue.join(known, client);
          clients?.push(client);
        } else if (known !== undefined) {
          const index = clients?.indexOf(client) ?? -1;
          if (index >= 0) clients?.splice(index, 1);
          const isOver = clients?.length === 0;
          if (isOver) waiting.delete(known);
          if (queue.leave(known, client) !== isOver) throw new Error('left otherwise');
        }
        const sum = sumOf([...waiting.keys()]);
        if (queue.waitingMs !== sum) throw new Error(`${queue.waitingMs} instead of ${sum} ms`);
      }
      while (take());
      return waiting.size === 0 && queue.waitingMs === 0;
    }),
    { numRuns: 500 },
  );
});

const anyOthers = fc.array(
  fc.record({
    client: fc.constantFrom('a', 'b', 'c', 'd'),
    jobClass: fc.constantFrom(...CLASSES),
    expectedMs: fc.integer({ min: 1, max: 60 }),
  }),
  { maxLength: 100 },
);

void t.test('with any others waiting, a newcomer waits for one job of each of them', async () => {
  fc.assert(
    fc.property(anyOthers, fc.nat(100), (jobs, taken) => {
      const queue = new JobQueue<NamedJob>(1_000_000);
      for (const { client, expectedMs } of jobs)
        queue.add(job('another', 'page', expectedMs), client);
      for (let at = 0; at < taken; at += 1) queue.next();
      queue.add(job('mine'), 'me');
      const inLine = drain(queue).indexOf('mine');
      return inLine >= 0 && inLine <= new Set(jobs.map(({ client }) => client)).size;
    }),
  );
});

void t.test('a quick job is next where none was quick before', async () => {
  fc.assert(
    fc.property(anyOthers, fc.nat(100), (jobs, taken) => {
      const queue = new JobQueue<NamedJob>(1_000_000);
      for (const { client, jobClass, expectedMs } of jobs) {
        if (jobClass !== 'quick') queue.add(job('another', jobClass, expectedMs), client);
      }
      for (let at = 0; at < taken; at += 1) queue.next();
      // A client that has taken as much of other classes as any.
      queue.add(job('mine', 'quick', 60), 'a');
      return queue.next()?.job.name === 'mine';
    }),
  );
});

void t.test('who always has jobs waiting gets its share of the time', async () => {
  const milliseconds = fc.integer({ min: 1, max: 1000 });
  const anyLines = fc.uniqueArray(
    fc.record({
      jobClass: fc.constantFrom(...CLASSES),
      client: fc.constantFrom('a', 'b', 'c'),
      expectedMs: milliseconds,
      actualMs: milliseconds,
    }),
    { selector: ({ jobClass, client }) => `${jobClass} ${client}`, minLength: 2, maxLength: 9 },
  );
  fc.assert(
    fc.property(anyLines, (lines) => {
      const queue = new JobQueue<NamedJob>(Infinity);
      const tookMs = lines.map(() => 0);
      const waits = (at: number): void => {
        const { jobClass, client, expectedMs } = lines[at] ?? {};
        queue.add(job(String(at), jobClass, expectedMs), client);
      };
      for (const at of lines.keys()) waits(at);
      for (let turns = 0; turns < 400; turns += 1) {
        const turn = queue.next();
        const at = Number(turn?.job.name);
        const line = lines[at];
        if (turn === undefined || line === undefined) throw new Error('nobody waits');
        queue.end(turn, line.actualMs);
        tookMs[at] = (tookMs[at] ?? 0) + line.actualMs;
        waits(at);
      }
      const longestMs = Math.max(...lines.map((one) => Math.max(one.actualMs, one.expectedMs)));
      const spreadOf = (some: readonly number[]): number => Math.max(...some) - Math.min(...some);
      const groups = CLASSES.map((jobClass) => ({
        weight: JOB_CLASSES[jobClass],
        took: lines.flatMap((one, at) => (one.jobClass === jobClass ? (tookMs[at] ?? NaN) : [])),
      })).filter(({ took }) => took.length > 0);
      const weighted = groups.map(({ weight, took }) => took.reduce((a, b) => a + b, 0) / weight);
      return [...groups.map(({ took }) => took), weighted].every(
        (some) => spreadOf(some) <= 2 * longestMs,
      );
    }),
  );
});

void t.test('what one has taken is remembered until a thousand others have waited', async (t) => {
  for (const others of [999, 1000]) {
    const turns = new FairQueue<string>();
    turns.enter('much');
    turns.next();
    turns.charge('much', 1e6);
    turns.leave('much');
    for (let other = 0; other < others; other += 1) {
      turns.enter(`other ${other}`);
      turns.next();
      turns.charge(`other ${other}`, 1);
      turns.leave(`other ${other}`);
    }
    turns.enter('new');
    turns.enter('much');
    t.equal(turns.next(), 'new');
    turns.charge('new', 1);
    t.equal(turns.next(), others < 1000 ? 'new' : 'much');
  }
});
