/** Another program takes `LOCAL_DIR` from a running instance: that says so and ends, and the next one makes the directory again. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { DirectoryLock } from '../../../src/supervisor/lock/directory-lock.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { refusedService, startService } from '../../support/service/service.js';

const LOST = 'local directory lost';

/** Other log lines before the supervisor looks at the directory, and while it ends. */
const expect = [
  LOST,
  'import failed',
  'local copy damaged',
  'front found the local copy damaged',
  'store status cannot be saved',
];

for (const [what, fronts, lose] of [
  ['removed', '1', (copies: string) => rm(join(copies, '..'), { recursive: true, maxRetries: 9 })],
  ['renamed', '2', (copies: string) => rename(copies, `${copies}.away`)],
  ['replaced', '1', (copies: string) => rename(copies, `${copies}.old`).then(() => mkdir(copies))],
] as const) {
  await t.test(`${what}, with ${fronts} fronts`, async (t) => {
    const document = snapshotDocument({ snapshot_id: 'first' });
    const env = { FRONT_PROCESSES: fronts };
    const service = await startServing(t, document, { env, expect });
    await lose(service.copies);
    const line = await service.waitForLog(LOST);
    t.match(line, { level: 'error', directory: service.copies, reason: /removed or replaced/ });
    t.same(await service.ended, { code: 1, signal: null });
    const next = await startService(t, { root: service.root, env });
    await next.waitForLog('activated');
    t.equal((await get(next, '/meta')).headers['x-snapshot-id'], 'first');
  });
}

await t.test('the directory of another instance stays as it is', async (t) => {
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), { expect });
  const elsewhere = join(service.root, 'elsewhere');
  const other = await DirectoryLock.take(elsewhere);
  await rename(service.copies, `${service.copies}.own`);
  await symlink(elsewhere, service.copies);
  t.same(await service.ended, { code: 1, signal: null });
  const refused = await refusedService(t, { root: service.root });
  t.match(refused, { code: 1, stderr: / is in use by another instance\n$/ });
  other.release();
});

await t.test('a file in its place is one line and exit code 1', async (t) => {
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), { expect });
  await rename(service.copies, `${service.copies}.own`);
  await writeFile(service.copies, '');
  t.same(await service.ended, { code: 1, signal: null });
  const refused = await refusedService(t, { root: service.root });
  t.match(refused, { code: 1, stderr: /^bura: .*EEXIST.*\n$/ });
});
