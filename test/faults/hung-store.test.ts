/** A store whose calls never return, as those of a hard mount whose server is away: only what must read it waits for it. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import type { InstanceStatus } from '../../src/supervisor/operators/status.js';
import { generateDocument, snapshotDocument } from '../support/documents/documents.js';
import { scaled } from '../support/faults/chance.js';
import { childrenOf, waitUntilGone } from '../support/service/children.js';
import { runBura } from '../support/service/command.js';
import { Connection, fieldOf } from '../support/service/connection.js';
import { get } from '../support/service/requests.js';
import { scrape, adminPortOf } from '../support/service/scrape.js';
import { activated } from '../support/service/serve-documents.js';
import { inTime, makeRoot, publish, startService } from '../support/service/service.js';

const HANGING = ['--import', resolve('build/test/support/faults/hanging-disk.js')];

/** Twice the time limit of a poll. */
const GRACE_SECONDS = 10;

/** Time limit: work that does not wait for the disk takes less, other work never ends. */
const TIME_LIMIT_MS = 10_000;

/** From SIGTERM to the end of a service whose store hangs. */
const ENDS_MS = 5000;

// Both wait for the moment when a store that says nothing counts as away.
t.jobs = 2;

void t.test('the grace ends when it says, and SIGTERM ends the service', async (t) => {
  const root = await makeRoot(t);
  const disk = join(root, 'store');
  const env = {
    ADMIN_PORT: '0',
    HANGING_DISK: disk,
    STORE_GRACE_SECONDS: String(GRACE_SECONDS),
  };
  await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
  const expect = ['store unreachable', 'unavailable'];
  const service = await startService(t, { root, env, expect, nodeArguments: HANGING });
  await service.waitForLog('activated');
  await adminPortOf(service);

  const { time: lookedAt } = await service.waitForLog('importing');
  execFileSync('mkfifo', [`${disk}.hangs`]);
  await service.waitForLog('store unreachable');
  t.equal((await get(service, '/meta')).status, 200);
  const { samples } = await inTime(scrape(service), 'a scrape', TIME_LIMIT_MS);
  t.equal(samples.get('bura_store_reachable'), 0);

  const { time, reason } = await service.waitForLog('unavailable');
  t.equal(reason, 'store_unreachable');
  // From the last look that was answered, which may be a later one.
  const endedMs = Date.parse(String(time)) - Date.parse(String(lookedAt));
  t.ok(endedMs >= GRACE_SECONDS * 1000, `the grace ends after ${endedMs} ms`);
  t.ok(endedMs < (GRACE_SECONDS + 10) * 1000 + TIME_LIMIT_MS, 'and not much later');
  t.equal((await get(service, '/health/ready')).status, 503);

  const asked = runBura(['status', '--json'], {
    env: { ...env, LOCAL_DIR: join(root, 'local'), SNAPSHOT_STORE: `file:${disk}` },
    nodeArguments: HANGING,
  });
  const { stdout } = await inTime(asked, 'the status', TIME_LIMIT_MS);
  const { store, serving } = JSON.parse(stdout) as InstanceStatus;
  t.match(store, { reachable: false, pointer: { kind: 'unreachable' } });
  t.match(serving, { reason: 'store_unreachable' });

  const calls = await readFile(`${disk}.calls`, 'utf8');
  const hanging = calls.trimEnd().split('\n');
  t.same(hanging, ['cli.js'], 'one call hangs, and no other one is begun before it has ended');
  const children = (await childrenOf(service.pid)).map(({ pid }) => pid);
  // Node would wait for the call.
  t.same(await inTime(service.stop(), 'its end', ENDS_MS), { code: null, signal: 'SIGTERM' });
  await waitUntilGone(children);
});

/** Duration of the hang; with `FAULTS_SCALE=300`, ten minutes. */
const HUNG_MS = scaled(2000);

/** Cheap answers, and short and long answers of worker threads; `at` makes each of the latter new. */
const TARGETS: readonly ((at: number) => string)[] = [
  () => '/meta',
  () => '/health/live',
  (at) => `/?q=${at}`,
  (at) => `/portal/chart.svg?station_id=1&component_id=1&width=${400 + (at % 1000)}`,
  (at) => `/api/v1/stations?bbox=-180,-90,180,89.${at}`,
  (at) => `/api/v1/observations?from=2000-01-01T00:00:00Z&bbox=-180,-90,180,89.${at}`,
  (at) => `/api/v1/observations.csv?layout=wide&bbox=-180,-90,180,89.${at}`,
  (at) => `/api/v1/changes?since=first&bbox=-180,-90,180,89.${at}`,
];

void t.test('all answers are as before while a disk hangs', async (t) => {
  const long = { stations: 20, components: 3, hours: 120 };
  const root = await makeRoot(t);
  const disk = join(root, 'store');
  const env = { HANGING_DISK: disk, WORKER_THREADS: '1' };
  const expect = ['store unreachable'];
  // Two snapshots, the first served before the second.
  await publish({ root }, generateDocument({ ...long, snapshotId: 'first' }));
  const service = await startService(t, { root, env, expect, nodeArguments: HANGING });
  await service.waitForLog('activated');
  await publish(service, generateDocument({ ...long, snapshotId: 'second', seed: 2 }));
  await activated(service, { snapshot_id: 'second' }, 0);
  let round = 1000;
  const askAll = async (): Promise<readonly (readonly unknown[])[]> => {
    const connection = await Connection.open(service.port);
    const answers: (readonly unknown[])[] = [];
    round += 1;
    for (const targetOf of TARGETS) {
      const target = targetOf(round);
      const answer = await connection.ask({ target, fields: { 'Accept-Encoding': 'gzip' } });
      // Lengths of lists do not depend on `at`, but pages and pictures contain it.
      const length = target.includes('bbox') ? answer.body.byteLength : 0;
      answers.push([answer.status, length, fieldOf(answer, 'x-snapshot-id')]);
    }
    connection.close();
    return answers;
  };
  const before = await askAll();
  t.ok(before.every(([status]) => status === 200));
  execFileSync('mkfifo', [`${disk}.hangs`]);
  await service.waitForLog('store unreachable');
  const until = performance.now() + HUNG_MS;
  while (performance.now() < until) t.same(await askAll(), before);
  t.same(await inTime(service.stop(), 'its end', ENDS_MS), { code: null, signal: 'SIGTERM' });
});
