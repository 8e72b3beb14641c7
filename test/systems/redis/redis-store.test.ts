/** The Redis store: its keys, what it does without its server, what it looks at before it writes. The servers are real ones. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { decodePointer } from '../../../src/snapshot/store/pointer.js';
import type { WritableSnapshotStore } from '../../../src/snapshot/store/store.js';
import { codeOf, newSnapshot, snapshotOf } from '../../support/stores/new-snapshot.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { startRedis, type RedisServer } from '../support/redis/redis-server.js';
import { eventually } from '../../support/service/service.js';

const MIB = 1024 * 1024;

/** Much, of which no part is like another. */
const large = (snapshotId: string) => snapshotOf(snapshotId, randomBytes(3 * MIB));

async function keysOf(redis: RedisServer): Promise<readonly string[]> {
  return (await redis.run('KEYS', '*')).split('\n').filter(Boolean).sort();
}

/** Resolves when the store calls back, after what `act` does. */
async function told(store: WritableSnapshotStore, act: () => Promise<unknown>): Promise<void> {
  let calls = 0;
  const watching = store.watch(() => {
    calls += 1;
  });
  try {
    await eventually('it listens', () => Promise.resolve(calls > 0));
    const before = calls;
    await act();
    await eventually('it is told', () => Promise.resolve(calls > before));
  } finally {
    watching.close();
  }
}

void t.test('keeps documents in parts, an index, the pointer, and nothing else', async (t) => {
  const redis = await startRedis(t, { isPersistent: false });
  const store = openWritable(t, redis.url);
  const snapshot = large('a');
  await store.put(snapshot);
  await store.activate('a');
  const keys = await keysOf(redis);
  const parts = keys.filter((key) => key.startsWith('{sepa}:snapshot:a:'));
  t.ok(parts.length > 3);
  t.same(
    keys.filter((key) => !parts.includes(key)),
    ['{sepa}:active', '{sepa}:snapshots'],
  );
  for (const part of parts) t.ok(Number(await redis.run('STRLEN', part)) <= MIB, part);
  const { sizeBytes, sha256 } = snapshot;
  const entry: unknown = JSON.parse(await redis.run('HGET', '{sepa}:snapshots', 'a'));
  t.match(entry, { size_bytes: sizeBytes, sha256, parts: parts.length, stored_at: /Z$/ });
  const pointer = decodePointer(Buffer.from(await redis.run('GET', '{sepa}:active')));
  t.match(pointer, { snapshotId: 'a', sizeBytes, sha256 });
  t.strictSame(await buffer(await store.openDocument(pointer)), await buffer(snapshot.open()));

  // Another database is another store.
  const other = openWritable(t, `${redis.url}/1`);
  t.strictSame(await other.readPointer(), { kind: 'absent' });
});

void t.test('a document that was cut or damaged in the store is not activated', async (t) => {
  const redis = await startRedis(t, { isPersistent: false });
  await openWritable(t, redis.url).put(newSnapshot('a'));
  const part = '{sepa}:snapshot:a:0';
  const open = () => openWritable(t, redis.url);
  await redis.run('SETRANGE', part, '30', 'damage');
  t.equal(await codeOf(open().activate('a')), 'document_corrupt');
  await redis.run('DEL', part);
  t.equal(await codeOf(open().activate('a')), 'snapshot_missing');
  t.strictSame(await open().readPointer(), { kind: 'absent' });
  await redis.run('HSET', '{sepa}:snapshots', 'b', 'no entry');
  t.same(
    (await open().list()).map(({ snapshotId }) => snapshotId),
    ['a'],
  );
  t.equal(await codeOf(open().activate('b')), 'snapshot_missing');
});

void t.test('a second publisher waits for the first one, and is told that it does', async (t) => {
  const redis = await startRedis(t, { isPersistent: false });
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const snapshot = large('a');
  const bytes = await buffer(snapshot.open());
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slowly = async function* (): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, MIB);
    await held;
    yield bytes.subarray(MIB);
  };
  const first = openWritable(t, redis.url).put({
    ...snapshot,
    open: () => Readable.from(slowly()),
  });
  const guard = '{sepa}:publishing:a';
  await eventually('it publishes', async () => (await redis.run('EXISTS', guard)) === '1');
  const second = openWritable(t, redis.url, { onNote }).put(snapshot);
  await eventually('it is told', () => Promise.resolve(notes.length > 0));
  t.match(notes, [/127\.0\.0\.1.*another publisher is storing a/]);
  t.ok(Number(await redis.run('PTTL', guard)) <= 60_000);

  // What a publisher has written so far is no orphan, and is not there yet.
  const keeper = openWritable(t, redis.url);
  t.equal(await keeper.removeOrphans(), 0);
  t.strictSame(await keeper.list(), []);
  goOn();
  t.same(await Promise.all([first, second]), [true, false]);
});

void t.test('a publisher that was held up for too long does not write among others', async (t) => {
  const redis = await startRedis(t, { isPersistent: false });
  const snapshot = large('a');
  const bytes = await buffer(snapshot.open());
  const overtaken = async function* (): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, MIB);
    // As after a minute without a sign of life.
    await redis.run('SET', '{sepa}:publishing:a', 'somebody else');
    yield bytes.subarray(MIB);
  };
  const late = { ...snapshot, open: () => Readable.from(overtaken()) };
  const store = openWritable(t, redis.url);
  t.equal(await codeOf(store.put(late)), 'snapshot_conflict');
  t.strictSame(await store.list(), []);
  t.equal(await redis.run('GET', '{sepa}:publishing:a'), 'somebody else');
});

void t.test('removes what killed publishers have left, and nothing else', async (t) => {
  const redis = await startRedis(t, { isPersistent: false });
  const store = openWritable(t, redis.url);
  await store.put(large('a'));
  const before = await keysOf(redis);
  for (const part of ['0', '1']) await redis.run('SET', `{sepa}:snapshot:dead:${part}`, 'half');
  await redis.run('SET', '{sepa}:snapshot:a:99', 'of an earlier attempt');
  await redis.run('SET', '{sepa}:snapshot:alive:0', 'half');
  await redis.run('SET', '{sepa}:publishing:alive', 'somebody', 'PX', '60000');
  await redis.run('SET', '{other}:snapshot:dead:0', 'not ours');
  await redis.run('SET', '{sepa}:snapshot:strange', 'not ours');
  t.equal(await store.removeOrphans(), 2);
  const kept = ['alive:0', 'strange'].map((name) => `{sepa}:snapshot:${name}`);
  const others = ['{other}:snapshot:dead:0', '{sepa}:publishing:alive', ...kept];
  t.same(await keysOf(redis), [...before, ...others].sort());
  await redis.run('DEL', '{sepa}:publishing:alive');
  t.equal(await store.removeOrphans(), 1);
  t.equal(await store.removeOrphans(), 0);
});

void t.test('memory that would not do is told before anything is written', async (t) => {
  const full = await startRedis(t, { isPersistent: false, maxmemory: '3mb' });
  const refused = openWritable(t, full.url).put(large('a'));
  await t.rejects(refused, { code: 'store_full', message: /bytes of memory free.*needs/ });
  t.same(await keysOf(full), []);

  // Memory that has gone meanwhile.
  const snapshot = large('b');
  const bytes = await buffer(snapshot.open());
  const shrinking = async function* (): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, MIB);
    await full.run('CONFIG', 'SET', 'maxmemory', '1mb');
    yield bytes.subarray(MIB);
  };
  await full.run('CONFIG', 'SET', 'maxmemory', '100mb');
  const cut = { ...snapshot, open: () => Readable.from(shrinking()) };
  t.equal(await codeOf(openWritable(t, full.url).put(cut)), 'store_full');
  t.same(await keysOf(full), [], 'nothing is left behind');
});

void t.test('a policy that evicts parts is warned of, at start and at publish', async (t) => {
  const redis = await startRedis(t, { isPersistent: false, maxmemoryPolicy: 'allkeys-lru' });
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const publisher = openWritable(t, redis.url, { onNote });
  await publisher.put(newSnapshot('a'));
  const warning = /127\.0\.0\.1.*maxmemory-policy is allkeys-lru/;
  t.match(notes, [warning]);
  notes.length = 0;
  const reader = openWritable(t, redis.url, { onNote });
  await told(reader, () => publisher.activate('a'));
  await eventually('it is told', () => Promise.resolve(notes.length > 0));
  t.match(notes, [warning]);
});

void t.test('users with the documented permissions can publish and serve', async (t) => {
  const page = await readFile('docs/operations.md', 'utf8');
  const users = [...page.matchAll(/^ACL SETUSER (\S+ .*)$/gm)].map(([, user = '']) => user);
  t.equal(users.length, 2);
  const redis = await startRedis(t, {
    isPersistent: false,
    users: users.map((user) => user.replaceAll('demo', 'sepa')),
  });
  const [publisher, reader] = users.map((user) => {
    const [name = '', ...rules] = user.split(' ');
    const password = rules.find((rule) => rule.startsWith('>'))?.slice(1) ?? '';
    return openWritable(t, `redis://${name}:${password}@127.0.0.1:${redis.port}/0`, {
      onNote: (note) => t.fail(note),
    });
  });
  if (publisher === undefined || reader === undefined) throw new Error('no users');
  await publisher.put(large('a'));
  const pointer = await publisher.activate('a');
  await publisher.put(newSnapshot('b'));
  await publisher.remove('b');
  await publisher.removeOrphans();
  t.equal((await publisher.list()).length, 1);
  await told(reader, () => publisher.activate('a'));
  await buffer(await reader.openDocument(pointer));
  t.equal(await codeOf(reader.remove('a')), 'snapshot_active');
  t.equal(await codeOf(reader.put(newSnapshot('c'))), 'store_unreachable');
});

void t.test(
  'a user who may not ask for memory, nor listen, still publishes and serves',
  async (t) => {
    const rules = 'on >b ~* &* +@all -info -subscribe';
    const redis = await startRedis(t, { isPersistent: false, users: [`few ${rules}`] });
    const notes: string[] = [];
    const onNote = (note: string): void => void notes.push(note);
    const store = openWritable(t, `redis://few:b@127.0.0.1:${redis.port}`, { onNote });
    await store.put(newSnapshot('a'));
    await store.activate('a');
    t.match(notes, [/INFO/]);
    const watching = store.watch(() => undefined);
    await eventually('it is told', () => Promise.resolve(notes.length > 1));
    t.match(notes[1], /only polled.*NOPERM/);
    watching.close();
  },
);

void t.test('a wrong password is told at once, and never shown', async (t) => {
  const redis = await startRedis(t, { isPersistent: false, password: 'right' });
  const address = `redis://:wr%20ong@127.0.0.1:${redis.port}/0`;
  const store = openWritable(t, address, { patienceMs: 60_000 });
  await t.rejects(store.readPointer(), { code: 'store_unreachable', message: /WRONGPASS/ });
  const nobody = openWritable(t, `redis://127.0.0.1:${redis.port}`, { patienceMs: 60_000 });
  await t.rejects(nobody.readPointer(), { code: 'store_unreachable', message: /NOAUTH/ });
  t.notMatch(store.address, /wr/);
  const right = openWritable(t, redis.url);
  t.same(await right.readPointer(), { kind: 'absent' });
});

void t.test('a server that is away fails at once, or is waited for', async (t) => {
  const redis = await startRedis(t);
  const hasty = openWritable(t, redis.url);
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const patient = openWritable(t, redis.url, { patienceMs: 60_000, onNote });
  await hasty.put(newSnapshot('a'));
  await patient.readPointer();
  await redis.kill();
  t.equal(await codeOf(hasty.readPointer()), 'store_unreachable');
  const activated = patient.activate('a');
  await eventually('it says that it waits', () => Promise.resolve(notes.length > 0));
  t.match(notes, [/127\.0\.0\.1.*ECONNREFUSED.*again/]);
  await redis.start();
  t.match(await activated, { snapshotId: 'a' });
  await eventually('it is back', async () => (await codeOf(hasty.readPointer())) === 'done');

  // A connection that was closed while nobody used it is no outage.
  await redis.run('CLIENT', 'KILL', 'TYPE', 'normal');
  t.equal(await codeOf(hasty.readPointer()), 'done');
});

void t.test('a server that hangs is away, and is told by the watch', async (t) => {
  const redis = await startRedis(t, { isPersistent: false });
  const store = openWritable(t, redis.url);
  await store.put(newSnapshot('a'));
  await store.activate('a');
  await told(store, () => {
    redis.signal('SIGSTOP');
    return Promise.resolve();
  });
  await t.rejects(store.readPointer(), { code: 'store_unreachable', message: /no answer/ });
  redis.signal('SIGCONT');
  await eventually('it is back', async () => (await codeOf(store.readPointer())) === 'done');
});
