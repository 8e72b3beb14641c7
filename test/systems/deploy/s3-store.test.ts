/** A bucket of a real S3 server as the store: published into by `deploy/s3/publish.sh`, read over HTTP by an instance. */
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { generateDocument, writeDocument } from '../../support/documents/documents.js';
import { startBucket, type Bucket } from '../support/s3/swift.js';
import { COMMAND, runBura } from '../../support/service/command.js';
import { spawnPlain } from '../../support/service/plain-node.js';
import { verifiedIdOf } from '../../support/service/published.js';
import { get, getJson } from '../../support/service/requests.js';
import { activated } from '../../support/service/serve-documents.js';
import { makeRoot, startService, type Service } from '../../support/service/service.js';

const KILLS = 3;
/** Time within which uploads are killed; an upload of the documents below takes some tenths of it. */
const KILL_WITHIN_MS = 1_500;
const SLOW = { RCLONE_BWLIMIT: '192k' };

function startScript(
  { root, bucket }: { readonly root: string; readonly bucket: Bucket },
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const environment = {
    PATH: process.env['PATH'] ?? '',
    BURA: `${process.execPath} ${COMMAND}`,
    STORE_DIR: join(root, 'store'),
    REMOTE: bucket.remote,
    ...bucket.env,
    ...env,
  };
  return spawnPlain([resolve('deploy/s3/publish.sh'), ...words], environment, {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group, so that one signal reaches all of it.
    detached: true,
  });
}

/** Runs the script to its end. */
async function runScript(t: Test, ...started: Parameters<typeof startScript>): Promise<void> {
  const child = startScript(...started);
  if (child.stderr === null) throw new Error('its errors are read');
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  t.equal(child.exitCode, 0, said);
}

/** The id that the bucket's pointer names, after its size and digest have been compared with the document. */
async function verifiedId({ url }: Bucket): Promise<string> {
  const { port, pathname } = new URL(url);
  return await verifiedIdOf(async (path) => {
    const { status, body } = await get({ port: Number(port) }, `${pathname}demo/${path}`);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return body;
  });
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
  const cachingOf = async (path: string): Promise<unknown> =>
    (await get({ port: Number(port) }, `${pathname}demo/${path}`)).headers['cache-control'];
  t.equal(await cachingOf('active.json'), 'no-cache');
  t.match(await cachingOf('snapshots/first.json.gz'), /immutable/);

  await runScript(t, publisher, [await documentOf('second', 2), '--archive']);
  await served(service, 'second');
  t.equal(await cachingOf('archive/index.json'), 'no-cache');
  t.match(await runBura(['verify', '--archive'], { env }), { code: 0, stdout: /archive is whole/ });

  const third = await documentOf('third', 3);
  const ids = new Set<string>();
  let unfinished = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = startScript(publisher, [third], SLOW);
    const ended = once(child, 'exit');
    await Promise.race([after(((kill + Math.random()) * KILL_WITHIN_MS) / KILLS), ended]);
    if (child.exitCode === null) {
      unfinished += 1;
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }
    await ended;
    ids.add(await verifiedId(bucket));
    t.equal((await get(service, '/health/ready')).status, 200);
  }
  t.ok(unfinished > 0, `${unfinished} of ${KILLS} were killed`);
  for (const id of ids) t.match(id, /^(?:second|third)$/);
  await runScript(t, publisher, [third]);
  await served(service, 'third');
  t.equal(await verifiedId(bucket), 'third');

  const from = service.lines.length;
  const store = { SNAPSHOT_STORE: `file:${join(root, 'store')}` };
  t.equal((await runBura(['activate', 'first'], { env: store })).code, 0);
  await runScript(t, publisher, [], { KEEP: '1' });
  await served(service, 'first', from);
  const listing = (await get({ port: Number(port) }, `${pathname}?prefix=demo/snapshots/`)).body;
  // The active one is kept whatever its age, and the newest.
  t.same(listing.toString().trim().split('\n').toSorted(), [
    'demo/snapshots/first.json.gz',
    'demo/snapshots/third.json.gz',
  ]);
  t.same(await service.stop(), { code: 0, signal: null });
});
