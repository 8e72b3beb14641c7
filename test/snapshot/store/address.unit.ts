/** Store addresses: their kinds, and that credentials are never shown. */
import { join } from 'node:path';
import t from 'tap';
import {
  addressWithoutCredentials,
  isKeyPrefix,
  parseStoreAddress,
} from '../../../src/snapshot/store/store-address.js';
import { isWritable, openObjects } from '../../../src/snapshot/store/open.js';
import { casesOf } from '../../support/readers/cases.js';

void t.test('a file address is a path or a file URL', async (t) => {
  const root = (address: string) => {
    const parsed = parseStoreAddress(address);
    return parsed?.kind === 'file' ? parsed.root : undefined;
  };
  t.equal(root('file:./var/store'), join(process.cwd(), 'var/store'));
  t.equal(root('file:store'), join(process.cwd(), 'store'));
  t.equal(root('file:/srv/a b%20c'), '/srv/a b%20c');
  t.equal(root('file:///srv/a%20b'), '/srv/a b');
  t.equal(root('file://host/srv'), undefined);
  t.equal(root('file:'), undefined);
});

void t.test('what is no store is refused', async (t) => {
  for (const address of casesOf('refused', 'addresses of stores')) {
    t.equal(parseStoreAddress(address), undefined, address);
  }
});

void t.test('a Redis address is of one server, of sentinels or of a cluster', async (t) => {
  const server = (address: string) => {
    const parsed = parseStoreAddress(address);
    return parsed?.kind === 'redis' ? parsed.server : undefined;
  };
  const plain = { tls: false, username: undefined, password: undefined, database: 0 };
  t.same(server('redis://127.0.0.1'), {
    ...plain,
    topology: 'single',
    nodes: [{ host: '127.0.0.1', port: 6379 }],
    masterName: '',
  });
  t.match(server('rediss://bura:p%40s%3As@[::1]:7000/3'), {
    topology: 'single',
    tls: true,
    username: 'bura',
    password: 'p@s:s',
    database: 3,
    nodes: [{ host: '::1', port: 7000 }],
  });
  t.match(server('redis://:a@b/c@h'), { password: 'a@b/c', nodes: [{ host: 'h', port: 6379 }] });
  const nodesOf = (...ports: readonly number[]) =>
    ports.map((port, at) => ({ host: 'ab'[at], port }));
  t.match(server('redis+sentinel://u:p@a:1,b/main/2'), {
    topology: 'sentinel',
    nodes: nodesOf(1, 26379),
    masterName: 'main',
    database: 2,
  });
  const cluster = { topology: 'cluster', tls: true, nodes: nodesOf(1, 2) };
  t.match(server('rediss+cluster://a:1,b:2/'), cluster);
  const secret = 'redis+sentinel://bura:sec@ret@a:1,b:2/main';
  t.equal(addressWithoutCredentials(secret), 'redis+sentinel://a:1,b:2/main');
  t.equal(
    openObjects({ address: secret, keyPrefix: 'demo' }).address,
    'redis+sentinel://a:1,b:2/main',
  );
});

void t.test('user and password become a header, and are never shown', async (t) => {
  const address = 'http://harvester:p%40ss@127.0.0.1:81/snapshots';
  const shown = 'http://127.0.0.1:81/snapshots';
  const parsed = parseStoreAddress(address);
  if (parsed?.kind !== 'http') throw new Error('expected an http store');
  t.equal(parsed.base.href, `${shown}/`);
  t.equal(parsed.authorization, `Basic ${Buffer.from('harvester:p@ss').toString('base64')}`);
  t.equal(addressWithoutCredentials(address), shown);
  t.equal(openObjects({ address, keyPrefix: 'demo' }).address, shown);
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
