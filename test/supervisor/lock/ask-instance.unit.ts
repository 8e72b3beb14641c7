/** Questions to the process with the lock of a directory, and the results without an answer. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { askInstance } from '../../../src/supervisor/lock/ask-instance.js';
import { DirectoryLock } from '../../../src/supervisor/lock/directory-lock.js';
import { makeRoot } from '../../support/service/service.js';

const LONG_MS = 30_000;

void t.test('the owner of the lock answers, however long the path is', async (t) => {
  for (const name of ['short', 'long'.repeat(30)]) {
    const directory = join(await makeRoot(t), name);
    t.same(await askInstance(directory, '/x', LONG_MS), { kind: 'nobody' });
    const lock = await DirectoryLock.take(directory);
    t.same(await askInstance(directory, '/x', LONG_MS), { kind: 'starting' });
    lock.serve(({ url }, response) => response.end(`${name} ${url ?? ''}`));
    const reply = { kind: 'reply', body: `${name} /x` };
    t.same(await askInstance(directory, '/x', LONG_MS), reply);
    lock.serve((_request, response) => response.writeHead(404).end());
    t.same(await askInstance(directory, '/x', LONG_MS), { kind: 'silent' }, 'nothing of use');
    lock.release();
    t.same(await askInstance(directory, '/x', LONG_MS), { kind: 'nobody' });
  }
});

void t.test('one that hangs is silent, within the time limit', async (t) => {
  const directory = await makeRoot(t);
  const sockets: { destroy(): void }[] = [];
  const hung = createServer((socket) => sockets.push(socket));
  hung.listen(join(directory, '~admin.sock'));
  await once(hung, 'listening');
  t.same(await askInstance(directory, '/x', 50), { kind: 'silent' });
  for (const socket of sockets) socket.destroy();
  hung.close();
});

void t.test('one that was cut off, as in a crowd, asks again', async (t) => {
  const directory = await makeRoot(t);
  let connections = 0;
  const server = createHttpServer((_request, response) => response.end('at last'));
  server.on('connection', (socket) => {
    connections += 1;
    if (connections <= 3) socket.destroy();
  });
  server.listen(join(directory, '~admin.sock'));
  await once(server, 'listening');
  t.teardown(() => server.close());
  t.same(await askInstance(directory, '/x', LONG_MS), { kind: 'reply', body: 'at last' });
  t.equal(connections, 4);
});
