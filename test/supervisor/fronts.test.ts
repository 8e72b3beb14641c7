/** Front processes as a group, with real ones: started, told what to serve, killed, replaced, counted and drained. */
import { once } from 'node:events';
import { cp, rename } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import type { FrontSettings } from '../../src/ipc/messages.js';
import { Fronts, type FrontsOptions } from '../../src/supervisor/fronts.js';
import { claimPort } from '../../src/supervisor/port.js';
import { RecentFailures } from '../../src/supervisor/operators/recent-failures.js';
import type { Serving } from '../../src/snapshot/domain/serving-state.js';
import { parseSettings } from '../../src/settings.js';
import { importSnapshot } from '../../src/workers/importer.js';
import { generateDocument } from '../support/documents/documents.js';
import { childrenOf } from '../support/service/children.js';
import { forkWithoutHooks } from '../support/service/plain-node.js';
import { get } from '../support/service/requests.js';
import { answersOf, samplesOf, sumOf, type Samples } from '../support/service/scrape.js';
import {
  activePointer,
  eventually,
  inTime,
  makeRoot,
  publish,
} from '../support/service/service.js';

const HOST = '127.0.0.1';
const BUILD = '0123abcd';

/** Some 15,000 records, 4.9 MB as a stream: more than the kernel holds for a client that does not read. */
const LARGE = { stations: 8, components: 3, hours: 640, snapshotId: 'large' };
const STREAM = '/api/v1/observations/stream';

await forkWithoutHooks(await makeRoot(t));
const directory = await importedCopy(t);
type ServedSnapshot = Extract<Serving, { readonly kind: 'snapshot' }>;
const LARGE_SERVING: ServedSnapshot = {
  kind: 'snapshot',
  snapshotId: 'large',
  directory,
  build: BUILD,
};

interface Started {
  readonly fronts: Fronts;
  readonly port: number;
  /** All that was logged. */
  readonly lines: readonly Line[];
  /** The next line with this message that nobody has taken yet. */
  readonly next: (msg: string) => Promise<Line>;
  /** Calls of `look` and `doubt`. */
  readonly calls: { released: number; trouble: number };
  /** Process ids of the fronts that live. */
  readonly pids: () => Promise<readonly number[]>;
}

type Line = Readonly<Record<string, unknown>>;

/** What the fronts have counted. */
async function countedBy(fronts: Fronts): Promise<Samples> {
  return samplesOf(await fronts.renderCounters());
}

const leasesOf = async (fronts: Fronts) => (await countedBy(fronts)).get('bura_leases');

/** The fronts of one test; those of the others, which run beside it, are not among them. */
async function startFronts(
  t: Test,
  processes: number,
  changed: Partial<FrontSettings> = {},
): Promise<Started> {
  const lines: Line[] = [];
  const untaken: Line[] = [];
  const listeners = new Set<() => void>();
  const write = (text: string): void => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    untaken.push(line);
    for (const listen of [...listeners]) listen();
  };
  const log = pino({}, { write });
  const calls = { released: 0, trouble: 0 };
  const port = await claimPort({ host: HOST, port: 0 });
  const before = await frontPids();
  const options = optionsFor(port);
  const fronts = await Fronts.start({
    ...options,
    settings: { ...options.settings, ...changed },
    processes,
    log,
    following: {
      ...options.following,
      look: () => {
        calls.released += 1;
      },
      doubt: () => {
        calls.trouble += 1;
      },
    },
  });
  t.teardown(async () => {
    fronts.kill();
    await fronts.drain(0, 'quiet');
  });
  return {
    fronts,
    port,
    lines,
    calls,
    pids: async () => (await frontPids()).filter((pid) => !before.includes(pid)),
    next: async (msg) => {
      let listen = (): void => undefined;
      const found = new Promise<Line>((resolve) => {
        listen = () => {
          const index = untaken.findIndex((line) => line['msg'] === msg);
          const line = untaken[index];
          if (line === undefined) return;
          untaken.splice(index, 1);
          listeners.delete(listen);
          resolve(line);
        };
        listeners.add(listen);
        listen();
      });
      return await inTime(found, `the line "${msg}"; so far ${JSON.stringify(lines)}`);
    },
  };
}

function optionsFor(port: number): FrontsOptions {
  const settings: FrontSettings = {
    ...parseSettings({ environment: {}, flags: {} }),
    host: HOST,
    port,
    logLevel: 'fatal',
    workerThreads: 1,
    largeBodiesMax: 8,
    listenersMax: 8,
    connectionsMax: 100,
  };
  return {
    settings,
    processes: 1,
    log: pino({ level: 'silent' }),
    failures: new RecentFailures(),
    onProcesses: () => undefined,
    following: {
      look: () => undefined,
      doubt: () => undefined,
      served: () => undefined,
      doubtHistory: () => undefined,
    },
  };
}

async function frontPids(): Promise<readonly number[]> {
  const children = await childrenOf(process.pid);
  return children.filter(({ script }) => script === 'front.js').map(({ pid }) => pid);
}

/** A copy that an import has made, for all tests of this file. */
async function importedCopy(t: Test): Promise<string> {
  const root = await makeRoot(t);
  await publish({ root }, generateDocument(LARGE));
  const imported = await importSnapshot(
    {
      store: { address: `file:${join(root, 'store')}`, keyPrefix: 'demo' },
      pointer: await activePointer({ root }),
      expectedSchemaVersion: '1.2.0',
      build: BUILD,
      directory: join(root, 'local'),
      threads: 2,
    },
    { deadlineMs: 60_000, signal: new AbortController().signal },
  );
  return imported.directory;
}

/** The same copy in another folder. */
async function copyOf(t: Test, name: string): Promise<ServedSnapshot> {
  const copied = join(await makeRoot(t), `${name}~${BUILD}`);
  await cp(directory, copied, { recursive: true });
  return { ...LARGE_SERVING, directory: copied };
}

/** A client that has begun to read a stream, and reads on when it is told to. */
class SlowReader {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async begin(port: number): Promise<SlowReader> {
    const socket = connect({ host: HOST, port });
    // A reset is seen as a body that is not whole.
    socket.on('error', () => undefined);
    socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
    socket.pause();
    await once(socket, 'readable');
    return new SlowReader(socket);
  }

  leave(): void {
    this.#socket.destroy();
  }

  /** The whole body, or undefined where the connection ends before it. */
  async rest(): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    let missingBytes = Infinity;
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      if (chunks.length === 1) {
        const head = chunk.indexOf('\r\n\r\n') + 4;
        const length = /content-length: (\d+)/i.exec(chunk.toString('latin1', 0, head))?.[1];
        missingBytes = head + Number(length);
      }
      missingBytes -= chunk.length;
    };
    await inTime(
      new Promise<void>((settle) => {
        this.#socket.once('close', settle);
        this.#socket.on('data', (chunk: Buffer) => {
          take(chunk);
          if (missingBytes <= 0) settle();
        });
      }),
      'the rest of a body',
      60_000,
    );
    this.#socket.destroy();
    const received = Buffer.concat(chunks);
    return missingBytes === 0 ? received.subarray(received.indexOf('\r\n\r\n') + 4) : undefined;
  }
}

async function killed(started: Started, pid: number): Promise<Line> {
  process.kill(pid, 'SIGKILL');
  return await started.next('front died');
}

await t.test('all of them listen on one port, and serve what they are told', async (t) => {
  const { fronts, port, pids } = await startFronts(t, 2);
  t.equal(fronts.alive, 2);
  t.equal((await pids()).length, 2);
  t.equal((await get({ port }, '/health/live')).status, 200);
  t.equal((await get({ port }, '/meta')).status, 503, 'nothing yet');
  t.equal(fronts.generatedAtMs, undefined);

  t.equal(await fronts.serve(LARGE_SERVING), true);
  t.same(fronts.inUse(), new Set([directory]));
  t.equal(fronts.generatedAtMs, Date.parse('2026-09-10T00:00:00Z'));
  const answers = await Promise.all(Array.from({ length: 20 }, () => get({ port }, '/meta')));
  t.same(new Set(answers.map(({ headers }) => headers['x-snapshot-id'])), new Set(['large']));

  await fronts.serve({ kind: 'unavailable', reason: 'pointer_absent', detail: 'no pointer' });
  await eventually('no front has the copy open', () => Promise.resolve(fronts.inUse().size === 0));
  t.equal((await get({ port }, '/meta')).status, 503);
  t.equal(fronts.generatedAtMs, undefined);
});

await t.test('a start is a failure as a whole where the port cannot be had', async (t) => {
  const stranger = createServer().listen(0, HOST);
  await once(stranger, 'listening');
  t.teardown(() => stranger.close());
  const { port } = stranger.address() as AddressInfo;
  await t.rejects(Fronts.start({ ...optionsFor(port), processes: 2 }), {
    message: `cannot listen on ${HOST}:${port}`,
  });
  t.same(await frontPids(), [], 'none is left');
});

await t.test(
  'one that dies is replaced and serves the same, and what it had counted is not lost',
  async (t) => {
    const started = await startFronts(t, 2);
    const { fronts, port, calls } = started;
    await fronts.serve(LARGE_SERVING);
    const ask = async (): Promise<void> => {
      await get({ port }, '/meta');
      await get({ port }, '/meta', { headers: { 'If-None-Match': '*' } });
      await get({ port }, '/no/such/path');
    };
    for (let round = 0; round < 10; round += 1) await ask();
    const before = await countedBy(fronts);
    t.same(answersOf(before, '/meta'), { 200: 10, 304: 10 });
    t.same(answersOf(before, 'other'), { 404: 10 });
    const bytes = 'bura_http_response_body_bytes_total{coding="identity"}';
    t.ok(Number(before.get(bytes)) > 0);

    const [victim = 0, other = 0] = await started.pids();
    t.match(await killed(started, victim), { front_pid: victim, reason: 'SIGKILL', delay_ms: 0 });
    t.equal(calls.released, 1, 'files of old copies may go');
    t.equal(calls.trouble, 0, 'whoever kills a front says nothing of the copy');
    t.match(await started.next('front replaced'), { milliseconds: Number });
    t.equal(fronts.alive, 2);
    t.equal(fronts.replaced, 1);
    await eventually('nobody reads the snapshot', async () => (await leasesOf(fronts)) === 0);
    const after = await countedBy(fronts);
    // Whoever has taken its place has had answers prepared, like all others before.
    const isOfJobs = (series: string): boolean => series.startsWith('bura_job');
    const withoutJobs = (samples: Samples) =>
      Object.fromEntries([...samples].filter(([series]) => !isOfJobs(series)));
    t.same(withoutJobs(after), withoutJobs(before), 'what it had done is not lost');
    const [jobsBefore, jobsAfter] = [before, after].map((all) =>
      sumOf(all, 'bura_jobs_started_total'),
    );
    t.ok(Number(jobsAfter) > Number(jobsBefore));

    process.kill(other, 'SIGKILL');
    await started.next('front died');
    t.equal((await get({ port }, '/meta')).status, 200, 'the new one answers meanwhile');
    await started.next('front replaced');
    t.equal(fronts.replaced, 2);
    await eventually('the replacements serve the snapshot', async () => {
      const { headers } = await get({ port }, '/stations');
      return headers['x-snapshot-id'] === 'large';
    });
    t.same(fronts.inUse(), new Set([directory]));
    await ask();
    const later = await countedBy(fronts);
    t.same(answersOf(later, '/meta'), { 200: 12, 304: 11 });
    t.same(answersOf(later, 'other'), { 404: 11 });
  },
);

await t.test('those that go on dying young are replaced ever later', async (t) => {
  const started = await startFronts(t, 1);
  const delays: unknown[] = [];
  for (let death = 0; death < 2; death += 1) {
    const [pid = 0] = await started.pids();
    const { delay_ms: delayMs } = await killed(started, pid);
    delays.push(delayMs);
    t.equal(started.fronts.alive, 0);
    await started.next('front replaced');
  }
  t.same(delays, [0, 250]);
  t.equal(started.fronts.replaced, 2);
  t.equal(started.calls.trouble, 0, 'all of them were killed');

  const [victim = 0] = await started.pids();
  const now = performance.now.bind(performance);
  t.teardown(() => {
    performance.now = now;
  });
  performance.now = () => now() + 10_000;
  process.kill(victim, 'SIGABRT');
  const died = await started.next('front died');
  t.match(died, { reason: 'SIGABRT', delay_ms: 0 }, 'one that has lived long is replaced at once');
  t.equal(started.calls.trouble, 1, 'one that ends by itself casts doubt on the copy');
});

await t.test('readers of other copies than the newest', async (t) => {
  const { fronts, port } = await startFronts(t, 1, { retiredCopies: 2 });
  const copies = [LARGE_SERVING];
  for (const name of ['second', 'third', 'fourth', 'fifth']) copies.push(await copyOf(t, name));
  const [first = LARGE_SERVING, second = LARGE_SERVING] = copies;
  await fronts.serve(LARGE_SERVING);
  const { body } = await get({ port }, STREAM);

  await t.test('a copy that is served again is the one that its first readers have', async (t) => {
    const early = await SlowReader.begin(port);
    await fronts.serve(second);
    await fronts.serve(first);
    const late = await SlowReader.begin(port);
    early.leave();
    await eventually('one reads', async () => (await leasesOf(fronts)) === 1);
    await fronts.serve(second);
    t.same(
      fronts.inUse(),
      new Set([first.directory, second.directory]),
      'files stay for the other',
    );
    t.ok((await late.rest())?.equals(body), 'which reads to the last byte');
    await eventually('nobody has it open', () =>
      Promise.resolve(!fronts.inUse().has(first.directory)),
    );
  });

  await t.test('a copy is in use however its end and its next activation cross', async (t) => {
    for (let round = 0; round < 10; round += 1) {
      // Not waited for: the front may say that the first is closed when it is to be served again.
      const [, , last] = [first, second, first].map((serving) => fronts.serve(serving));
      await last;
      await countedBy(fronts);
      t.ok(fronts.inUse().has(first.directory), `round ${round}`);
    }
    await fronts.serve(second);
    await eventually('nobody has the first open', () =>
      Promise.resolve(!fronts.inUse().has(first.directory)),
    );
  });

  await t.test('the readers of the oldest are closed where too many copies are read', async (t) => {
    const readers: SlowReader[] = [];
    for (const copy of copies) {
      await fronts.serve(copy);
      readers.push(await SlowReader.begin(port));
    }
    await eventually('three copies are open', () => Promise.resolve(fronts.inUse().size === 3));
    t.same(fronts.inUse(), new Set(copies.slice(2).map(({ directory }) => directory)));
    const bodies = await Promise.all(readers.map((reader) => reader.rest()));
    t.same(
      bodies.map((rest) => rest?.equals(body)),
      [undefined, undefined, true, true, true],
      'a reset for the two oldest, whole bodies for the others',
    );
    t.equal((await countedBy(fronts)).get('bura_revoked_readers_closed_total'), 2);
  });
});

await t.test('a drain has an end, whatever a client does', async (t) => {
  const started = await startFronts(t, 1);
  const { fronts, port } = started;
  await fronts.serve(LARGE_SERVING);
  const socket = connect({ host: HOST, port });
  socket.on('error', () => undefined);
  socket.write(`GET ${STREAM} HTTP/1.1\r\nHost: h\r\n\r\n`);
  socket.pause();
  await once(socket, 'readable');
  await inTime(fronts.drain(200, 'quiet'), 'the end of the fronts');
  t.same(await started.pids(), []);
  socket.destroy();
});

await t.test(
  'a copy that cannot be opened leaves the one before it served, and is tried again until it can',
  async (t) => {
    const started = await startFronts(t, 1);
    const { fronts, port, calls } = started;
    t.equal(await fronts.serve(LARGE_SERVING), true);
    // One that is not there.
    const missing: Serving = {
      kind: 'snapshot',
      snapshotId: 'none',
      directory: `${directory}.none`,
      build: BUILD,
    };
    t.equal(await fronts.serve(missing), false);
    t.match(await started.next('front cannot serve the snapshot'), {
      directory: `${directory}.none`,
    });
    t.equal(calls.trouble, 1);
    t.equal((await get({ port }, '/meta')).headers['x-snapshot-id'], 'large');
    t.same(fronts.inUse(), new Set([directory]));

    // One that is not there for a while: the front is told again after five seconds, and here at once.
    const real = globalThis.setTimeout;
    t.teardown(() => {
      globalThis.setTimeout = real;
    });
    globalThis.setTimeout = ((act: () => void, ms?: number) =>
      real(act, ms === 5000 ? 50 : ms)) as typeof setTimeout;
    const away = `${directory}.away`;
    await rename(directory, away);
    const [victim = 0] = await started.pids();
    await killed(started, victim);
    t.match(await started.next('front cannot serve the snapshot'), { directory });
    t.equal(calls.trouble, 2);
    // It says so before it listens.
    const statuses: number[] = [];
    await eventually('it answers', async () => {
      const answer = await get({ port }, '/meta').catch(() => undefined);
      if (answer !== undefined) statuses.push(answer.status);
      return answer !== undefined;
    });
    t.same(statuses, [503]);
    await rename(away, directory);
    await eventually('it serves', async () => (await get({ port }, '/meta')).status === 200);
    t.same(fronts.inUse(), new Set([directory]));
  },
);
