/** `bura health` as a container's health check runs it: one line and an exit code, whatever the other side does. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { runBura, runBuras } from '../../support/service/command.js';
import { startServing } from '../../support/service/serve-documents.js';
import { eventually } from '../../support/service/service.js';
import { get } from '../../support/service/requests.js';

void t.test('says ready, live, and why it is not ready', async (t) => {
  const document = snapshotDocument({ snapshot_id: 'first' });
  const service = await startServing(t, document, { expect: ['unavailable'] });
  const env = { HOST: '0.0.0.0', PORT: String(service.port) };
  const ready = { code: 0, stdout: 'ready, first, store ok\n', stderr: '' };
  t.same(await runBura(['health'], { env }), ready);
  t.same(await runBura(['health', '--url', `${service.url}/`]), ready);
  t.same(await runBura(['health', '--live'], { env }), { ...ready, stdout: 'live\n' });

  await rm(join(service.published, 'active.json'));
  await service.waitForLog('unavailable');
  const isOff = async () => (await get(service, '/health/ready')).status === 503;
  await eventually('readiness is 503', isOff);
  const { code, stdout, stderr } = await runBura(['health'], { env });
  t.same([code, stdout], [1, '']);
  t.match(
    stderr,
    /^bura: not ready: \S+ answers 503 \(pointer_absent\): No snapshot is active[^\n]+\n$/,
  );
  t.equal((await runBura(['health', '--live'], { env })).code, 0);

  await service.stop();
  t.match(await runBura(['health'], { env }), {
    code: 1,
    stderr: /^bura: not ready: http:\/\/127\.0\.0\.1:\d+\/health\/ready: nobody listens there\n$/,
  });
});

/** A server that does this to every connection; answers its port. */
async function serverThat(t: Test, onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

void t.test('whoever hangs, sends no end or no HTTP is not ready, in bounded time', async (t) => {
  const cases: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
    ['hangs', () => undefined, /no answer in 0\.5 s$/],
    ['never ends', (socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\n{`), /no answer in/],
    ['hangs up', (socket) => socket.end(), /socket hang up$/],
    ['is no HTTP', (socket) => socket.end('hello\r\n\r\n'), /Parse Error/],
    ['is cut off', (socket) => socket.end(`${HEAD}Content-Length: 9\r\n\r\n{`), /aborted$/],
  ];
  const urls = await Promise.all(
    cases.map(async ([, onConnection]) => `http://127.0.0.1:${await serverThat(t, onConnection)}`),
  );
  const results = await runBuras(urls.map((url) => ['health', '--url', url, '--timeout', '0.5']));
  for (const [at, [name, , expected]] of cases.entries()) {
    const { code, stdout, stderr = '' } = results[at] ?? {};
    t.same([code, stdout], [1, ''], name);
    t.match(stderr, /^bura: not ready: [^\n]+\n$/);
    t.match(stderr.trim(), expected, name);
  }
});
