/**
 * Instances on one Redis server: they swap when notified, and survive its absence; publishers that die or run
 * concurrently.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { verifyDocument } from '../../../src/publishing/verify-document.js';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { chanceOf } from '../../support/faults/chance.js';
import { startCountingProxy } from '../support/redis/counting-proxy.js';
import { startRedis, type RedisServer } from '../support/redis/redis-server.js';
import { publishOnStore, type StoreAccess } from '../support/redis/store-commands.js';
import { runBura } from '../../support/service/command.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { get, getJson } from '../../support/service/requests.js';
import { activated } from '../../support/service/serve-documents.js';
import {
  eventually,
  makeRoot,
  startService,
  type LogLine,
  type Service,
} from '../../support/service/service.js';

/** With polls that are too rare to help: only notifications are in time. */
const POLL_S = 600;
const LIMIT_MS = (POLL_S * 1000) / 4;

async function accessOf(t: Test, redis: RedisServer): Promise<StoreAccess> {
  return { root: await makeRoot(t), env: { SNAPSHOT_STORE: redis.url } };
}

async function startInstance(
  t: Test,
  env: Readonly<Record<string, string>>,
  expect: readonly string[] = ['store unreachable', 'archive incomplete'],
): Promise<Service> {
  return await startService(t, { env: { ...env, POINTER_POLL_SECONDS: String(POLL_S) }, expect });
}

const readyOf = async (service: Service) => await getJson(service, '/health/ready');

const messages = (service: Service, msg: string): readonly LogLine[] =>
  service.lines.filter((line) => line.msg === msg);

/** Waits for the effect of a message of the store's watch, long before the next poll. */
async function soon(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  await eventually(what, isSo, LIMIT_MS);
  return Math.round(performance.now() - startedAt);
}

void t.test('three instances swap together, and outlive their server', async (t) => {
  const redis = await startRedis(t);
  const access = await accessOf(t, redis);
  t.match(await publishOnStore(access, 'first'), { code: 0, stderr: '' });
  const instances = await Promise.all([1, 2, 3].map(() => startInstance(t, access.env)));
  for (const instance of instances) await instance.waitForLog('activated');

  const swap = async (id: string): Promise<void> => {
    const from = instances.map(({ lines }) => lines.length);
    t.match(await publishOnStore(access, id), { code: 0 });
    const visible = instances.map(async (instance, n) => {
      const line = await activated(instance, { snapshot_id: id }, from[n] ?? 0);
      return Number(line['publish_to_visible_ms']);
    });
    const times = (await Promise.all(visible)).sort((a, b) => a - b);
    t.ok((times.at(-1) ?? Infinity) < LIMIT_MS, `${id} after ${times.join(', ')} ms`);
  };
  await swap('second');

  for (const [how, goAway, comeBack] of [
    ['killed', () => redis.kill(), () => redis.start()],
    [
      'hung',
      () => {
        redis.signal('SIGSTOP');
      },
      () => {
        redis.signal('SIGCONT');
      },
    ],
  ] as const) {
    const before = instances.map((instance) => messages(instance, 'store unreachable').length);
    await goAway();
    for (const instance of instances) {
      const isNamed = async (): Promise<boolean> => {
        const { status, body } = await readyOf(instance);
        return status === 200 && JSON.stringify(body).includes('"store":"unreachable"');
      };
      t.comment(`${how}: named after ${await soon(`${how} is named`, isNamed)} ms more`);
      t.equal((await get(instance, '/meta')).status, 200);
    }
    await comeBack();
    for (const [n, instance] of instances.entries()) {
      const isBack = async (): Promise<boolean> =>
        JSON.stringify((await readyOf(instance)).body).includes('"store":"ok"');
      t.comment(`${how}: back after ${await soon(`${how} is over`, isBack)} ms more`);
      const logged = messages(instance, 'store unreachable');
      t.equal(logged.length, (before[n] ?? 0) + 1, 'logged once');
    }
    await swap(`after-it-was-${how}`);
  }
});

void t.test('a wrong password is an outage, which ends when it is right', async (t) => {
  const redis = await startRedis(t, { password: 'right' });
  t.match(await publishOnStore(await accessOf(t, redis), 'first'), { code: 0 });
  const wrong = redis.url.replace('right', 'wrong%21');
  const expect = ['store unreachable', 'archive incomplete', 'unavailable'];
  const service = await startInstance(t, { SNAPSHOT_STORE: wrong }, expect);
  const line = await service.waitForLog('store unreachable');
  t.match(line['detail'], /127\.0\.0\.1.*WRONGPASS/);
  await service.waitForLog('unavailable');
  await eventually('a front has been told', async () =>
    JSON.stringify((await readyOf(service)).body).includes('"reason":"store_unreachable"'),
  );
  const { code, stderr } = await runBura(['list'], { env: { SNAPSHOT_STORE: wrong } });
  t.equal(code, 1);
  t.match(stderr, /^bura: [^\n]*WRONGPASS[^\n]*\n$/);
  await redis.run('CONFIG', 'SET', 'requirepass', 'wrong!');
  await service.waitForLog('activated');
  const said = JSON.stringify([service.lines, service.plainLines, service.stderr(), stderr]);
  t.notMatch(said, /wrong[!%]/);
});

void t.test('a policy that evicts is warned of by serve and by publish', async (t) => {
  const redis = await startRedis(t, { maxmemoryPolicy: 'volatile-lru', isPersistent: false });
  const access = await accessOf(t, redis);
  const { code, stderr } = await publishOnStore(access, 'first');
  t.equal(code, 0);
  t.match(stderr, /^bura: note: [^\n]*maxmemory-policy is volatile-lru[^\n]*\n$/);
  const service = await startInstance(t, access.env, ['store warning']);
  t.match(
    (await service.waitForLog('store warning'))['detail'],
    /127\.0\.0\.1.*maxmemory-policy is volatile-lru/,
  );
  await redis.run('CONFIG', 'SET', 'maxmemory', '1mb');
  const refused = await publishOnStore(access, 'second');
  t.equal(refused.code, 1);
  t.match(refused.stderr, /^bura: note: [^\n]*volatile-lru[^\n]*\nbura: [^\n]*is full[^\n]*\n$/);
});

/** Documents of a megabyte: text that no compression makes smaller. */
async function publishable(access: StoreAccess, snapshotId: string): Promise<string> {
  const file = join(access.root, `${snapshotId}.json.gz`);
  const notes = randomBytes(1_000_000).toString('base64');
  await writeDocument(file, snapshotDocument({ snapshot_id: snapshotId, notes }));
  return file;
}

void t.test('a publisher killed at random moments leaves nothing that is half', async (t) => {
  const redis = await startRedis(t, { isPersistent: false });
  const access = await accessOf(t, redis);
  const store = openWritable(t, redis.url, { keyPrefix: 'demo' });
  const chance = chanceOf(t);
  const proxy = await startCountingProxy(t, redis.port);
  const env = { SNAPSHOT_STORE: `redis://127.0.0.1:${proxy.port}` };
  let wholeBytes = 0;
  // The second one is compared with the first, which is active, and so are all later ones.
  for (const id of ['first', 'second']) {
    const bytes = proxy.bytes;
    t.match(await runBura(['publish', await publishable(access, id)], { env }), { code: 0 });
    wholeBytes = proxy.bytes - bytes;
  }

  let active = 'second';
  for (let round = 0; round < 8; round += 1) {
    const id = `killed-${round}`;
    const file = await publishable(access, id);
    const { code } = await runBura(['publish', file], {
      env,
      onStart: (child) => {
        proxy.count(chance.integer(wholeBytes), () => child.kill('SIGKILL'));
      },
    });
    const reading = await store.readPointer();
    if (reading.kind === 'absent') throw new Error('no pointer');
    const { snapshotId, sha256 } = reading.pointer;
    t.ok(snapshotId === active || snapshotId === id, `${snapshotId} is active, code ${code}`);
    if (code === 0) t.equal(snapshotId, id);
    active = snapshotId;
    const verified = await verifyDocument(await store.openDocument(reading.pointer), snapshotId);
    t.equal(verified.sha256, sha256);
  }
  const listed = await store.list();
  for (const { snapshotId } of listed) {
    await verifyDocument(await store.openDocument({ snapshotId }), snapshotId);
  }

  const staying: string[] = [];
  const keys = (await redis.run('KEYS', '*')).split('\n').sort();
  for (const key of keys) {
    if (key.startsWith('{demo}:publishing:')) t.ok(Number(await redis.run('PTTL', key)) > 0, key);
    else staying.push(key);
  }
  t.comment(`${listed.length} of 10 were stored`);
  t.ok(staying.length < keys.length, 'some were killed in the middle');
  const documents = listed.map(({ snapshotId }) => `{demo}:snapshot:${snapshotId}`);
  t.same(staying, ['{demo}:active', '{demo}:snapshots', ...documents].sort());
});
