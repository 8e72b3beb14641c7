/** A bucket of OpenStack Swift as the store: published into by `deploy/s3/publish.sh`, read by an instance. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { generateDocument, writeDocument } from '../../support/documents/documents.js';
import { COMMAND, runBura } from '../../support/service/command.js';
import { spawnPlain } from '../../support/service/plain-node.js';
import { verifiedIdOf } from '../../support/service/published.js';
import { get, getJson } from '../../support/service/requests.js';
import { activated } from '../../support/service/serve-documents.js';
import { eventually, makeRoot, startService, type Service } from '../../support/service/service.js';
import { PYTHON } from '../../../tools/system.mjs';
import { holdPort } from '../../support/service/ports.js';

const execute = promisify(execFile);
const [ACCOUNT, USER, SECRET] = ['bura', 'publisher', 'secret'];
const BUCKET = 'open-data';
/** Four starts of Python with everything that OpenStack needs. */
const START_MS = 60_000;
const FOLDER = 'test/systems/support/s3';

/** Time within which uploads are killed; an upload of the documents below takes some tenths of it. */
const KILL_WITHIN_MS = 1_500;
type Publisher = Readonly<{ root: string; bucket: Awaited<ReturnType<typeof startBucket>> }>;

function startScript(
  { root, bucket }: Publisher,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const environment = {
    PATH: process.env['PATH'] ?? '',
    BURA: `${process.execPath} ${COMMAND}`,
    STORE_DIR: join(root, 'store'),
    REMOTE: bucket.remote,
    ...bucket.env,
    ...more,
  };
  return spawnPlain([resolve('deploy/s3/publish.sh'), ...words], environment, {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group, so that one signal reaches all of it.
    detached: true,
  });
}

async function runScript(t: Test, ...started: Parameters<typeof startScript>): Promise<void> {
  const child = startScript(...started);
  if (child.stderr === null) throw new Error('its errors are read');
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  t.equal(child.exitCode, 0, said);
}

async function served(service: Service, id: string, from = 0): Promise<void> {
  await activated(service, { snapshot_id: id }, from);
  const { body } = await getJson(service, '/meta');
  t.match(body, { snapshot_id: id });
}

void t.test('an instance follows a bucket', async (t) => {
  const root = await makeRoot(t);
  const publisher = { root, bucket: await startBucket(t) };
  const { bucket } = publisher;
  const documentOf = async (snapshotId: string, seed: number): Promise<string> => {
    const path = join(root, `${snapshotId}.json.gz`);
    await writeDocument(path, generateDocument({ snapshotId, seed, hours: 240 }));
    return path;
  };
  await runScript(t, publisher, [await documentOf('first', 1)]);
  const env = { SNAPSHOT_STORE: bucket.url };
  const service = await startService(t, { root, env });
  await served(service, 'first');
  const { port, pathname } = new URL(bucket.url);
  const ask = (path: string) => get({ port: Number(port) }, `${pathname}${path}`);
  const cachingOf = async (path: string): Promise<unknown> =>
    (await ask(`demo/${path}`)).headers['cache-control'];
  /** The id that the pointer names, once its size and digest have been compared with the document. */
  const verifiedId = () =>
    verifiedIdOf(async (path) => {
      const { status, body } = await ask(`demo/${path}`);
      if (status !== 200) throw new Error(`${path}: ${status}`);
      return body;
    });
  t.equal(await cachingOf('active.json'), 'no-cache');
  t.match(await cachingOf('snapshots/first.json.gz'), /immutable/);
  await runScript(t, publisher, [await documentOf('second', 2), '--archive']);
  await served(service, 'second');
  t.equal(await cachingOf('archive/index.json'), 'no-cache');
  t.match(await runBura(['verify', '--archive'], { env }), { code: 0, stdout: /archive is whole/ });
  const third = await documentOf('third', 3);
  const ids = new Set<string>();
  let unfinished = 0;
  for (let kill = 0; kill < 3; kill += 1) {
    const child = startScript(publisher, [third], { RCLONE_BWLIMIT: '192k' });
    const ended = once(child, 'exit');
    await Promise.race([after(((kill + Math.random()) * KILL_WITHIN_MS) / 3), ended]);
    if (child.exitCode === null) {
      unfinished += 1;
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }
    await ended;
    ids.add(await verifiedId());
    t.equal((await get(service, '/health/ready')).status, 200);
  }
  t.ok(unfinished > 0, `${unfinished} of 3 were killed`);
  for (const id of ids) t.match(id, /^(?:second|third)$/);
  await runScript(t, publisher, [third]);
  await served(service, 'third');
  t.equal(await verifiedId(), 'third');
  const from = service.lines.length;
  const store = { SNAPSHOT_STORE: `file:${join(root, 'store')}` };
  t.equal((await runBura(['activate', 'first'], { env: store })).code, 0);
  await runScript(t, publisher, [], { KEEP: '1' });
  await served(service, 'first', from);
  const listing = (await ask('?prefix=demo/snapshots/')).body;
  // The active one is kept whatever its age, and the newest.
  const kept = ['first', 'third'].map((id) => `demo/snapshots/${id}.json.gz`);
  t.same(listing.toString().trim().split('\n').toSorted(), kept);
  t.same(await service.stop(), { code: 0, signal: null });
});

/** Starts the server with one bucket, which is public to read. */
async function startBucket(t: Test) {
  const directory = await mkdtemp(join(tmpdir(), 'bura-s3-'));
  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const ports = [await holdPort(t), await holdPort(t), await holdPort(t)];
  const port = await holdPort(t);
  const [account = 0, container = 0, object = 0] = ports;
  const all = { account, container, object, proxy: port };
  await writeConfiguration(directory, all);
  await execute(PYTHON, [join(FOLDER, 'make-rings.py'), directory, ...ports.map(String)]);
  for (const name of Object.keys(all)) startServer(t, directory, name);
  const env = { RCLONE_CONFIG: join(directory, 'rclone.conf') };
  const remote = `s3:${BUCKET}`;
  const path = `/v1/AUTH_${ACCOUNT}/${BUCKET}/`;
  for (const one of [...ports, port]) {
    // It answers with any status: without a signature it refuses most requests.
    const answers = async () =>
      (await get({ port: one }, '/').catch(() => undefined)) !== undefined;
    await eventually('it listens', answers, START_MS);
  }
  await execute('rclone', ['mkdir', remote], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  return { remote, env, url: `http://127.0.0.1:${port}${path}` };
}

async function writeConfiguration(
  directory: string,
  ports: Readonly<Record<string, number>>,
): Promise<void> {
  await mkdir(join(directory, 'devices', 'disk'), { recursive: true });
  const write = async (to: string, from: string, own: Readonly<Record<string, string>>) => {
    const text = await readFile(join(FOLDER, from), 'utf8');
    const filled = text.replaceAll(/@(\w+)@/g, (whole, name: string) => own[name] ?? whole);
    await writeFile(join(directory, to), filled);
  };
  const all = { user: userInfo().username, folder: directory, secret: SECRET };
  const names = { account: ACCOUNT, publisher: USER };
  await write('swift.conf', 'swift.conf', {});
  await write('rclone.conf', 'rclone.conf', { ...all, ...names, port: String(ports['proxy']) });
  for (const [name, port] of Object.entries(ports)) {
    const from = name === 'proxy' ? 'proxy.conf' : 'server.conf';
    await write(`${name}.conf`, from, { ...all, ...names, name, port: String(port) });
  }
}

function startServer(t: Test, directory: string, name: string): void {
  const words = [PYTHON, resolve(FOLDER, 'serve.py'), directory, name];
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory };
  const child = spawnPlain(words, environment, { stdio: 'ignore' });
  const ended = new Promise((settle) => child.once('exit', settle));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
}
