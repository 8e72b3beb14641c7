/** Another program takes from `LOCAL_DIR` what an instance needs there, while it serves: it serves on, and makes it again. */
import { readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { askInstance } from '../../../src/supervisor/lock/ask-instance.js';
import { lockDirectory } from '../../../src/supervisor/lock/directory-lock.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { hasEnded, servedId, takeOver } from '../../support/faults/take-over.js';
import { frontsOf } from '../../support/faults/process-figures.js';
import { get } from '../../support/service/requests.js';
import { activated, startServing } from '../../support/service/serve-documents.js';
import { publish, refusedService, type Service } from '../../support/service/service.js';
import { startLoad, type Load } from '../../support/service/steady-load.js';

const MADE_AGAIN = 'local directory made again';
const LOST = 'local directory lost';

/** What says so, where a thread had not opened the copy yet. */
const expect = [MADE_AGAIN, LOST, 'local copy damaged', 'front found the local copy damaged'];

const FRONT_DIES = ['front died', 'front cannot serve the snapshot'];

const EXPORT = '/portal/export?organization_id=1&station_id=1&component_id=8&window=7d&format=xlsx';

const [first, second, third] = ['first', 'second', 'third'].map((id) =>
  snapshotDocument({ snapshot_id: id }),
);

const service = await startServing(t, first ?? {}, { expect });
const { copies, root } = service;
const load = startLoad(service, 2);
await load.more(50);

async function isFound({ pid }: { readonly pid: number }): Promise<boolean> {
  const reply = await askInstance(copies, '/status', 10_000);
  return reply.kind === 'reply' && reply.body.includes(`"pid":${pid},`);
}

async function noFailure(load: Load): Promise<void> {
  await load.more(20);
  t.same(load.failures, [], `of ${load.answered + load.failures.length}`);
}

async function lost(service: Service, reason: RegExp, from: number): Promise<void> {
  t.match(await service.waitForLog(LOST, from), { reason });
}

await t.test('only its sockets: nobody else gets the directory', async (t) => {
  const from = service.lines.length;
  for (const name of await readdir(copies)) {
    if (/^~(?:lock|admin)/.test(name)) await rm(join(copies, name));
  }
  const other = await refusedService(t, { root });
  t.match(other.stderr, / is in use by another instance\n$/);
  t.match(await service.waitForLog(MADE_AGAIN, from), { reason: /sockets/ });
  t.ok(await isFound(service));
});

await t.test('all of it: it serves on, and imports anew', async (t) => {
  const from = service.lines.length;
  // What the instance makes meanwhile goes as well.
  await rm(join(root, 'local'), { recursive: true, maxRetries: 20, retryDelay: 10 });
  t.match(await service.waitForLog(MADE_AGAIN, from), { reason: /removed or replaced/ });
  await activated(service, first ?? {}, from);
  await noFailure(load);
  t.ok(await isFound(service));
  const names = await readdir(copies);
  for (const name of ['~admin.sock', '~contact.json', '~history']) {
    t.ok(names.includes(name), name);
  }
  for (const path of ['/?language=en', '/api/v1/changes?since=first', EXPORT]) {
    t.equal((await get(service, path)).status, 200, path);
  }
});

await t.test('a file in its place: it follows the store when that is gone', async (t) => {
  const from = service.lines.length;
  await rename(copies, `${copies}.away`);
  await writeFile(copies, '');
  await lost(service, /remove what is in its place/, from);
  await publish(service, second ?? {});
  await noFailure(load);
  t.equal(await servedId(service), 'first');
  await rm(copies);
  await activated(service, second ?? {}, from);
  // The thread that renders pages has opened the copy.
  await load.more(20);
});

await t.test('the directory of another instance: nothing is written there', async (t) => {
  const from = service.lines.length;
  const elsewhere = join(root, 'elsewhere');
  const other = await lockDirectory(elsewhere);
  await rename(copies, `${copies}.second`);
  await symlink(elsewhere, copies);
  await lost(service, /in use by another instance/, from);
  await publish(service, third ?? {});
  await noFailure(load);
  t.equal(await servedId(service), 'second');
  const names = await readdir(elsewhere);
  t.same(
    names.filter((name) => !name.startsWith('~lock')),
    ['~admin.sock'],
  );
  await other.release();
  await activated(service, third ?? {}, from);
  await load.more(20);
  t.ok(await isFound(service));
});

await t.test(
  'a take-over when its sockets are back; then a front and an end without the directory',
  async (t) => {
    const from = service.lines.length;
    for (const name of await readdir(copies)) {
      if (/^~(?:lock|admin)/.test(name)) await rm(join(copies, name));
    }
    await service.waitForLog(MADE_AGAIN, from);
    const options = { env: { FRONT_PROCESSES: '2' }, expect: [...expect, ...FRONT_DIES] };
    const next = await takeOver(t, service, options);
    t.match(await next.waitForLog('has taken over'), { from_pid: service.pid });
    t.same(await hasEnded(service), { code: 0, signal: null });
    await load.stop();
    t.same(load.failures, []);
    t.ok(await isFound(next));
    await rm(copies);
    await writeFile(copies, '');
    await lost(next, /remove what is in its place/, 0);
    const [victim = 0] = await frontsOf(next);
    process.kill(victim, 'SIGKILL');
    await next.waitForLog('front cannot serve the snapshot');
    for (let request = 0; request < 20; request += 1) {
      t.equal(await servedId(next), 'third', 'by the one that can, on a new connection each');
    }
    await rm(copies);
    await next.waitForLog('front replaced');
    t.equal((await frontsOf(next)).length, 2);
    t.same(await next.stop(), { code: 0, signal: null });
  },
);
