/** A Redis store behind TLS with a private authority, and the errors of wrong settings. */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { makeAuthority } from '../support/redis/authority.js';
import { startRedis } from '../support/redis/redis-server.js';
import { startSentinels } from '../support/redis/sentinels.js';
import { publishOnStore, runOnStore } from '../support/redis/store-commands.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { activated } from '../../support/service/serve-documents.js';
import { makeRoot, startService } from '../../support/service/service.js';

void t.test('a store is published to and followed with REDIS_CA_FILE', async (t) => {
  const tls = await makeAuthority(t);
  const redis = await startRedis(t, { tls, password: 'a word' });
  const root = await makeRoot(t);
  const env = { SNAPSHOT_STORE: redis.url, REDIS_CA_FILE: tls.authority };
  const access = { root, env };
  t.match(await publishOnStore(access, 'first'), { code: 0, stderr: '' });
  const rarely = { ...env, POINTER_POLL_SECONDS: '600' };
  const service = await startService(t, { root, env: rarely });
  await service.waitForLog('activated');
  const from = service.lines.length;
  t.match(await publishOnStore(access, 'second'), { code: 0 });
  await activated(service, { snapshot_id: 'second' }, from);
});

void t.test('a master and its sentinels are reached with the same authority', async (t) => {
  const tls = await makeAuthority(t);
  const group = await startSentinels(t, { tls });
  const root = await makeRoot(t);
  const env = { SNAPSHOT_STORE: group.url, REDIS_CA_FILE: tls.authority };
  t.match(await publishOnStore({ root, env }, 'first'), { code: 0, stderr: '' });
  t.match(await runOnStore({ root, env }, 'list'), { code: 0, stdout: /^\S*\s*first\b/m });
});

void t.test('what is wrong with a certificate is one line, at once', async (t) => {
  const own = await makeAuthority(t);
  const other = await makeAuthority(t);
  const elsewhere = await makeAuthority(t, { names: 'DNS:redis.example' });
  const redis = await startRedis(t, { tls: own });
  const redisOfElsewhere = await startRedis(t, { tls: elsewhere });
  const missing = join(await makeRoot(t), 'missing.pem');
  const cases: readonly WrongCase[] = [
    { what: 'no authority', url: redis.url, line: /certificate/ },
    { what: 'another authority', url: redis.url, ca: other.authority, line: /certificate/ },
    { what: 'a missing file', url: redis.url, ca: missing, line: /REDIS_CA_FILE.*missing\.pem/ },
    {
      what: 'no certificate in the file',
      url: redis.url,
      ca: own.key,
      line: /certificate|REDIS_CA_FILE/,
    },
    {
      what: 'the certificate of another host',
      url: redisOfElsewhere.url,
      ca: elsewhere.authority,
      line: /127\.0\.0\.1.*redis\.example|redis\.example.*127\.0\.0\.1|altnames/,
    },
  ];
  for (const each of cases) await refuses(t, each);
});

void t.test('a server without TLS is named as such', async (t) => {
  const { port } = await startRedis(t, { password: 'a word' });
  const store = openWritable(t, `rediss://default:a%20word@127.0.0.1:${port}`);
  const message = new RegExp(`127\\.0\\.0\\.1:${port}.*without TLS`);
  await t.rejects(store.readPointer(), { code: 'store_unreachable', message });
});

interface WrongCase {
  readonly what: string;
  readonly url: string;
  readonly ca?: string;
  readonly line: RegExp;
}

/** `bura list` ends with 1 and one line that fits. */
async function refuses(t: Test, { what, url, ca, line }: WrongCase): Promise<void> {
  const env = { SNAPSHOT_STORE: url, ...(ca !== undefined && { REDIS_CA_FILE: ca }) };
  const { code, stdout, stderr } = await runOnStore({ root: await makeRoot(t), env }, 'list');
  t.equal(stdout, '', what);
  t.equal(code, 1, what);
  t.match(stderr, line, what);
  t.match(stderr, /^[^\n]+\n$/, `${what}: one line`);
}
