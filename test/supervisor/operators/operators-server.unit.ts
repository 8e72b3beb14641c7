/** The server for operators, and the connections that it closes when it is full. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { OperatorsServer } from '../../../src/supervisor/operators/operators-server.js';
import { eventually } from '../../support/service/service.js';

const LIMIT = 16;

const REQUEST = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server whose answers to `/held` wait; all others are at once. */
async function startDoor(t: Test) {
  const held: ServerResponse[] = [];
  const { server } = new OperatorsServer(({ url }, response) => {
    if (url === '/held') held.push(response);
    else response.end('here');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (says = ''): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(says);
    return socket.resume();
  };
  const ask = async (): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return await text(socket);
  };
  return { held, open, ask };
}

void t.test('the longest silent go, and none whose request is answered', async (t) => {
  const { held, open, ask } = await startDoor(t);
  const asking = await open(REQUEST);
  await eventually('it is being answered', async () => held.length === 1);
  const crowd: Socket[] = [];
  for (let time = 0; time < 3 * LIMIT; time += 1) {
    crowd.push(await open(['', 'GET / HTT', 'GET / HTTP/1.1\r\nHost: x\r\n'][time % 3]));
  }
  t.match(await ask(), /^HTTP\/1\.1 200 /);
  const isOpen = crowd.map(({ destroyed }) => !destroyed);
  await eventually('those beyond the limit are cut', async () => {
    return crowd.filter(({ destroyed }) => destroyed).length >= 2 * LIMIT + 2;
  });
  t.notOk(crowd[0]?.destroyed === false, 'the first of them');
  t.ok(isOpen.at(-1), 'not the last');
  t.notOk(asking.destroyed);
  held[0]?.end('held');
  const [answer] = (await once(asking, 'data')) as [Buffer];
  t.match(answer.toString(), /^HTTP\/1\.1 200 /);
});

void t.test('a connection has one request: what follows it is not answered', async (t) => {
  const { held, open, ask } = await startDoor(t);
  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';
  for (const ending of ['', 'GET / HT', post]) {
    const heldBefore = held.length;
    const asking = await open(REQUEST.repeat(1000) + ending);
    await once(asking, 'close');
    t.equal(held.length - heldBefore, 1);
  }
  const one = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = (await once(one, 'data')) as [Buffer];
  t.match(answer.toString(), /^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/);
  await once(one, 'close');
  t.match(await ask(), /^HTTP\/1\.1 200 /);
});

void t.test('where all are being answered the oldest goes', async (t) => {
  const { held, open, ask } = await startDoor(t);
  const asking: Socket[] = [];
  for (let time = 1; time <= LIMIT; time += 1) {
    asking.push(await open(REQUEST));
    await eventually('it is being answered', async () => held.length === time);
  }
  t.match(await ask(), /^HTTP\/1\.1 200 /);
  for (const [at, { destroyed }] of asking.entries()) t.equal(destroyed, at === 0);
});
