/** Messages to the process that has the lock of a directory, and what becomes of those that nobody understands. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { askInstance } from '../../../../src/snapshot/local/lock/ask-instance.js';
import { lockDirectory } from '../../../../src/snapshot/local/lock/directory-lock.js';
import { makeRoot } from '../../../support/service/service.js';

const ASKED = { kind: 'status' } as const;
const LONG_MS = 30_000;

void t.test('the owner of the lock answers, however long the path is', async (t) => {
  for (const name of ['short', 'long'.repeat(30)]) {
    const directory = join(await makeRoot(t), name);
    t.same(await askInstance(directory, ASKED, LONG_MS), { kind: 'nobody' });
    const lock = await lockDirectory(directory);
    t.same(await askInstance(directory, ASKED, LONG_MS), { kind: 'silent' }, 'too early');
    lock.onMessage(({ kind }) => Promise.resolve({ kind, of: name, text: 'a\nb' }));
    const value = { kind: 'status', of: name, text: 'a\nb' };
    t.same(await askInstance(directory, ASKED, LONG_MS), { kind: 'reply', value });
    lock.onMessage(() => Promise.reject(new Error('not now')));
    t.same(await askInstance(directory, ASKED, LONG_MS), { kind: 'silent' });
    await lock.release();
    t.same(await askInstance(directory, ASKED, LONG_MS), { kind: 'nobody' });
  }
});

void t.test('what is no message is cut off, and the next one is answered', async (t) => {
  const directory = await makeRoot(t);
  const lock = await lockDirectory(directory);
  lock.onMessage(() => Promise.resolve('well'));
  const [name = ''] = (await readdir(directory)).filter((one) => one.startsWith('~lock-'));
  for (const sent of ['{"kind":"other"}\n', 'no JSON\n', '\n', 'x'.repeat(5000)]) {
    const socket = createConnection(join(directory, name)).on('error', () => undefined);
    socket.write(sent);
    t.equal(await text(socket).catch(() => ''), '', sent.slice(0, 20));
  }
  // Whoever says nothing does not keep the lock from being released.
  const mute = createConnection(join(directory, name)).on('error', () => undefined);
  await once(mute, 'connect');
  t.same(await askInstance(directory, ASKED, LONG_MS), { kind: 'reply', value: 'well' });
  await lock.release();
});

void t.test('an older build and one that hangs are silent, within the time limit', async (t) => {
  const directory = await makeRoot(t);
  const sockets: { destroy(): void }[] = [];
  const older = createServer((socket) => socket.destroy()).listen(join(directory, '~lock'));
  await once(older, 'listening');
  t.same(await askInstance(directory, ASKED, LONG_MS), { kind: 'silent' });
  older.close();
  const hung = createServer((socket) => sockets.push(socket)).listen(
    join(directory, '~lock-01234567'),
  );
  await once(hung, 'listening');
  t.same(await askInstance(directory, ASKED, 50), { kind: 'silent' });
  for (const socket of sockets) socket.destroy();
  hung.close();
});
