/** A restart that nobody sees: a new instance takes over from the one that runs, or fails, and then that one goes on. */
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { generateDocument, snapshotDocument } from '../../support/documents/documents.js';
import { chanceOf, scaled } from '../../support/faults/chance.js';
import { get } from '../../support/service/requests.js';
import { activated, startServing } from '../../support/service/serve-documents.js';
import {
  eventually,
  inTime,
  makeRoot,
  publish,
  refusedService,
  startService,
  type Service,
  type ServiceOptions,
} from '../../support/service/service.js';
import { startLoad } from '../../support/service/steady-load.js';

// Much of it is waiting: for connections to end, and for messages that do not come.
t.jobs = 3;

const TAKE_OVER = '--take-over';

/** Longer than a drain takes until the last connection is closed. */
const DRAIN_MS = 90_000;

const BROKEN_OFF = 'the other instance has not taken over';

/** Starts another instance with the directories of this one, and waits until it has taken over. */
const takeOver = (t: Test, { root, port }: Service, options: ServiceOptions = {}) =>
  startService(t, {
    args: [TAKE_OVER],
    ...options,
    root,
    env: { PORT: `${port}`, ...options.env },
  });

const hasEnded = (service: Service) =>
  inTime(service.ended, 'the end of the earlier one', DRAIN_MS);

async function servedId(service: { readonly port: number }): Promise<unknown> {
  return (await get(service, '/meta')).headers['x-snapshot-id'];
}

void t.test('restarts in a row lose no request, whatever has changed', async (t) => {
  const first = await startServing(t, generateDocument({ stations: 4, hours: 240 }));
  const load = startLoad(first);
  await load.more(50);
  let current: Service = first;
  const ends: Promise<unknown>[] = [];
  for (let round = 1; round <= scaled(3); round += 1) {
    const isDamaged = round === 1;
    if (isDamaged) await spoilCopies(current);
    // Without a port of its own it takes that of the other one; the number of fronts may differ.
    const env = {
      PORT: round % 2 === 0 ? '0' : `${first.port}`,
      FRONT_PROCESSES: `${(round % 2) + 1}`,
    };
    const next = await takeOver(t, current, { env, expect: ['local copy damaged'] });
    t.equal(next.port, first.port);
    t.match(await next.waitForLog('has taken over'), { from_pid: current.pid });
    const from = load.answered;
    await load.more(20);
    t.ok(load.answered >= from + 20, 'clients are answered');
    ends.push(hasEnded(current));
    const order = next.lines.map(({ msg }) => msg);
    t.equal(order.includes('local copy damaged'), isDamaged);
    t.equal(order.includes('importing'), isDamaged, 'otherwise it serves the copy that is there');
    if (isDamaged) {
      t.ok(order.indexOf('importing') < order.indexOf('has taken over'), 'imported first');
      // Its fronts serve the snapshot some moments before the log says so.
      t.type((await next.waitForLog('activated'))['import_ms'], 'number');
    }
    current = next;
  }
  await load.stop();
  t.same(load.failures, [], `of ${load.answered + load.failures.length}`);
  for (const end of await Promise.all(ends)) t.same(end, { code: 0, signal: null });
  const names = await readdir(current.copies);
  t.equal(names.filter((name) => name.startsWith('~lock')).length, 1, 'one lock is left');
  t.same(await current.stop(), { code: 0, signal: null });
});

/** Has none of the copies be readable by an instance that starts. */
async function spoilCopies({ copies }: Service): Promise<void> {
  for (const copy of (await readdir(copies)).filter((name) => !name.startsWith('~'))) {
    const manifest = join(copies, copy, 'copy.json');
    const text = await readFile(manifest, 'utf8');
    // Another file in its place: tests share what they have imported.
    await writeFile(`${manifest}.new`, text.replace(/"format":\d+/, '"format":0'));
    await rename(`${manifest}.new`, manifest);
  }
}

void t.test('the new one goes on with what the other one was doing', async (t) => {
  const first = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), {
    env: { ADMIN_PORT: '0' },
  });
  const { port: adminPort } = await first.waitForLog('metrics listening');
  await publish(first, generateDocument({ stations: 20, hours: 100, snapshotId: 'second' }));
  await first.waitForLog('importing');
  const next = await takeOver(t, first, { env: { ADMIN_PORT: String(adminPort) } });
  await next.waitForLog(({ msg, snapshot_id: id }) => msg === 'activated' && id === 'second');
  t.equal(await servedId(next), 'second');
  await next.waitForLog('metrics listening');
  const metrics = await get({ port: Number(adminPort) }, '/metrics');
  t.match(metrics.body.toString(), 'bura_snapshot_served 1');
  t.same(await hasEnded(first), { code: 0, signal: null });

  const third = snapshotDocument({ snapshot_id: 'third' });
  const from = next.lines.length;
  await publish(next, third);
  await activated(next, third, from);
  await eventually('the copies of the other one go', async () => {
    const left = await readdir(next.copies);
    return !left.some((name) => name.startsWith('first'));
  });
});

void t.test('without a running instance it is an ordinary start', async (t) => {
  const service = await startService(t, { args: [TAKE_OVER], expect: ['unavailable'] });
  t.equal((await get(service, '/health/live')).status, 200);
  const next = await takeOver(t, service, { expect: ['unavailable'] });
  t.equal((await get(next, '/meta')).status, 503, 'what serves nothing is taken over from, too');
  t.same(await hasEnded(service), { code: 0, signal: null });
});

void t.test('a new one that fails or is killed leaves the other one as it was', async (t) => {
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), {
    expect: [BROKEN_OFF],
  });
  const load = startLoad(service);
  const attempt = async (options: ServiceOptions) => {
    const from = service.lines.length;
    const { root, port } = service;
    const env = { PORT: `${port}`, ...options.env };
    const end = await refusedService(t, { args: [TAKE_OVER], ...options, root, env });
    await service.waitForLog(BROKEN_OFF, from);
    return end;
  };
  const worse = await attempt({
    args: [TAKE_OVER, '--expected-schema-version', '1.3.0'],
    expect: ['unavailable'],
  });
  t.equal(worse.code, 1);
  t.match(worse.stderr, /^bura: cannot take over: .* 503 \(.*1\.3\.0\.\)\n$/);
  const faults = someOf(t, 1, [
    ['ready', 'before'],
    ['ready', 'after'],
    ['confirm', 'before'],
  ] as const);
  for (const [message, time] of faults) {
    const end = await attempt(faultAt(message, time, 'SIGKILL'));
    t.equal(end.signal, 'SIGKILL', `killed ${time} ${message}`);
  }
  const second = snapshotDocument({ snapshot_id: 'second' });
  const from = service.lines.length;
  await publish(service, second);
  await activated(service, second, from);
  t.equal(await servedId(service), 'second', 'it follows again');
  await load.more(20);
  await load.stop();
  t.same(load.failures, []);

  const next = await takeOver(t, service);
  t.equal(await servedId(next), 'second');
  t.same(await hasEnded(service), { code: 0, signal: null });
});

void t.test('an old one that is killed on the way leaves the new one serving', async (t) => {
  const faults = someOf(t, 2, [
    ['paused', 'after'],
    ['proceed', 'before'],
    ['proceed', 'after'],
    ['left', 'before'],
  ] as const);
  for (const [message, time] of faults) {
    const service = await startServing(t, snapshotDocument(), faultAt(message, time, 'SIGKILL'));
    const next = await takeOver(t, service);
    t.same(await hasEnded(service), { code: null, signal: 'SIGKILL' }, `${time} ${message}`);
    await next.waitForLog('activated');
    t.equal((await get(next, '/meta')).status, 200);
    t.same(await next.stop(), { code: 0, signal: null });
  }
});

void t.test('an old one that hangs is not left alone, or is left to end later', async (t) => {
  const hangs = (message: string, expect: readonly string[]): Promise<Service> =>
    startServing(t, snapshotDocument(), {
      ...faultAt(message, 'before', 'SIGSTOP'),
      expect: ['supervisor silent', ...expect],
    });
  const before = async (): Promise<void> => {
    const service = await hangs('proceed', [BROKEN_OFF]);
    const { root, port } = service;
    const end = await refusedService(t, { args: [TAKE_OVER], root, env: { PORT: `${port}` } });
    t.equal(end.code, 1);
    t.match(end.stderr, /^bura: the running instance does not answer/);
    t.equal((await get(service, '/meta')).status, 200, 'its fronts go on');
    service.signal('SIGCONT');
    await service.waitForLog(BROKEN_OFF);
    t.equal((await get(service, '/meta')).status, 200);
  };
  const late = async (): Promise<void> => {
    const service = await hangs('left', []);
    const expect = ['has taken over, but the earlier instance does not end'];
    const next = await takeOver(t, service, { expect });
    t.match(await next.waitForLog(expect[0] ?? ''), { from_pid: service.pid });
    service.signal('SIGCONT');
    t.same(await hasEnded(service), { code: 0, signal: null });
    t.equal((await get(next, '/meta')).status, 200);
  };
  await Promise.all([before(), late()]);
});

void t.test('of two that take over at once one does, and the other one says why not', async (t) => {
  const service = await startServing(t, snapshotDocument());
  const first = takeOver(t, service, faultAt('take-over', 'after', 'SIGSTOP'));
  const { by_pid: pid } = await service.waitForLog('another instance takes over');
  await waitUntilStopped(Number(pid));
  const { root, port } = service;
  const refused = async (): Promise<void> => {
    const end = await refusedService(t, { args: [TAKE_OVER], root, env: { PORT: `${port}` } });
    t.equal(end.code, 1);
    t.match(end.stderr, /^bura: cannot take over from .*: another one is taking over\n$/);
  };
  // They meet both of the others in an order that is random; the one that is stopped says nothing.
  await Promise.all(Array.from({ length: 2 }, refused));
  const ordinary = await refusedService(t, { root });
  t.match(ordinary.stderr, / is in use by another instance\n$/);
  process.kill(Number(pid), 'SIGCONT');
  t.equal((await get(await first, '/meta')).status, 200);
  t.same(await hasEnded(service), { code: 0, signal: null });
});

void t.test('a build that cannot be taken over from is told apart', async (t) => {
  const root = await makeRoot(t);
  const copies = join(root, 'local', 'demo');
  await mkdir(copies, { recursive: true });
  const older = createServer((socket) => socket.destroy()).listen(join(copies, '~lock-01234567'));
  await once(older, 'listening');
  t.teardown(() => older.close());
  const end = await refusedService(t, { root, args: [TAKE_OVER] });
  t.equal(end.code, 1);
  t.match(
    end.stderr,
    /^bura: cannot take over from .* cannot be taken over from; stop it first\n$/,
  );
});

/** So many of them at random, or all. */
function someOf<T>(t: Test, count: number, faults: readonly T[]): readonly T[] {
  const { number } = chanceOf(t);
  return faults.toSorted(() => number() - 0.5).slice(0, scaled(count));
}

function faultAt(message: string, time: 'before' | 'after', signal: NodeJS.Signals) {
  return {
    nodeArguments: ['--import', resolve('build/test/support/service/fault-at-message.js')],
    env: { FAULT_MESSAGE: message, FAULT_TIME: time, FAULT_SIGNAL: signal },
  };
}

async function waitUntilStopped(pid: number): Promise<void> {
  await eventually('it is stopped', async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  });
}
