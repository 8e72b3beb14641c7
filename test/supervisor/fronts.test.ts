/** Real front processes as a group: started, activated, killed, replaced, counted and drained. */
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Fronts } from '../../src/supervisor/fronts.js';
import {
  beginToRead,
  countedBy,
  importedCopy,
  type ImportedCopy,
  startFronts,
  type Started,
  STREAM,
} from './fronts-group.js';
import { forkWithoutHooks } from '../support/service/plain-node.js';
import { get } from '../support/service/requests.js';
import { answersOf, type Samples } from '../support/service/scrape.js';
import { eventually, inTime, makeRoot } from '../support/service/service.js';

await forkWithoutHooks(await makeRoot(t));
/** A copy that an import has made, for all tests of this file. */
const LARGE_SERVING = await importedCopy(t);
const { directory } = LARGE_SERVING;

async function copyOf(t: Test, name: string): Promise<ImportedCopy> {
  const copied = join(await makeRoot(t), `${name}~copy`);
  await cp(directory, copied, { recursive: true });
  return { ...LARGE_SERVING, directory: copied };
}

const leasesOf = async (fronts: Fronts) => (await countedBy(fronts)).get('bura_leases');

const closes = (fronts: Fronts, copy: ImportedCopy): Promise<void> =>
  eventually('nobody has it open', async () => !fronts.inUse().has(copy.directory));

async function killed(started: Started, pid: number): ReturnType<Started['next']> {
  process.kill(pid, 'SIGKILL');
  return await started.next('front died');
}

await t.test('one that dies is replaced, and what it had counted is not lost', async (t) => {
  const started = await startFronts(t, 2);
  const { fronts, port, calls } = started;
  await fronts.serve(LARGE_SERVING);
  for (let round = 0; round < 10; round += 1) await get({ port }, '/meta');
  const before = await countedBy(fronts);
  t.same(answersOf(before, '/meta'), { 200: 10 });

  const [victim = 0, other = 0] = await started.pids();
  t.match(await killed(started, victim), { front_pid: victim, reason: 'SIGKILL', delay_ms: 0 });
  t.equal(calls.released, 1, 'files of old copies may go');
  t.equal(calls.trouble, 0, 'whoever kills a front says nothing of the copy');
  t.match(await started.next('front replaced'), { milliseconds: Number });
  t.same([fronts.alive, fronts.replaced], [2, 1]);
  await eventually('nobody reads the snapshot', async () => (await leasesOf(fronts)) === 0);
  const after = await countedBy(fronts);
  t.same(Object.fromEntries(after), Object.fromEntries(before), 'what it had done is not lost');

  await killed(started, other);
  t.equal((await get({ port }, '/meta')).status, 200, 'the new one answers meanwhile');
  await started.next('front replaced');
  t.equal(fronts.replaced, 2);
  await eventually('the replacements serve the snapshot', async () => {
    const { headers } = await get({ port }, '/stations');
    return headers['x-snapshot-id'] === 'large';
  });
  t.same(fronts.inUse(), new Set([directory]));
  t.same(answersOf(await countedBy(fronts), '/meta'), { 200: 11 });
});

function countersIn(samples: Samples): Readonly<Record<string, number>> {
  const isCounter = /^bura_(?:\w+_total|\w+_seconds_(?:bucket|sum|count))(?:\{|$)/;
  return Object.fromEntries([...samples].filter(([series]) => isCounter.test(series)));
}

await t.test('those that go on dying young are replaced ever later', async (t) => {
  const started = await startFronts(t, 1);
  const { fronts, port } = started;
  await get({ port }, '/health/live');
  await get({ port }, '/no/such/path');
  const before = countersIn(await countedBy(fronts));
  t.ok(before['bura_http_requests_total{route="/health/live",status="200"}'] === 1);
  const delays: unknown[] = [];
  for (let death = 0; death < 2; death += 1) {
    const [pid = 0] = await started.pids();
    const { delay_ms: delayMs } = await killed(started, pid);
    delays.push(delayMs);
    t.equal(started.fronts.alive, 0);
    const seen = new Set<string>();
    const look = async (): Promise<void> => {
      seen.add(JSON.stringify(countersIn(await countedBy(fronts))));
      await turn();
    };
    while (fronts.replaced === death) await look();
    await look();
    await started.next('front replaced');
    t.same([...seen], [JSON.stringify(before)], 'scraped all the while');
  }
  t.same(delays, [0, 250]);
  t.equal(started.fronts.replaced, 2);
  t.equal(started.calls.trouble, 0, 'all of them were killed');

  const [victim = 0] = await started.pids();
  const now = performance.now.bind(performance);
  t.teardown(() => {
    performance.now = now;
  });
  performance.now = () => now() + 10_000;
  process.kill(victim, 'SIGABRT');
  const died = await started.next('front died');
  t.match(died, { reason: 'SIGABRT', delay_ms: 0 }, 'one that has lived long is replaced at once');
  t.equal(started.calls.trouble, 1, 'one that ends by itself has the copy verified again');
});

await t.test('readers of other copies than the newest', async (t) => {
  const { fronts, port } = await startFronts(t, 1, { retiredCopies: 2 });
  const copies = [LARGE_SERVING];
  for (const name of ['second', 'third', 'fourth', 'fifth']) copies.push(await copyOf(t, name));
  const [first = LARGE_SERVING, second = LARGE_SERVING] = copies;
  await fronts.serve(LARGE_SERVING);
  const { body } = await get({ port }, STREAM);

  await t.test('a copy is in use however its end and its next activation cross', async (t) => {
    for (let round = 0; round < 10; round += 1) {
      // Without waiting: the front may report the first as closed when it is to be activated again.
      const [, , last] = [first, second, first].map((serving) => fronts.serve(serving));
      await last;
      await countedBy(fronts);
      t.ok(fronts.inUse().has(first.directory), `round ${round}`);
    }
    await fronts.serve(second);
    await closes(fronts, first);
  });

  await t.test('the readers of the oldest are closed where too many copies are read', async (t) => {
    const readers: Awaited<ReturnType<typeof beginToRead>>[] = [];
    for (const copy of copies) {
      await fronts.serve(copy);
      readers.push(await beginToRead(port));
    }
    await eventually('three copies are open', async () => fronts.inUse().size === 3);
    t.same(fronts.inUse(), new Set(copies.slice(2).map(({ directory }) => directory)));
    const areWhole = await Promise.all(
      readers.map(async (reader) => (await reader.rest())?.equals(body)),
    );
    t.same(areWhole, [undefined, undefined, true, true, true], 'a reset for the two oldest');
    t.equal((await countedBy(fronts)).get('bura_revoked_readers_closed_total'), 2);
  });
});

await t.test('one that is late with a bad copy serves what the others serve', async (t) => {
  const { fronts, pids } = await startFronts(t, 2);
  t.equal(await fronts.serve(LARGE_SERVING), true);
  const copy = await copyOf(t, 'later');
  await rename(copy.directory, `${copy.directory}.away`);
  const [late = 0] = await pids();
  process.kill(late, 'SIGSTOP');
  t.teardown(() => {
    process.kill(late, 'SIGCONT');
  });
  t.equal(await fronts.serve(copy), false, 'one cannot, and one has not said');
  await rename(`${copy.directory}.away`, copy.directory);
  process.kill(late, 'SIGCONT');
  await countedBy(fronts);
  await closes(fronts, copy);
  t.same(fronts.inUse(), new Set([directory]));
  t.equal(fronts.generatedAtMs, Date.parse('2026-09-10T00:00:00Z'));
});

await t.test('a drain has an end, whatever a client does', async (t) => {
  const { fronts, port, pids } = await startFronts(t, 1);
  await fronts.serve(LARGE_SERVING);
  const reader = await beginToRead(port);
  await inTime(fronts.drain(200), 'the end of the fronts');
  t.same(await pids(), []);
  reader.leave();
});

await t.test('a copy that cannot be opened leaves the one before it served', async (t) => {
  const started = await startFronts(t, 1);
  const { fronts, port, calls } = started;
  t.equal(await fronts.serve(LARGE_SERVING), true);
  const missing = { ...LARGE_SERVING, snapshotId: 'none', directory: `${directory}.none` };
  t.equal(await fronts.serve(missing), false);
  const said = await started.next('front cannot serve the snapshot');
  t.equal(said['directory'], missing.directory);
  t.equal(calls.trouble, 1);
  t.equal((await get({ port }, '/meta')).headers['x-snapshot-id'], 'large');
  t.same(fronts.inUse(), new Set([directory]));

  // A copy that is missing for a while: the front is told again after five seconds, and here at once.
  const real = globalThis.setTimeout;
  t.teardown(() => {
    globalThis.setTimeout = real;
  });
  globalThis.setTimeout = ((act: () => void, ms?: number) =>
    real(act, ms === 5000 ? 50 : ms)) as typeof setTimeout;
  const away = `${directory}.away`;
  await rename(directory, away);
  const [victim = 0] = await started.pids();
  await killed(started, victim);
  t.match(await started.next('front cannot serve the snapshot'), { directory });
  t.equal(calls.trouble, 2);
  // It says so before it listens.
  const statuses: number[] = [];
  await eventually('it answers', async () => {
    const answer = await get({ port }, '/meta').catch(() => undefined);
    if (answer !== undefined) statuses.push(answer.status);
    return answer !== undefined;
  });
  t.same(statuses, [503]);
  await rename(away, directory);
  await eventually('it serves', async () => (await get({ port }, '/meta')).status === 200);
  t.same(fronts.inUse(), new Set([directory]));
});
