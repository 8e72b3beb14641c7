/** Servers that answer without an end, or announce more than there is room for: the connection ends, and little is taken. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { openObjects } from '../../../../src/snapshot/store/open.js';
import { POINTER_NAME } from '../../../../src/snapshot/store/pointer.js';
import { ReplyLimit } from '../../../../src/snapshot/store/redis/reply-limit.js';

const MIB = 1024 * 1024;

/** Bytes that are sent first, and bytes that are sent again and again after them. */
const HOSTILE = JSON.parse(
  await readFile('test/fixtures/cases/endless-replies.json', 'utf8'),
) as Readonly<Record<string, readonly [first: string, again: string]>>;

async function hostileServer(t: Test, [first, again]: readonly [string, string]) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const chunk = Buffer.from(again.repeat(65_536 / again.length));
    const send = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.once('data', () => {
      socket.write(first);
      socket.on('drain', send);
      send();
    });
  }).listen(0, '127.0.0.1');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

void t.test('an answer that is more than asked for is a store that is away', async (t) => {
  for (const [kind, sent] of Object.entries(HOSTILE)) {
    const port = await hostileServer(t, sent);
    const address = `redis://:secret@127.0.0.1:${port}`;
    const store = openObjects({ address, keyPrefix: 'sepa' });
    const before = process.memoryUsage().rss;
    let highest = before;
    const watching = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss);
    }, 5);
    const failed = t.rejects(store.read(POINTER_NAME), { code: 'store_unreachable' }, kind);
    await failed.finally(() => {
      clearInterval(watching);
      store.close();
    });
    t.ok(highest - before < 100 * MIB, `${kind}: ${Math.round((highest - before) / MIB)} MiB`);
  }
});

void t.test('what is announced is refused before it comes', (t) => {
  for (const text of ['$8388609\r\n', '*8388609\r\n', '*2\r\n$8388600\r\n', '*9\r\n*8388600\r\n']) {
    t.throws(() => {
      new ReplyLimit().check(Buffer.from(text));
    }, /its answer has more than 8388608 bytes/);
  }
  t.end();
});

void t.test('any answers of the protocol pass, however they are cut', (t) => {
  const scalar = fc.oneof(
    fc.constantFrom('+OK\r\n', '-ERR no\r\n', '$-1\r\n', '*-1\r\n', '*0\r\n', '$0\r\n\r\n'),
    fc.integer().map((number) => `:${number}\r\n`),
    fc
      .string({ unit: fc.constantFrom('a', '\r', '\n', '$', '*', '+'), maxLength: 40 })
      .map((text) => `$${text.length}\r\n${text}\r\n`),
  );
  const arrayOf = (item: fc.Arbitrary<string>) =>
    fc.array(item, { maxLength: 5 }).map((items) => `*${items.length}\r\n${items.join('')}`);
  const reply = fc.oneof(scalar, arrayOf(fc.oneof(scalar, arrayOf(scalar))));
  fc.assert(
    fc.property(fc.array(reply), fc.array(fc.integer({ min: 1, max: 9 })), (replies, cuts) => {
      const limit = new ReplyLimit();
      let rest = Buffer.from(replies.join(''));
      for (const cut of cuts) {
        limit.check(rest.subarray(0, cut));
        rest = rest.subarray(cut);
      }
      limit.check(rest);
      // The next one has all the room again.
      limit.check(Buffer.from('$8388000\r\n'));
    }),
  );
  t.end();
});
