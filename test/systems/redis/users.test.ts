/**
 * Users of a Redis server with the rights in docs/operations/stores.md: enough for their purpose, and for nothing else.
 */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { startRedis } from '../support/redis/redis-server.js';
import { publishOnStore, runOnStore, type StoreAccess } from '../support/redis/store-commands.js';
import { activated } from '../../support/service/serve-documents.js';
import { makeRoot, startService } from '../../support/service/service.js';

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
  const attempts = [
    ['activate', 'first'],
    ['remove', 'first'],
    ['archive', 'first'],
    ['prune', '--keep', '1'],
  ].map((words) => runOnStore(instance, words));
  for (const { code, stderr } of await Promise.all([
    publishOnStore(instance, 'third'),
    ...attempts,
  ])) {
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
    for (const words of [
      ['GET', 'elsewhere'],
      ['SET', 'elsewhere', 'x'],
      ['PUBLISH', 'elsewhere', 'x'],
      ['SUBSCRIBE', 'elsewhere'],
      ['EVAL', "return redis.call('SET', 'elsewhere', 'x')", '0'],
      ['CONFIG', 'GET', '*'],
      ['FLUSHALL'],
      ['ACL', 'LIST'],
    ]) {
      await t.rejects(redis.run(...login, ...words), `${username}: ${words.join(' ')}`);
    }
  }
});
