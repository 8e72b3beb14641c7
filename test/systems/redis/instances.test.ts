/** Instances on one Redis server swap when notified, and survive its absence; publishers that are killed. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { verifyDocument } from '../../../src/publishing/verify-document.js';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { chanceOf } from '../../support/faults/chance.js';
import { startRedis, type RedisServer } from '../support/redis/redis-server.js';
import { publishOnStore, runOnStore, type StoreAccess } from '../support/redis/store-commands.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { get } from '../../support/service/requests.js';
import { listedPaths } from '../../support/service/serve-archive.js';
import { activated } from '../../support/service/serve-documents.js';
import { eventually, makeRoot, startService, type Service } from '../../support/service/service.js';

async function accessOf(t: Test, redis: RedisServer): Promise<StoreAccess> {
  return { root: await makeRoot(t), env: { SNAPSHOT_STORE: redis.url } };
}

/** Polls are too rare to help: only notifications are in time. */
const RARE = { POINTER_POLL_SECONDS: '600' };

const readinessOf = async (service: Service): Promise<string> => {
  const { status, body } = await get(service, '/health/ready');
  return `${status} ${body.toString()}`;
};

/** Whether there is an archive, and all of its files are served. */
async function isArchiveWhole(service: Service): Promise<boolean> {
  const paths = await listedPaths(service);
  const answers = paths.map((path) => get(service, `/api/v1/archive/${path}`));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  return statuses.length > 3 && statuses.every((status) => status === 200);
}

void t.test('instances swap together, and outlive their server', async (t) => {
  const redis = await startRedis(t);
  const access = await accessOf(t, redis);
  t.match(await publishOnStore(access, 'first'), { code: 0, stderr: '' });
  const env = { ...access.env, ...RARE };
  const expect = ['store unreachable', 'archive incomplete'];
  const instance = await startService(t, { env, expect });
  const instances = [instance, await startService(t, { env, expect })];
  for (const one of instances) await one.waitForLog('activated');
  const swap = async (id: string): Promise<void> => {
    const from = instances.map(({ lines }) => lines.length);
    t.match(await publishOnStore(access, id), { code: 0 });
    for (const [at, one] of instances.entries())
      await activated(one, { snapshot_id: id }, from[at] ?? 0);
  };
  await swap('second');
  t.match(await runOnStore(access, ['archive', 'second']), { code: 0 });
  await eventually('the archive is kept', () => isArchiveWhole(instance));
  const says = async (one: Service, what: string, text: RegExp): Promise<void> => {
    await eventually(what, async () => text.test(await readinessOf(one)));
  };
  const signal = (name: NodeJS.Signals) => (): void => {
    redis.signal(name);
  };
  for (const [how, goAway, comeBack] of [
    ['killed', () => redis.kill(), () => redis.start()],
    ['hung', signal('SIGSTOP'), signal('SIGCONT')],
  ] as const) {
    await goAway();
    for (const one of instances) {
      await says(one, `${how}: it is named`, /^200 .*"store":"unreachable"/);
      t.equal((await get(one, '/meta')).status, 200);
    }
    t.ok(await isArchiveWhole(instance), `${how}: the archive is served`);
    await comeBack();
    for (const one of instances) await says(one, `${how}: it is over`, /"store":"ok"/);
    const logged = instance.lines.filter(({ msg }) => msg === 'store unreachable');
    t.equal(logged.length, how === 'killed' ? 1 : 2, 'logged once');
    await swap(`after-it-was-${how}`);
  }
});

void t.test('a wrong password is an outage, which ends when it is right', async (t) => {
  const redis = await startRedis(t, { password: 'right' });
  const access = await accessOf(t, redis);
  t.match(await publishOnStore(access, 'first'), { code: 0 });
  const env = { ...RARE, SNAPSHOT_STORE: redis.url.replace('right', 'wrong%21') };
  const service = await startService(t, { env, expect: ['store unreachable', 'unavailable'] });
  const line = await service.waitForLog('store unreachable');
  t.match(line['detail'], /127\.0\.0\.1.*WRONGPASS/);
  await service.waitForLog('unavailable');
  await eventually('a front has been told', async () =>
    (await readinessOf(service)).includes('"reason":"store_unreachable"'),
  );
  const { code, stderr } = await runOnStore({ ...access, env }, ['list']);
  t.equal(code, 1);
  t.match(stderr, /^bura: [^\n]*WRONGPASS[^\n]*\n$/);
  await redis.run('CONFIG', 'SET', 'requirepass', 'wrong!');
  await service.waitForLog('activated');
  const said = JSON.stringify([service.lines, service.plainLines, service.stderr(), stderr]);
  t.notMatch(said, /wrong[!%]/);
});

void t.test('a policy that evicts is warned of by serve and by publish', async (t) => {
  const redis = await startRedis(t, { config: ['maxmemory-policy volatile-lru'] });
  const access = await accessOf(t, redis);
  const { code, stderr } = await publishOnStore(access, 'first');
  t.equal(code, 0);
  t.match(stderr, /^bura: note: [^\n]*maxmemory-policy is volatile-lru[^\n]*\n$/);
  const service = await startService(t, { env: access.env, expect: ['store warning'] });
  const { detail } = await service.waitForLog('store warning');
  t.match(detail, /127\.0\.0\.1.*maxmemory-policy is volatile-lru/);
  await redis.run('CONFIG', 'SET', 'maxmemory', '1mb');
  const refused = await publishOnStore(access, 'second');
  t.equal(refused.code, 1);
  t.match(refused.stderr, /^bura: note: [^\n]*volatile-lru[^\n]*\nbura: [^\n]*is full[^\n]*\n$/);
});

/** Publishes text that no compression makes smaller than some megabytes. */
async function publishLarge(access: StoreAccess, id: string, killAfterMs = Infinity) {
  const file = join(access.root, `${id}.json.gz`);
  const notes = randomBytes(3_000_000).toString('base64');
  await writeDocument(file, snapshotDocument({ snapshot_id: id, notes }));
  return await runOnStore(access, ['publish', file], {
    onStart: (child) => {
      if (killAfterMs < Infinity) void after(killAfterMs).then(() => child.kill('SIGKILL'));
    },
  });
}

void t.test('a publisher killed at random moments leaves nothing that is half', async (t) => {
  const redis = await startRedis(t);
  const access = await accessOf(t, redis);
  const store = openWritable(t, redis.url, { keyPrefix: 'demo' });
  const chance = chanceOf(t);
  let wholeMs = 0;
  // The second one is compared with the first, which is active, and so are all later ones.
  for (const id of ['first', 'second']) {
    const startedAt = performance.now();
    t.match(await publishLarge(access, id), { code: 0 });
    wholeMs = performance.now() - startedAt;
  }
  let active = 'second';
  let killed = 0;
  for (let round = 0; round < 8; round += 1) {
    const id = `killed-${round}`;
    // The first part of a command's time is its start.
    const { code } = await publishLarge(access, id, wholeMs * (0.3 + 0.7 * chance.number()));
    if (code !== 0) killed += 1;
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
  t.ok(killed > 0);
  for (const { snapshotId } of listed)
    await verifyDocument(await store.openDocument({ snapshotId }), snapshotId);
  const staying: string[] = [];
  for (const key of (await redis.run('KEYS', '*')).split('\n').sort()) {
    if (key.startsWith('{demo}:publishing:')) t.ok(Number(await redis.run('PTTL', key)) > 0, key);
    else staying.push(key);
  }
  const documents = listed.map(({ snapshotId }) => `{demo}:snapshot:${snapshotId}`);
  t.same(staying, ['{demo}:active', '{demo}:snapshots', ...documents].sort());
});
