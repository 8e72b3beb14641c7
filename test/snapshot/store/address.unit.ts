/** Store addresses: their kinds, and that credentials are never shown. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  addressWithoutCredentials,
  isKeyPrefix,
  parseStoreAddress,
} from '../../../src/snapshot/store/store-address.js';
import { isWritable, openObjects } from '../../../src/snapshot/store/open.js';
import { casesOf } from '../../support/readers/cases.js';

const CASES = JSON.parse(
  await readFile('test/fixtures/cases/store-addresses.json', 'utf8'),
) as Readonly<Record<string, object>>;

void t.test('an address is of a file, a Redis server, sentinels or a cluster', async (t) => {
  for (const [address, expected] of Object.entries(CASES)) {
    // Without the members that are undefined.
    const parsed: unknown = JSON.parse(JSON.stringify(parseStoreAddress(address)));
    t.strictSame(parsed, expected, address);
  }
  for (const address of ['file:./store', 'file:store']) {
    t.strictSame(parseStoreAddress(address), { kind: 'file', root: join(process.cwd(), 'store') });
  }
});

void t.test('what is no store is refused', async (t) => {
  const others = casesOf('refused', 'addresses of stores');
  for (const address of ['file://host/srv', 'file:', ...others]) {
    t.equal(parseStoreAddress(address), undefined, address);
  }
});

void t.test('user and password become a header, and are never shown', async (t) => {
  const address = 'http://harvester:p%40ss@127.0.0.1:81/snapshots';
  const parsed = parseStoreAddress(address);
  if (parsed?.kind !== 'http') throw new Error('expected an http store');
  t.equal(parsed.base.href, 'http://127.0.0.1:81/snapshots/');
  t.equal(parsed.authorization, `Basic ${Buffer.from('harvester:p@ss').toString('base64')}`);
  for (const [secret, shown] of [
    [address, 'http://127.0.0.1:81/snapshots'],
    ['redis+sentinel://bura:sec@ret@a:1,b:2/main', 'redis+sentinel://a:1,b:2/main'],
  ] as const) {
    t.equal(addressWithoutCredentials(secret), shown);
    t.equal(openObjects({ address: secret, keyPrefix: 'demo' }).address, shown);
  }
  for (const redis of ['redis://:secret@127.0.0.1/0', 'redis//:secret@nonsense'])
    t.notMatch(addressWithoutCredentials(redis), /secret/);
});

void t.test('file and Redis stores can be written, web stores cannot', async (t) => {
  const open = (address: string) => openObjects({ address, keyPrefix: 'demo' });
  t.equal(isWritable(open('file:x')), true);
  t.equal(isWritable(open('http://127.0.0.1/')), false);
  t.equal(isWritable(open('redis://127.0.0.1:6379/0')), true);
  for (const address of ['nonsense', 'redis://:secret@127.0.0.1:6379/zero'])
    t.throws(() => open(address), { code: 'store_unsupported', message: /^(?!.*secret)/s });
});

void t.test('a namespace never leads elsewhere', async (t) => {
  for (const text of ['demo', 'a', '..a', 'sepa-2026_x.y', 'A'.repeat(64)]) t.ok(isKeyPrefix(text));
  for (const text of ['', '.', '..', 'a/b', 'a b', 'ž', 'a\n', 'a\0', 'A'.repeat(65)]) {
    t.notOk(isKeyPrefix(text), JSON.stringify(text));
  }
});
