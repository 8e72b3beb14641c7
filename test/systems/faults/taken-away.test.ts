/** A front, a store or `LOCAL_DIR` is taken from a running instance: others answer, or it says so and ends. */
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { descriptorsOf, frontOf, frontsOf } from '../../support/faults/process-figures.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { startLoad } from '../../support/service/steady-load.js';
import { atLeast, chanceOf } from '../../support/faults/chance.js';
import { serveFaulty, type DocumentFault } from '../../support/faults/web-store.js';
import { makeRoot, publish, refusedService, startService } from '../../support/service/service.js';
import { DirectoryLock } from '../../../src/supervisor/lock/directory-lock.js';

void t.test('of two fronts one is killed under load', async (t) => {
  const twoFronts = { env: { FRONT_PROCESSES: '2' }, expect: ['front died'] };
  const service = await startServing(t, snapshotDocument(), twoFronts);
  const { body } = await get(service, '/stations');
  const requests = [{ method: 'GET', path: '/stations' }];
  const options = { requests, keepAlive: false, body, expectsFailures: true };
  const clients = startLoad(service, 4, options);
  await clients.more(20);
  const [victim = 0] = await frontsOf(service);
  process.kill(victim, 'SIGKILL');
  t.match(await service.waitForLog('front died'), { front_pid: victim, reason: 'SIGKILL' });
  await clients.more(20);
  await service.waitForLog('front replaced');
  await clients.more(20);
  await clients.stop();
  t.equal((await frontsOf(service)).length, 2);
  const wrong = clients.failures.filter((line) => !/: aborted|connection: /.test(line));
  t.same(wrong, [], 'no 503, and no other body');
  t.notMatch(clients.failures.join(), 'ECONNREFUSED', 'nobody is refused while one listens');
  t.ok(clients.failures.length <= 4, 'lost: what each client had asked the dead one');
});

void t.test('leaves nothing behind of imports that their store breaks off anywhere', async (t) => {
  const chance = chanceOf(t);
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
  const breakOff: DocumentFault = (response, bytes) => {
    response.writeHead(200, { 'Content-Length': bytes.length });
    response.write(bytes.subarray(0, chance.integer(bytes.length)), () => response.destroy());
  };
  const misstate: DocumentFault = (response, bytes) => response.end(bytes.subarray(1));
  const refuse: DocumentFault = (response) => response.writeHead(500).end();
  let fault: DocumentFault | undefined;
  const env = { SNAPSHOT_STORE: await serveFaulty(t, { root, faultOf: () => fault }) };
  const service = await startService(t, { root, env, expect: ['import failed'] });
  await service.waitForLog('activated');
  const pids = [service.pid, await frontOf(service)];
  // Files of the service itself come and go.
  const folders = async () =>
    (await readdir(service.copies)).filter((name) => /^~\d|^[^~]/.test(name));
  const before = await folders();
  const counts: number[][] = [];
  for (let turn = 0; turn < atLeast(5); turn += 1) {
    fault = turn === 0 ? refuse : turn === 1 ? misstate : breakOff;
    const snapshotId = `broken-${turn}`;
    await publish({ root }, snapshotDocument({ snapshot_id: snapshotId }));
    await service.waitForLog((line) => {
      return line.msg === 'import failed' && line['snapshot_id'] === snapshotId;
    });
    t.equal((await get(service, '/meta')).headers['x-snapshot-id'], 'first');
    counts.push(await Promise.all(pids.map(descriptorsOf)));
  }
  t.same(await folders(), before, 'no folder is left');
  const [early = [], late = []] = [counts[1], counts.at(-1)];
  const areFew = late.every((count, at) => count <= (early[at] ?? 0) + 2);
  t.ok(areFew, `descriptors: ${JSON.stringify(counts)}`);
  fault = undefined;
  const from = service.lines.length;
  await publish({ root }, snapshotDocument({ snapshot_id: 'whole' }));
  t.match(await service.waitForLog('activated', from), { snapshot_id: 'whole' });
});

const LOST = 'local directory lost';

/** Other log lines before the supervisor looks at the directory, and while it ends. */
const expect = [
  LOST,
  'import failed',
  'local copy damaged',
  'front found the local copy damaged',
  'store status cannot be saved',
];

const FIRST = snapshotDocument({ snapshot_id: 'first' });

for (const [what, fronts, lose] of [
  ['removed', '1', (copies: string) => rm(join(copies, '..'), { recursive: true, maxRetries: 9 })],
  ['renamed', '2', (copies: string) => rename(copies, `${copies}.away`)],
  ['replaced', '1', (copies: string) => rename(copies, `${copies}.old`).then(() => mkdir(copies))],
] as const) {
  await t.test(`${what}, with ${fronts} fronts`, async (t) => {
    const env = { FRONT_PROCESSES: fronts };
    const service = await startServing(t, FIRST, { env, expect });
    await lose(service.copies);
    const line = await service.waitForLog(LOST);
    t.match(line, { level: 'error', directory: service.copies, reason: /removed or replaced/ });
    t.same(await service.ended, { code: 1, signal: null });
    const next = await startService(t, { root: service.root, env });
    await next.waitForLog('activated');
    t.equal((await get(next, '/meta')).headers['x-snapshot-id'], 'first');
  });
}

for (const [what, place, refusal] of [
  ['another instance has it', symlink, / is in use by another instance\n$/],
  ['a file is there', (_to: string, path: string) => writeFile(path, ''), /^bura: .*EEXIST.*\n$/],
] as const) {
  await t.test(what, async (t) => {
    const service = await startServing(t, FIRST, { expect });
    const elsewhere = join(service.root, 'elsewhere');
    const other = await DirectoryLock.take(elsewhere);
    await rename(service.copies, `${service.copies}.own`);
    await place(elsewhere, service.copies);
    t.same(await service.ended, { code: 1, signal: null });
    t.match(await refusedService(t, { root: service.root }), { code: 1, stderr: refusal });
    other.release();
  });
}
