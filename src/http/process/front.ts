/** Entry point of a front process: its server and its open snapshots, swapped on messages from the supervisor. */
import assert from 'node:assert/strict';
import type { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { SnapshotReader } from '../../snapshot/local/reader.js';
import { WorkerPool } from '../../workers/pool.js';
import { createFrontState, type FrontState } from '../answers/front-state.js';
import { pageSettings } from '../answers/page-settings.js';
import { ServedSnapshot } from '../answers/served-snapshot.js';
import { ENDPOINTS } from '../routes/routes.js';
import { createRouter } from '../routing/router.js';
import { createServer, type Server } from '../wire/server.js';
import {
  isToFront,
  type FromFront,
  type FrontSettings,
  type ServedCopy,
  type ToFront,
} from './control.js';
import { Counters } from './counters.js';
import { createLog, type Log } from './log.js';

/** How long no request has to come in before a draining front believes that its clients are gone. */
const QUIET_MS = 300;
const DRAIN_LOOK_MS = 50;

/** Jobs that may wait for a thread; more than that is overload. */
const QUEUE_MAX = 256;

const counters = new Counters();
/** Snapshots that are not closed yet: the active one and those that answers are still read from. */
const open = new Set<LeasedSnapshot>();
/** Directories of the copies whose damage was reported. */
const damaged = new Set<string>();
/** Made by `start`, which comes before every other message. */
let front: Front | undefined;

interface Front {
  readonly pool: WorkerPool;
  readonly state: FrontState;
  readonly server: Server;
}

process.on('message', (message: unknown) => {
  if (isToFront(message)) onMessage(message);
});
// The supervisor is gone: no message about a swap would arrive any more.
process.once('disconnect', () => {
  drain(30_000);
});
process.once('SIGTERM', () => {
  drain(30_000);
});
// A terminal sends SIGINT to the whole process group; the supervisor handles it and sends `drain`.
process.on('SIGINT', () => undefined);

function send(message: FromFront): void {
  if (process.connected) process.send?.(message);
}

function onMessage(message: ToFront): void {
  switch (message.kind) {
    case 'start':
      start(message.settings);
      break;
    case 'activate':
      activate(message);
      break;
    case 'unavailable':
      started().state.unavailable = { reason: message.reason, detail: message.detail };
      swap(undefined);
      break;
    case 'store':
      started().state.store = message.store;
      break;
    case 'count':
      send({ kind: 'counters', counters: counters.read(leases()) });
      break;
    case 'drain':
      drain(message.timeLimitMs);
      break;
  }
}

function start(settings: FrontSettings): void {
  const log = createLog({ level: settings.logLevel, part: 'front' });
  const pool = new WorkerPool({ threads: settings.workerThreads, maxQueue: QUEUE_MAX });
  const pages = pageSettings(settings);
  const state = createFrontState({ pool, baseUrl: settings, pages });
  const router = createRouter({
    endpoints: ENDPOINTS,
    state,
    onBug: (error, path) => {
      log.error({ target: path, reason: String(error) }, 'a handler threw');
    },
  });
  const server = createServer({
    ...router,
    isDraining: () => state.isDraining,
    trustProxy: settings.trustProxy,
    largeBodiesMax: settings.largeBodiesMax,
    connectionsMax: settings.connectionsMax,
    onConnectionRefused: onceAMinute(log, settings.connectionsMax),
    counters,
  });
  front = { pool, state, server };
  void server.listen(settings.host, settings.port).then((port) => {
    if (port !== undefined) {
      send({ kind: 'listening', port });
      return;
    }
    const message = `cannot listen on ${settings.host}:${settings.port}`;
    send({ kind: 'not_listening', message });
    process.exitCode = 1;
    process.disconnect();
  });
}

/** Counts each connection that is refused; the log says so once a minute at most. */
function onceAMinute(log: Log, connectionsMax: number): () => void {
  let loggedAt = -Infinity;
  return () => {
    counters.count('connectionsRefused');
    const now = performance.now();
    if (now - loggedAt < 60_000) return;
    loggedAt = now;
    log.warn({ connections_max: connectionsMax }, 'too many connections');
  };
}

function started(): Front {
  assert(front, '`start` is the first message to a front');
  return front;
}

/** Opens the copy and makes it the active one between two requests; a failure leaves the old one serving. */
function activate(copy: ServedCopy): void {
  const { state } = started();
  const { directory } = copy;
  const startedAt = performance.now();
  try {
    const served =
      state.served?.snapshot.reader.directory === directory ? state.served : openCopy(copy);
    if (served !== state.served) {
      swap(served);
      prepare(served);
    }
    const { generatedAtMs } = served.snapshot.reader.header;
    const milliseconds = performance.now() - startedAt;
    send({ kind: 'activated', directory, generatedAtMs, milliseconds });
  } catch (error) {
    send({ kind: 'failed', directory, message: String(error) });
  }
}

function openCopy({ directory, build }: ServedCopy): ServedSnapshot {
  const { pool } = started();
  const leased = new LeasedSnapshot(new SnapshotReader(directory), () => {
    open.delete(leased);
    damaged.delete(directory);
    pool.retire(directory);
    send({ kind: 'released', directory });
  });
  open.add(leased);
  return new ServedSnapshot(leased, { build, pool, onDamage });
}

/** Has workers make the answers that are requested most often; otherwise the first client waits while a worker opens the copy. */
function prepare(served: ServedSnapshot): void {
  const { state } = started();
  const context = { state, header: served.snapshot.reader.header, baseUrl: undefined, ageHours: 0 };
  for (const endpoint of ENDPOINTS) {
    if (endpoint.isPrepared !== true) continue;
    const source = endpoint.resolve(() => undefined, context);
    if (source.kind === 'made') served.made.prepare(source.job);
  }
}

/** Reports damage once for each copy, so that the supervisor verifies and replaces it. */
function onDamage(directory: string, error: SnapshotError): void {
  if (damaged.has(directory)) return;
  damaged.add(directory);
  send({ kind: 'failed', directory, message: error.message });
}

/** The one assignment by which requests are answered from another snapshot. */
function swap(next: ServedSnapshot | undefined): void {
  const { state } = started();
  const previous = state.served;
  state.served = next;
  previous?.snapshot.retire();
}

/** Stops accepting, lets answers finish, and ends the process with 0. */
function drain(timeLimitMs: number): void {
  const { state, server } = started();
  if (state.isDraining) return;
  state.isDraining = true;
  server.stopListening();
  const deadline = performance.now() + timeLimitMs;
  let answered = counters.total;
  let quietSince = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (counters.total !== answered || counters.inFlight > 0) {
      answered = counters.total;
      quietSince = now;
    }
    if (now - quietSince < QUIET_MS && now < deadline) return;
    send({ kind: 'drained' });
    process.exit(0);
  }, DRAIN_LOOK_MS);
}

function leases(): number {
  let sum = 0;
  for (const leased of open) sum += leased.leases;
  return sum;
}
