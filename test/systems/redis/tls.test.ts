/** A Redis store behind TLS with a private authority, and the errors of wrong settings. */
import { join } from 'node:path';
import t from 'tap';
import { makeAuthority } from '../support/redis/authority.js';
import { startRedis } from '../support/redis/redis-server.js';
import { publishOnStore, runOnStore } from '../support/redis/store-commands.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { makeRoot } from '../../support/service/service.js';

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
  const cases: Readonly<Record<string, readonly [url: string, authority: string, line: RegExp]>> = {
    'no authority': [redis.url, '', /certificate/],
    'another authority': [redis.url, other.authority, /certificate/],
    'a missing file': [redis.url, missing, /REDIS_CA_FILE.*missing\.pem/],
    'no certificate in the file': [redis.url, own.key, /certificate|REDIS_CA_FILE/],
    'the certificate of another host': [
      redisOfElsewhere.url,
      elsewhere.authority,
      /127\.0\.0\.1.*redis\.example|redis\.example.*127\.0\.0\.1|altnames/,
    ],
  };
  for (const [what, [url, authority, line]] of Object.entries(cases)) {
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
