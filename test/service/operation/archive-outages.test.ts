/** The archive while its store is away, damaged or killed in the middle: what is served never is another one. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { scaled } from '../../support/faults/chance.js';
import { waitForChild, waitUntilGone } from '../../support/service/children.js';
import { get } from '../../support/service/requests.js';
import { eventually, startService, type Service } from '../../support/service/service.js';
import { holdPort } from '../../support/service/ports.js';
import { startWebStore } from '../../support/faults/web-store.js';
import {
  digestsOf,
  kept,
  keptNames,
  serveArchive,
  served,
} from '../../support/service/serve-archive.js';
import type { StoredFile } from '../../support/stores/stored-archive.js';

const BASE = '/api/v1/archive';
const AWAY = '{"detail":"The archive cannot be read at the moment."}';

for (const kind of ['file', 'http'] as const) {
  void t.test(`while a store is away (${kind}:), only what is not kept is`, async (t) => {
    const first = await serveArchive(t);
    await first.service.stop();
    const { files } = first.archive;
    const { root, copies } = first.service;
    await rm(join(copies, '~archive'), { recursive: true });
    const store = await leavingStore(t, root, kind);
    const newest = files.filter(({ path }) => /^(?:stations|parameters)|01\/|year=2026/.test(path));
    const room = newest.reduce((sum, { size_bytes: size }) => sum + size, 0);
    const env = { ...store.env, ARCHIVE_DISK_MB: String(Math.ceil(room / 1e6)) };
    const start = () => startService(t, { root, env, expect: OUTAGE });
    const before = await start();
    await kept(before, newest);
    await before.waitForLog('activated');
    for (const restarted of [false, true]) {
      await store.leave();
      const service = restarted ? await start() : before;
      await service.waitForLog('store unreachable');
      if (restarted) await service.waitForLog('activated');
      await testOutage(t, service, files);
      await store.comeBack();
      await eventually('the store is back', async () => {
        const all = files.map(({ path }) => get(service, `${BASE}/${path}`));
        return (await Promise.all(all)).every(({ status }) => status === 200);
      });
      await service.stop();
    }
  });
}

async function testOutage(t: Test, service: Service, files: readonly StoredFile[]): Promise<void> {
  const names = await keptNames(service);
  let away = 0;
  for (const { path, sha256 } of files) {
    for (const headers of [{}, { Range: 'bytes=4-9' }]) {
      const ask = () => get(service, `${BASE}/${path}`, { headers });
      if (names.includes(sha256)) {
        const status = 'Range' in headers ? 206 : 200;
        await eventually(`${path} is kept`, async () => (await ask()).status === status);
        continue;
      }
      const answer = await ask();
      away += 1;
      t.same([answer.status, answer.body.toString()], [503, AWAY], path);
      t.match(answer.headers['retry-after'], /^\d+$/);
    }
    t.equal((await get(service, `${BASE}/${path}`, { method: 'HEAD' })).status, 200);
  }
  t.ok(away > 0 && away < 2 * files.length, `${away} are away`);
  t.equal((await get(service, BASE)).status, 200);
  t.equal((await get(service, '/api/v1/stations')).status, 200);
}

/** A store that leaves and comes back: its folder is renamed, or its web server is killed. */
async function leavingStore(t: Test, root: string, kind: 'file' | 'http') {
  const folder = join(root, 'store');
  if (kind === 'file') {
    return {
      env: {},
      leave: () => rename(folder, `${folder}-away`),
      comeBack: () => rename(`${folder}-away`, folder),
    };
  }
  const port = await holdPort(t);
  let server = await startWebStore(t, { root, port });
  return {
    env: { SNAPSHOT_STORE: `http://127.0.0.1:${port}/` },
    leave: () => server.kill(),
    comeBack: async () => {
      server = await startWebStore(t, { root, port });
    },
  };
}

void t.test('a file with other bytes in the store is never whole', async (t) => {
  const expect = ['archive incomplete'];
  const { service, archive } = await serveArchive(t, { expect, env: { ARCHIVE_DISK_MB: '0' } });
  for (const { path } of archive.files) {
    const bytes = Buffer.from(archive.bytes.get(path) ?? []);
    bytes[6] = (bytes[6] ?? 0) ^ 1;
    await writeFile(join(service.published, 'archive', path), bytes);
    const whole = await get(service, `${BASE}/${path}`).catch((error: unknown) => error);
    // A short one is read before its status is out.
    if (bytes.length > 64 * 1024) t.type(whole, Error, path);
    else t.match(whole, { status: 503 }, path);
    const part = await get(service, `${BASE}/${path}`, { headers: { Range: 'bytes=10-19' } });
    t.ok(part.body.equals(bytes.subarray(10, 20)), 'a part has no digest');
  }
  await service.stop();
  const { root } = service;
  const other = await startService(t, { root, expect });
  await other.waitForLog('archive incomplete');
  t.same(await keptNames(other), []);
  const [{ path } = { path: '' }] = archive.files;
  t.equal((await get(other, '/api/v1/stations')).status, 200);
  t.equal((await get(other, `${BASE}/${path}`, { method: 'HEAD' })).status, 200);
  for (const [file, bytes] of archive.bytes) {
    await writeFile(join(service.published, 'archive', file), bytes);
  }
  await kept(other, archive.files);
});

void t.test('an index that is none leaves what was served', async (t) => {
  const { service, archive } = await serveArchive(t, { expect: ['archive incomplete'] });
  await writeFile(join(service.published, 'archive', 'index.json'), '{"files":[{"path":"../x"}]}');
  await service.waitForLog('archive incomplete');
  await kept(service, archive.files);
  await served(service, archive);
  const said = service.lines.filter(({ msg }) => msg === 'archive incomplete');
  t.equal(said.length, 1);
});

void t.test('killed while files are kept, only whole ones are there', async (t) => {
  const { service, archive } = await serveArchive(t);
  const expected = digestsOf(archive.files);
  for (let time = 0; time < scaled(6); time += 1) {
    const { pid } = await waitForChild(service.pid, 'archive-process.js');
    process.kill(pid, 'SIGKILL');
    await waitUntilGone([pid]);
    const folder = join(service.copies, '~archive');
    for (const name of await keptNames(service)) {
      const bytes = await readFile(join(folder, `${name}.parquet`));
      t.equal(createHash('sha256').update(bytes).digest('hex'), name);
      if (time % 2 === 0) await rm(join(folder, `${name}.parquet`));
    }
  }
  await kept(service, archive.files);
  await eventually('what was begun is gone', async () => {
    const names = await readdir(join(service.copies, '~archive'));
    return !names.some((name) => name.startsWith('.tmp')) && expected.length > 0;
  });
});

/** What is logged while a store is away. */
const OUTAGE = ['store unreachable', 'archive incomplete'];
