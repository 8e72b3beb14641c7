/** An instance of two hours ago, whose copies, locks, sockets and archive are older than any time limit, and files of an older release. */
import { readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { snapshotDocument } from '../support/documents/documents.js';
import { runBura } from '../support/service/command.js';
import { get } from '../support/service/requests.js';
import { statusOf } from '../support/service/scrape.js';
import { serveArchive, served } from '../support/service/serve-archive.js';
import { publishAndServe } from '../support/service/serve-documents.js';
import { activate, makeRoot, refusedService, startService } from '../support/service/service.js';

const HOURS_MS = 2 * 3_600_000;

const TARGETS = ['/meta', '/stations', '/api/v1/observations/latest'];

void t.test('an instance of two hours ago is as a young one', async (t) => {
  const later = join(await makeRoot(t), 'two-hours-later');
  const clock = pathToFileURL(resolve('build/test/support/faults/shifted-clock.js'));
  clock.search = String(new URLSearchParams({ ms: String(HOURS_MS), file: later }));
  const nodeArguments = ['--import', clock.href];
  const generated_at = `${new Date().toISOString().slice(0, 19)}Z`;
  const young = snapshotDocument({ generated_at });
  const { archive, ...first } = await serveArchive(t, { nodeArguments }, undefined, young);
  let { service } = first;
  const { root } = service;
  const home = async () => String((await get(service, '/?language=en')).body);
  const pageOfTheHour = await home();
  await writeFile(later, '');
  t.not(await home(), pageOfTheHour, 'the age of the data is another');
  for (const number of [1, 2]) {
    await served(service, archive);
    for (const { path } of archive.files) {
      const { status, body } = await get(service, `/api/v1/archive/${path}`);
      t.same([status, body], [200, archive.bytes.get(path)], path);
    }
    t.equal((await runBura(['health', '--url', service.url])).code, 0);
    t.match(await statusOf(service), { store: { reachable: true } });
    const { code, stderr } = await refusedService(t, { root });
    t.match([code, stderr], [1, /another instance/]);

    const documentOf = (name: string) => snapshotDocument({ snapshot_id: `${name}-${number}` });
    const answersOf = (): Promise<readonly string[]> =>
      Promise.all(TARGETS.map(async (target) => String((await get(service, target)).body)));
    await publishAndServe(service, documentOf('first'));
    const before = await answersOf();
    await publishAndServe(service, documentOf('second'));
    const from = service.lines.length;
    await activate(service, `first-${number}`);
    await service.waitForLog('activated', from);
    t.same(await answersOf(), before, 'after a rollback');
    for (const target of [...TARGETS, '/api/v1/snapshots', '/']) {
      t.equal((await get(service, target)).status, 200, target);
    }
    t.same(await service.stop(), { code: 0, signal: null });
    if (number === 2) break;
    service = await startService(t, { root, nodeArguments });
    await service.waitForLog('activated');
    const isImported = service.lines.some(({ msg }) => msg === 'importing');
    t.notOk(isImported, 'it serves its copy');
  }
});

void t.test('files of an older format, five days old, are made anew', async (t) => {
  const { service: first, archive } = await serveArchive(t);
  await publishAndServe(first, snapshotDocument({ snapshot_id: 'later' }));
  const { root, copies } = first;
  await first.stop();
  const then = new Date(Date.now() - 120 * 3_600_000);
  const older: string[] = [];
  for (const entry of await readdir(copies, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'latin1');
    const [head = '', format] = /^\{"format":(\d+)/.exec(text) ?? [];
    if (format !== undefined) {
      await writeFile(path, `{"format":${Number(format) - 1}${text.slice(head.length)}`, 'latin1');
      older.push(path);
    }
    await utimes(path, then, then);
  }
  // Copies and past snapshots of both. The folder of a copy names the build that made it.
  t.equal(older.length, 4, older.join());
  for (const name of await readdir(copies)) {
    const other = name.replace(/~[0-9a-f]{8}$/, '~00000000');
    await rename(join(copies, name), join(copies, other));
  }
  const service = await startService(t, { root });
  await service.waitForLog('activated');
  t.ok(service.lines.some(({ msg }) => msg === 'importing'));
  await served(service, archive);
  for (const target of TARGETS) {
    const { status, headers } = await get(service, target);
    t.same([status, headers['x-snapshot-id']], [200, 'later'], target);
  }
  const { body } = await get(service, '/api/v1/snapshots');
  t.match(JSON.parse(String(body)), { length: 1 }, 'the history begins again');
  const left = await readdir(copies);
  t.notOk(
    left.some((name) => name.endsWith('~00000000')),
    left.join(),
  );
});
