/** TLS with a private authority, and users with the rights in docs/operations/stores.md: enough, and nothing else. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { makeAuthority, startRedis } from '../support/redis/redis-server.js';
import { publishOnStore, runOnStore, type StoreAccess } from '../support/redis/store-commands.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { makeRoot, startService } from '../../support/service/service.js';
import { activated } from '../../support/service/serve-documents.js';

void t.test('what is wrong with a certificate is one line, at once', async (t) => {
  const root = await makeRoot(t);
  const own = await makeAuthority(t);
  const other = await makeAuthority(t);
  const elsewhere = await makeAuthority(t, 'DNS:redis.example');
  const redis = await startRedis(t, { tls: own });
  const redisOfElsewhere = await startRedis(t, { tls: elsewhere });
  const right = { SNAPSHOT_STORE: redis.url, REDIS_CA_FILE: own.authority };
  t.match(await publishOnStore({ root, env: right }, 'first'), { code: 0, stderr: '' });
  const missing = join(root, 'missing.pem');
  const isOther = /127\.0\.0\.1.*redis\.example|redis\.example.*127\.0\.0\.1|altnames/;
  for (const [what, url, authority, line] of [
    ['no authority', redis.url, '', /certificate/],
    ['another authority', redis.url, other.authority, /certificate/],
    ['a missing file', redis.url, missing, /REDIS_CA_FILE.*missing\.pem/],
    ['no certificate in the file', redis.url, own.key, /certificate|REDIS_CA_FILE/],
    ['the certificate of another host', redisOfElsewhere.url, elsewhere.authority, isOther],
  ] as const) {
    const env = { SNAPSHOT_STORE: url, ...(authority !== '' && { REDIS_CA_FILE: authority }) };
    const { code, stdout, stderr } = await runOnStore({ root, env }, ['list']);
    t.same([code, stdout], [1, ''], what);
    t.match(stderr, line, what);
    t.match(stderr, /^[^\n]+\n$/, `${what}: one line`);
  }
});

void t.test('a server without TLS is named as such', async (t) => {
  const { port } = await startRedis(t, { password: 'a word' });
  const store = openWritable(t, `rediss://default:a%20word@127.0.0.1:${port}`);
  const message = new RegExp(`127\\.0\\.0\\.1:${port}.*without TLS`);
  await t.rejects(store.readPointer(), { code: 'store_unreachable', message });
});

/** The documented commands that make users. */
const LINE = /^ACL SETUSER (?<name>\S+) (?<rules>on >(?<password>\S+) .+)$/gm;
const page = await readFile('docs/operations/stores.md', 'utf8');
const documented = [...page.matchAll(LINE)].map(({ groups = {} }) => groups);
const redis = await startRedis(t, {
  // The administrator, as whom the test looks.
  password: 'administrator',
  users: documented.map(({ name = '', rules = '' }) => `${name} ${rules}`),
});
const root = await makeRoot(t);

function accessOf(wanted: RegExp): StoreAccess {
  const { name = '', password = '' } =
    documented.find((one) => wanted.test(one['name'] ?? '')) ?? {};
  if (name === '') throw new Error(`no documented user is like ${String(wanted)}`);
  const address = `redis://${name}:${password}@127.0.0.1:${redis.port}`;
  return { root, env: { SNAPSHOT_STORE: address } };
}

const publisher = accessOf(/publish/);
const instance = accessOf(/instance|serve|read/);
const done = { code: 0, stderr: '' };

await t.test('an instance can change nothing, and is told so in one line', async (t) => {
  for (const id of ['first', 'second']) t.match(await publishOnStore(publisher, id), done);
  const contents = async (): Promise<readonly string[]> => {
    const keys = (await redis.run('KEYS', '*')).split('\n').sort();
    return await Promise.all(keys.map(async (key) => `${key} ${await redis.run('DUMP', key)}`));
  };
  const before = await contents();
  const commands = ['activate first', 'remove first', 'archive first', 'prune --keep 1'];
  const attempts = commands.map((line) => runOnStore(instance, line.split(' ')));
  attempts.push(publishOnStore(instance, 'third'));
  for (const { code, stderr } of await Promise.all(attempts)) {
    t.equal(code, 1);
    t.match(stderr, /^[^\n]*permission[^\n]*\n$/, 'one line');
  }
  t.same(await contents(), before);
});

await t.test('publisher and instance need no more than the documented rights', async (t) => {
  await redis.run('ACL', 'LOG', 'RESET');
  t.match(await publishOnStore(publisher, 'first'), done);
  const env = { ...instance.env, POINTER_POLL_SECONDS: '600' };
  const service = await startService(t, { root, env });
  await service.waitForLog('activated');
  const from = service.lines.length;
  t.match(await publishOnStore(publisher, 'second'), done);
  await activated(service, { snapshot_id: 'second' }, from);
  t.match(await runOnStore(publisher, ['activate', 'first']), done);
  await activated(service, { snapshot_id: 'first' }, from);
  for (const access of [publisher, instance]) {
    t.match(await runOnStore(access, ['list']), { ...done, stdout: /second/ });
    t.match(await runOnStore(access, ['verify', 'second']), done);
  }
  t.match(await runOnStore(publisher, ['archive', 'first', 'second']), done);
  t.match(await runOnStore(instance, ['verify', '--archive']), done);
  t.match(await runOnStore(publisher, ['remove', 'second']), done);
  t.match(await runOnStore(publisher, ['prune', '--keep', '1']), done);
  t.match(await publishOnStore(publisher, 'second'), { code: 1, stderr: /second was removed/ });
  t.equal(await redis.run('ACL', 'LOG'), '', 'nothing was tried that is not allowed');
});

await t.test('neither can touch what is not of their store', async (t) => {
  for (const { env } of [publisher, instance]) {
    const { username, password } = new URL(env['SNAPSHOT_STORE'] ?? '');
    const login = ['--user', username, '--pass', password, '--no-auth-warning'];
    const others = ['GET elsewhere', 'SET elsewhere x', 'SUBSCRIBE elsewhere'];
    const strange = ['PUBLISH elsewhere x', 'CONFIG GET *', 'FLUSHALL', 'ACL LIST'];
    const script = ['EVAL', "return redis.call('SET', 'elsewhere', 'x')", '0'];
    const words = [...others, ...strange].map((one) => one.split(' '));
    for (const command of [script, ...words]) {
      await t.rejects(redis.run(...login, ...command), `${username}: ${command.join(' ')}`);
    }
  }
});
