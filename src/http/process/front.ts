/** One front process: its app and its open snapshots; told of every swap by the supervisor. */
import assert from 'node:assert/strict';
import {
  us_listen_socket_close,
  us_socket_local_port,
  type us_listen_socket,
} from 'uWebSockets.js';
import type { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { SnapshotReader } from '../../snapshot/local/reader.js';
import { WorkerPool } from '../../workers/pool.js';
import { createApp } from '../wire/app.js';
import {
  isToFront,
  type FromFront,
  type FrontSettings,
  type ServedCopy,
  type ToFront,
} from './control.js';
import { Tally } from './counters.js';
import { createHotMemories } from '../answers/finished-answers.js';
import { BodySender } from '../wire/body-sender.js';
import { createLog } from './log.js';
import { Pages } from '../answers/pages.js';
import { ROUTES } from '../routes/routes.js';
import { ServedSnapshot } from '../answers/served.js';
import { createService } from '../answers/front-state.js';

/** How long no request has to come in before a draining front believes that its clients are gone. */
const QUIET_MS = 300;
const DRAIN_LOOK_MS = 50;

/** Jobs that may wait for a thread; more than that is overload. */
const QUEUE_MAX = 256;

const service = createService();
const tally = new Tally();
/** Not closed yet: the active snapshot and those that somebody still reads. */
const open = new Set<LeasedSnapshot>();
/** Directories of those whose damage was told. */
const damaged = new Set<string>();
const hot = createHotMemories();
let listenSocket: us_listen_socket | undefined;
/** Made by `start`, which comes before every `activate`. */
let pool: WorkerPool | undefined;

process.on('message', (message: unknown) => {
  if (isToFront(message)) obey(message);
});
// The supervisor is gone: nobody would tell of a swap any more (contract §9).
process.once('disconnect', () => {
  drain(30_000);
});
process.once('SIGTERM', () => {
  drain(30_000);
});
// A terminal sends it to the whole group; the supervisor tells us what to do about it.
process.on('SIGINT', () => undefined);

function tell(message: FromFront): void {
  if (process.connected) process.send?.(message);
}

function obey(message: ToFront): void {
  switch (message.kind) {
    case 'start':
      start(message.settings);
      break;
    case 'activate':
      activate(message);
      break;
    case 'unavailable':
      service.unavailable = { reason: message.reason, detail: message.detail };
      swap(undefined);
      break;
    case 'store':
      service.store = message.store;
      break;
    case 'count':
      tell({ kind: 'counters', counters: tally.read(leases()) });
      break;
    case 'drain':
      drain(message.timeLimitMs);
      break;
  }
}

function start(settings: FrontSettings): void {
  const log = createLog({ level: settings.logLevel, part: 'front' });
  const app = createApp({
    routes: ROUTES,
    service,
    tally,
    onBug: (error, target) => {
      log.error({ target, reason: String(error) }, 'a handler threw');
    },
  });
  service.baseUrl = settings;
  service.pages = new Pages(settings);
  pool = new WorkerPool({ threads: settings.workerThreads, maxQueue: QUEUE_MAX });
  service.pool = pool;
  BodySender.startRetrying();
  app.listen(settings.host, settings.port, (socket) => {
    if (socket === false) {
      tell({
        kind: 'not_listening',
        message: `cannot listen on ${settings.host}:${settings.port}`,
      });
      process.exitCode = 1;
      process.disconnect();
      return;
    }
    listenSocket = socket;
    tell({ kind: 'listening', port: us_socket_local_port(socket) });
  });
}

/** Opens the copy and makes it the active one between two requests; a failure leaves the old one serving. */
function activate(copy: ServedCopy): void {
  const { directory } = copy;
  const startedAt = performance.now();
  try {
    const served =
      service.served?.snapshot.reader.directory === directory ? service.served : openCopy(copy);
    if (served !== service.served) {
      swap(served);
      warm(served);
    }
    const { generatedAtMs } = served.snapshot.reader.header;
    const milliseconds = performance.now() - startedAt;
    tell({ kind: 'activated', directory, generatedAtMs, milliseconds });
  } catch (error) {
    tell({ kind: 'failed', directory, message: String(error) });
  }
}

function openCopy({ directory, build }: ServedCopy): ServedSnapshot {
  const workers = pool;
  assert(workers, 'a snapshot is activated after the start');
  const leased = new LeasedSnapshot(new SnapshotReader(directory), () => {
    open.delete(leased);
    damaged.delete(directory);
    workers.retire(directory);
    tell({ kind: 'released', directory });
  });
  open.add(leased);
  return new ServedSnapshot(leased, { build, pool: workers, hot, onDamage });
}

/** Has what is asked for most often planned before anybody asks: else the first one waits while a worker opens the copy. */
function warm(served: ServedSnapshot): void {
  const { header } = served.snapshot.reader;
  for (const route of ROUTES) {
    if (route.kind !== 'planned') continue;
    const resolved = route.resolve(() => undefined, header);
    if (resolved.kind !== 'plan') continue;
    for (const gzip of [false, true]) {
      const wish = { gzip, ifNoneMatch: '', ifModifiedSince: '' };
      // Who asks for it will hear why it fails.
      void Promise.resolve(served.plan(resolved.request, wish)).catch(() => undefined);
    }
  }
}

/** Has the copy proved, and replaced: once, whoever else comes upon it. */
function onDamage(directory: string, error: SnapshotError): void {
  if (damaged.has(directory)) return;
  damaged.add(directory);
  tell({ kind: 'failed', directory, message: error.message });
}

/** The one assignment of contract §8. */
function swap(next: ServedSnapshot | undefined): void {
  const previous = service.served;
  service.served = next;
  previous?.snapshot.retire();
}

/** Stops accepting, lets answers finish, and ends the process with 0. */
function drain(timeLimitMs: number): void {
  if (service.draining) return;
  service.draining = true;
  if (listenSocket !== undefined) us_listen_socket_close(listenSocket);
  const deadline = performance.now() + timeLimitMs;
  let answered = tally.total;
  let quietSince = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (tally.total !== answered || tally.inFlight > 0) {
      answered = tally.total;
      quietSince = now;
    }
    if (now - quietSince < QUIET_MS && now < deadline) return;
    tell({ kind: 'drained' });
    process.exit(0);
  }, DRAIN_LOOK_MS);
}

function leases(): number {
  let sum = 0;
  for (const leased of open) sum += leased.leases;
  return sum;
}
