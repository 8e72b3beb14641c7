/** More connections or listeners than a process may open files: it does not spin, says so, and answers others at once. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { descriptorsOf, frontOf } from '../../support/faults/process-figures.js';
import { listenToEvents } from '../../support/readers/event-listener.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { eventually, startService } from '../../support/service/service.js';

const ATTACKER = '127.0.0.1';
const OTHER = '127.0.0.2';
const TOO_MANY = 100;
const EXPORT = '/portal/export?organization_id=1&station_id=1&component_id=8&window=7d&format=';
const FEWER_LISTENERS = 'fewer event listeners than EVENT_LISTENERS';

void t.test('answers others while one client holds all connections that it can', async (t) => {
  const service = await startServing(t, snapshotDocument(), {
    // A start opens dozens of modules at once.
    wrap: ['sh', '-c', 'ulimit -n 96; exec "$@"', 'sh'],
    env: { WORKER_THREADS: '1' },
    expect: ['too many connections', FEWER_LISTENERS],
  });
  const listening = await service.waitForLog('listening');
  t.match(listening, { connections_max: 96 - 36 - 8, file_answers_max: 8 });
  const front = await frontOf(service);
  const descriptors = await descriptorsOf(front);
  const idle = await Promise.all(
    Array.from({ length: TOO_MANY }, async () => await openIdle(service.port)),
  );
  t.teardown(() => {
    for (const socket of idle) socket.destroy();
  });
  await service.waitForLog('too many connections');
  t.match(await askLive(service.port, OTHER), /^HTTP\/1\.1 200 /);
  // The first of each: a thread loads what makes them.
  for (const target of ['/', ...['csv', 'xlsx', 'ods'].map((format) => EXPORT + format)]) {
    const { status } = await get(service, target, { localAddress: OTHER });
    t.equal(status, 200, target);
  }

  const before = await cpuTicks(front);
  const startedAt = performance.now();
  await new Promise((settle) => setTimeout(settle, 500));
  const usedMs = ((await cpuTicks(front)) - before) * 10;
  const tookMs = performance.now() - startedAt;
  t.ok(
    usedMs < tookMs / 2,
    `${usedMs} ms of CPU time in ${Math.round(tookMs)} ms: it does not spin`,
  );

  for (const socket of idle) socket.destroy();
  // Its threads may have opened something of their own since.
  const most = descriptors + 4;
  await eventually('no socket is left', async () => (await descriptorsOf(front)) <= most);
  t.match(await askLive(service.port, ATTACKER), /^HTTP\/1\.1 200 /, 'once it has let go');
  const said = service.lines.filter(({ msg }) => msg === 'too many connections');
  t.equal(said.length, 1, 'and the log has one line');
  t.equal(await frontOf(service), front, 'it is the same front');
  t.equal((await service.stop()).code, 0);
});

void t.test('takes no more connections than MAX_CONNECTIONS', async (t) => {
  const service = await startService(t, {
    env: { MAX_CONNECTIONS: '8', EVENT_LISTENERS: '3' },
    expect: ['unavailable', 'too many connections'],
  });
  t.match(await service.waitForLog('listening'), { connections_max: 8, listeners_max: 3 });
  const taken = [];
  for (let count = 0; count < 6; count += 1) taken.push(await openIdle(service.port));
  for (let count = 0; count < 3; count += 1) {
    const refused = await openIdle(service.port);
    await once(refused, 'close');
  }
  t.match(await askLive(service.port, OTHER), /^HTTP\/1\.1 200 /, 'a quarter is for others');
  taken[0]?.end();
  if (taken[0]) await once(taken[0].resume(), 'close');
  t.match(await askLive(service.port, ATTACKER), /^HTTP\/1\.1 200 /, 'one more, after an end');
  for (const socket of taken) socket.destroy();
});

void t.test('answers others while one client listens as often as it can', async (t) => {
  const service = await startService(t, {
    env: { MAX_CONNECTIONS: '32' },
    expect: ['unavailable', FEWER_LISTENERS],
  });
  t.match(await service.waitForLog(FEWER_LISTENERS), { connections_max: 32, listeners_max: 24 });
  const listen = async (from: string): Promise<number | undefined> =>
    (await listenToEvents(t, service.port, { from })).response.statusCode;
  let count = 0;
  while ((await listen(ATTACKER)) === 200) count += 1;
  t.equal(count, 18, 'three quarters of what listeners may have');
  t.match(await askLive(service.port, OTHER), /^HTTP\/1\.1 200 /);
  for (let time = 0; time < 6; time += 1) t.equal(await listen(OTHER), 200);
  t.equal(await listen(OTHER), 503, 'however many they are');
  t.match(await askLive(service.port, '127.0.0.3'), /^HTTP\/1\.1 200 /, 'a quarter is left');
});

/** A connection that requests nothing, taken or not. */
async function openIdle(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: ATTACKER });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function askLive(port: number, localAddress: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return await text(socket);
}

/** CPU time of a process since its start, in hundredths of a second. */
async function cpuTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
