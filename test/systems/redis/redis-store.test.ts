/** The Redis store on real servers: keys, behaviour without the server, checks before a write. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { codeOf, newSnapshot } from '../../support/stores/new-snapshot.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { startRedis, type RedisServer } from '../support/redis/redis-server.js';
import { eventually } from '../../support/service/service.js';

const MIB = 1024 * 1024;

/** A snapshot of three megabytes, compressed: after the first one, something happens once it is being written. */
async function interrupted(
  redis: RedisServer,
  id: string,
  during: (key: string, of: ReturnType<typeof newSnapshot>) => Promise<void>,
) {
  const snapshot = newSnapshot(id, randomBytes(3 * MIB).toString('base64'));
  const bytes = await buffer(snapshot.open());
  const parts = async function* (): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, MIB);
    let key: string | undefined;
    await eventually('it writes', async () => {
      key = (await keysOf(redis)).find((one) => one.startsWith(`{sepa}:publishing:${id}:`));
      return key !== undefined;
    });
    await during(key ?? '', snapshot);
    yield bytes.subarray(MIB);
  };
  return { snapshot, bytes, cut: { ...snapshot, open: () => Readable.from(parts()) } };
}

async function keysOf(redis: RedisServer): Promise<readonly string[]> {
  return (await redis.run('KEYS', '*')).split('\n').filter(Boolean).sort();
}

void t.test('a document that was cut or damaged in the store is not activated', async (t) => {
  const redis = await startRedis(t);
  await openWritable(t, redis.url).store(newSnapshot('a'));
  await openWritable(t, `${redis.url}/1`).store(newSnapshot('of another database'));
  const document = '{sepa}:snapshot:a';
  const open = () => openWritable(t, redis.url);
  await redis.run('SETRANGE', document, '30', 'damage');
  t.equal(await codeOf(open().activate('a')), 'document_invalid');
  await redis.run('DEL', document);
  t.equal(await codeOf(open().activate('a')), 'snapshot_missing');
  t.strictSame(await open().readPointer(), { kind: 'absent' });
  await redis.run('HSET', '{sepa}:snapshots', 'b', 'no entry');
  const listed = await open().list();
  t.equal(listed.map(({ snapshotId }) => snapshotId).join(), 'a');
  t.equal(await codeOf(open().activate('b')), 'snapshot_missing');
});

void t.test('of two publishers of one snapshot the later one finds it stored', async (t) => {
  const redis = await startRedis(t);
  const store = openWritable(t, redis.url);
  const { cut } = await interrupted(redis, 'a', async (key, snapshot) => {
    const livesMs = Number(await redis.run('PTTL', key));
    t.ok(livesMs > 0 && livesMs <= 600_000, 'whatever becomes of its publisher, it does not stay');
    t.strictSame(await store.list(), [], 'what is being written is not there yet');
    t.ok((await openWritable(t, redis.url).store(snapshot)).isNew);
  });
  t.notOk((await store.store(cut)).isNew);
  t.same(await keysOf(redis), ['{sepa}:snapshot:a', '{sepa}:snapshots']);
  t.equal(await redis.run('PTTL', '{sepa}:snapshot:a'), '-1', 'what is stored stays');
});

void t.test('a document of which some was lost while it was written is written anew', async (t) => {
  const redis = await startRedis(t);
  const store = openWritable(t, redis.url);
  let losses = 0;
  let most = 2;
  const { bytes, cut } = await interrupted(redis, 'a', async () => {
    // As a failover to a replica that was behind does.
    if (losses < most) await redis.run('FLUSHALL');
    losses += 1;
  });
  t.ok((await store.store(cut)).isNew);
  t.strictSame(await buffer(await store.openDocument({ snapshotId: 'a' })), bytes);
  await redis.run('FLUSHALL');
  [losses, most] = [0, 3];
  const lost = store.store(cut);
  await t.rejects(lost, { code: 'store_unreachable', message: /a was lost 3 times/ });
  t.same(await keysOf(redis), []);
});

void t.test('a document that is larger than a store takes is refused', async (t) => {
  const redis = await startRedis(t);
  const tooLarge = { ...newSnapshot('a'), sizeBytes: 256 * MIB + 1 };
  const refused = openWritable(t, redis.url).store(tooLarge);
  const message = /268435457 bytes.*268435456 at the most/;
  await t.rejects(refused, { code: 'store_full', message });
  t.same(await keysOf(redis), []);
});

void t.test('memory that would not do is told before anything is written', async (t) => {
  const full = await startRedis(t, { config: ['maxmemory 3mb'] });
  const { snapshot, cut } = await interrupted(full, 'b', async () => {
    await full.run('CONFIG', 'SET', 'maxmemory', '1mb');
  });
  const refused = openWritable(t, full.url).store(snapshot);
  await t.rejects(refused, { code: 'store_full', message: /bytes of memory free.*needs/ });
  t.same(await keysOf(full), []);
  await full.run('CONFIG', 'SET', 'maxmemory', '100mb');
  t.equal(await codeOf(openWritable(t, full.url).store(cut)), 'store_full');
  t.same(await keysOf(full), [], 'nothing is left behind');
});

void t.test('who may not ask for memory, nor listen, publishes and serves', async (t) => {
  const rules = 'on >b ~* &* +@all -info -subscribe';
  const redis = await startRedis(t, { users: [`few ${rules}`] });
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const store = openWritable(t, `redis://few:b@127.0.0.1:${redis.port}`, { onNote });
  await store.store(newSnapshot('a'));
  await store.activate('a');
  t.match(notes, [/INFO/]);
  const watching = store.watch(() => undefined);
  await eventually('it is told', () => Promise.resolve(notes.length > 1));
  t.match(notes[1], /only polled.*NOPERM/);
  watching?.close();
});

void t.test('a server that is away fails at once, or is waited for', async (t) => {
  const redis = await startRedis(t);
  const hasty = openWritable(t, redis.url);
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const patient = openWritable(t, redis.url, { retryForMs: 60_000, onNote });
  await hasty.store(newSnapshot('a'));
  await patient.readPointer();
  await redis.kill();
  t.equal(await codeOf(hasty.readPointer()), 'store_unreachable');
  const activated = patient.activate('a');
  await eventually('it says that it waits', () => Promise.resolve(notes.length > 0));
  t.match(notes, [/127\.0\.0\.1.*ECONNREFUSED.*again/]);
  await redis.start();
  t.match(await activated, { snapshotId: 'a' });
  await eventually('it is back', async () => (await codeOf(hasty.readPointer())) === 'done');
  // The close of an idle connection is no outage.
  await redis.run('CLIENT', 'KILL', 'TYPE', 'normal');
  t.equal(await codeOf(hasty.readPointer()), 'done');
});
