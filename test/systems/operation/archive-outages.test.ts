/** The archive while its store is away or damaged, its disk fails, or a process is killed: no wrong file is served. */
import { copyFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
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
  keptFile,
  keptNames,
  serveArchive,
  served,
} from '../../support/service/serve-archive.js';
import {
  removeArchive,
  storeIndex,
  type StoredArchive,
} from '../../support/stores/stored-archive.js';

const BASE = '/api/v1/archive';
const EXPECTED = { expect: ['archive incomplete'] };
const NO_FILE = { path: '', from: null, to: null, rows: 0, size_bytes: 0, sha256: '' };

/** How each file is answered: nothing wrong is ever sent as whole. */
async function statuses(t: Test, service: Service, archive: StoredArchive) {
  const answers = archive.files.map(async ({ path }) => {
    const answer = await get(service, `${BASE}/${path}`).catch(() => undefined);
    if (answer?.status !== 200) return answer?.status ?? 'reset';
    t.ok(answer.body.equals(archive.bytes.get(path) ?? Buffer.alloc(0)), path);
    return 200;
  });
  return await Promise.all(answers);
}

async function whole(t: Test, service: Service, archive: StoredArchive): Promise<void> {
  await eventually('all files are whole', async () =>
    (await statuses(t, service, archive)).every((one) => one === 200),
  );
}

void t.test('while a store is away, what is kept is served, over a restart too', async (t) => {
  const first = await serveArchive(t);
  const { archive } = first;
  await first.service.stop();
  const { root } = first.service;
  const port = await holdPort(t);
  const env = { SNAPSHOT_STORE: `http://127.0.0.1:${port}/` };
  const expect = ['store unreachable', 'archive incomplete'];
  const start = () => startService(t, { root, env, expect });
  const store = await startWebStore(t, { root, port });
  const before = await start();
  await before.waitForLog('activated');
  t.equal((await keptNames(before)).length, archive.files.length);
  await served(before, archive);
  await store.kill();
  await before.waitForLog('store unreachable');
  await whole(t, before, archive);
  t.same(await keptNames(before), digestsOf(archive.files));
  await before.stop();
  const again = await start();
  await again.waitForLog('activated');
  await whole(t, again, archive);
  await startWebStore(t, { root, port });
  await again.waitForLog(({ msg }) => /^store reachable/.test(msg));
  await whole(t, again, archive);
});

void t.test('a file with other bytes in the store is never served', async (t) => {
  const { service, archive } = await serveArchive(t, EXPECTED);
  await service.stop();
  await rm(join(service.copies, '~archive'), { recursive: true });
  const [damaged] = archive.files;
  const path = damaged?.path ?? '';
  const bytes = Buffer.from(archive.bytes.get(path) ?? []);
  bytes[6] = (bytes[6] ?? 0) ^ 1;
  const name = join(service.published, 'archive', path);
  await writeFile(name, bytes);
  const other = await startService(t, { root: service.root, ...EXPECTED });
  const said = await other.waitForLog('archive incomplete');
  t.match(said['reason'], /differs from the digest in its name/);
  const others = archive.files.filter((file) => file !== damaged);
  await served(other, { files: others });
  t.equal((await get(other, `${BASE}/${path}`)).status, 503, 'it is being fetched');
  const days = await get(other, '/api/v1/daily.csv?station_id=1&from=2025-11-01');
  t.equal(days.status, path.startsWith('daily/') ? 503 : 200);
  await writeFile(name, archive.bytes.get(path) ?? '');
  await served(other, archive);
  await other.waitForLog('archive complete');
});

void t.test('a copy that is damaged under a running instance is fetched again', async (t) => {
  const { service, archive } = await serveArchive(t);
  const daily = '/api/v1/daily.csv?station_id=1,2,3,4,5,6&from=2025-11-01';
  const { body: expected } = await get(service, daily);
  const last = archive.files.at(-1) ?? NO_FILE;
  const damages: Readonly<Record<string, (path: string) => Promise<void>>> = {
    'a flipped bit': async (path) => {
      const bytes = await readFile(path);
      const at = Math.floor(bytes.length / 2);
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      await writeFile(path, bytes);
    },
    'a cut': async (path) => truncate(path, 1000),
    'it is removed': (path) => rm(path),
    'another file in its place': async (path) => copyFile(keptFile(service, last), path),
  };
  for (const [what, damage] of Object.entries(damages)) {
    const damaged = archive.files.slice(0, -1);
    for (const file of damaged) await damage(keptFile(service, file));
    const found = await statuses(t, service, archive);
    const isRefused = found.slice(0, -1).every((one) => one !== 200 && one !== 404);
    t.ok(isRefused, `${what}: ${found.join()}`);
    await whole(t, service, archive);
    // A reader of days finds the damage too.
    for (const file of damaged) {
      if (file.path.startsWith('daily/')) await damage(keptFile(service, file));
    }
    await eventually('the days are right', async () => {
      const { status, body } = await get(service, `${daily}&from=2025-10-0${1 + (Date.now() % 9)}`);
      t.ok(status === 503 || body.equals(expected), `${what}: ${status}`);
      return status === 200;
    });
    await whole(t, service, archive);
  }
  // Damage of the time when nobody serves is found when it is read.
  await service.stop();
  for (const file of archive.files) await writeFile(keptFile(service, file), Buffer.alloc(1000));
  const other = await startService(t, { root: service.root });
  await other.waitForLog('activated');
  await whole(t, other, archive);
});

void t.test('a malformed index, said once, and none for a moment, remove nothing', async (t) => {
  const { service, archive } = await serveArchive(t, EXPECTED);
  const index = join(service.published, 'archive', 'index.json');
  for (const text of ['{"files":[{"path":"../x"}]}', '']) {
    const from = service.lines.length;
    await writeFile(index, text);
    if (text !== '') await service.waitForLog('archive incomplete', from);
    await served(service, archive);
    await whole(t, service, archive);
    t.same(await keptNames(service), digestsOf(archive.files));
  }
  await storeIndex(service.published, archive.files);
  await service.waitForLog('archive complete');
  const said = service.lines.filter(({ msg }) => msg === 'archive incomplete');
  t.equal(new Set(said.map(({ reason }) => reason)).size, said.length, 'each failure once');
  const isNone = async (one: Service) => (await get(one, BASE)).status === 404;
  await removeArchive(service.published);
  await eventually('there is none', () => isNone(service));
  t.same(await keptNames(service), digestsOf(archive.files));
  await service.stop();
  const again = await startService(t, { root: service.root });
  await again.waitForLog('activated');
  t.ok(await isNone(again), 'nor after a restart');
  const inodes = () =>
    Promise.all(archive.files.map(async (file) => (await stat(keptFile(again, file))).ino));
  const before = await inodes();
  await storeIndex(service.published, archive.files);
  await served(again, archive);
  t.same(await inodes(), before, 'nothing is fetched again');
});

void t.test('killed while files are kept, only whole ones are there', async (t) => {
  const { service, archive } = await serveArchive(t, EXPECTED);
  for (let time = 0; time < scaled(2); time += 1) {
    const [first] = await keptNames(service);
    await rm(keptFile(service, { ...NO_FILE, sha256: first ?? '' }));
    await statuses(t, service, archive);
    const child = await waitForChild(service.pid, 'archive-process.js');
    process.kill(child.pid, 'SIGKILL');
    await waitUntilGone([child.pid]);
    await whole(t, service, archive);
  }
  await served(service, archive);
  await eventually('what was begun is gone', async () => {
    const names = await readdir(join(service.copies, '~archive'));
    return names.every((name) => !name.startsWith('.tmp'));
  });
  // A file in the place of their folder harms nothing else.
  await service.stop();
  const folder = join(service.copies, '~archive');
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  const other = await startService(t, { root: service.root, ...EXPECTED });
  await other.waitForLog('archive incomplete');
  t.equal((await get(other, '/api/v1/stations')).status, 200);
  t.equal((await get(other, BASE)).status, 503);
  await rm(folder);
  await served(other, archive);
  await other.waitForLog('archive complete');
});
