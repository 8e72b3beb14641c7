/** An instance of two hours ago: its copies, locks, sockets and archive are older than any time limit, and it is as a young one. */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import type { InstanceStatus } from '../../src/supervisor/operators/status.js';
import { snapshotDocument } from '../support/documents/documents.js';
import { runBura } from '../support/service/command.js';
import { get } from '../support/service/requests.js';
import { serveArchive, served } from '../support/service/serve-archive.js';
import { publishAndServe } from '../support/service/serve-documents.js';
import {
  activate,
  makeRoot,
  refusedService,
  startService,
  type Service,
} from '../support/service/service.js';
import type { StoredArchive } from '../support/stores/stored-archive.js';

const HOURS_MS = 2 * 3_600_000;

const TARGETS = ['/meta', '/stations', '/api/v1/observations/latest', '/api/v1/snapshots', '/'];

/** Checks what its users and its operator notice. */
async function behavesAsYoung(
  t: Test,
  service: Service,
  { archive, number }: { readonly archive: StoredArchive; readonly number: number },
): Promise<void> {
  const { root } = service;
  const env = {
    LOCAL_DIR: join(root, 'local'),
    PORT: String(service.port),
    SNAPSHOT_STORE: `file:${join(root, 'store')}`,
  };
  await served(service, archive);
  for (const { path } of archive.files) {
    const { status, body } = await get(service, `/api/v1/archive/${path}`);
    t.ok(status === 200 && body.equals(archive.bytes.get(path) ?? Buffer.alloc(0)), path);
  }
  t.equal((await runBura(['health'], { env })).code, 0);
  const { stdout } = await runBura(['status', '--json'], { env });
  t.match(JSON.parse(stdout) as InstanceStatus, { store: { reachable: true } });
  const { code, stderr } = await refusedService(t, { root });
  t.match([code, stderr], [1, /another instance/]);

  const documentOf = (name: string) => snapshotDocument({ snapshot_id: `${name}-${number}` });
  const answersOf = () => Promise.all(TARGETS.slice(0, 3).map((target) => get(service, target)));
  await publishAndServe(service, documentOf('first'));
  const before = await answersOf();
  await publishAndServe(service, documentOf('second'));
  const from = service.lines.length;
  await activate(service, `first-${number}`);
  await service.waitForLog('activated', from);
  t.same(
    (await answersOf()).map(({ body }) => body.toString()),
    before.map(({ body }) => body.toString()),
    'after a rollback',
  );
  for (const target of TARGETS) t.equal((await get(service, target)).status, 200, target);
}

void t.test('an instance of two hours ago is as a young one', async (t) => {
  const later = join(await makeRoot(t), 'two-hours-later');
  const clock = pathToFileURL(resolve('build/test/support/faults/shifted-clock.js'));
  clock.search = String(new URLSearchParams({ ms: String(HOURS_MS), file: later }));
  const nodeArguments = ['--import', clock.href];
  const { service, archive } = await serveArchive(t, { nodeArguments });
  await writeFile(later, '');
  await behavesAsYoung(t, service, { archive, number: 1 });
  t.same(await service.stop(), { code: 0, signal: null });

  const again = await startService(t, { root: service.root, nodeArguments });
  await again.waitForLog('activated');
  t.notOk(
    again.lines.some(({ msg }) => msg === 'importing'),
    'it serves its copy',
  );
  await behavesAsYoung(t, again, { archive, number: 2 });
  t.same(await again.stop(), { code: 0, signal: null });
});
