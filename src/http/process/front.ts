/** Entry point of a front process: its server and its open snapshots, swapped on messages from the supervisor. */
import { onLoaded } from './loading-failure.js';
import assert from 'node:assert/strict';
import { setTimeout as after } from 'node:timers/promises';
import { WorkerPool } from '../../workers/pool.js';
import { changesAtSwap } from '../answers/changes-at-swap.js';
import { createFrontState, type FrontState } from '../answers/front-state.js';
import { pageSettings } from '../answers/page-settings.js';
import { eventOf } from '../answers/snapshot-events.js';
import type { ServedSnapshot } from '../answers/served-snapshot.js';
import { ENDPOINTS } from '../routes/routes.js';
import { prepare, type Preparation } from '../routing/prepare.js';
import { Router } from '../routing/router.js';
import { Server } from '../wire/server.js';
import {
  isToFront,
  type DrainEnd,
  type FromFront,
  type CopyInHistory,
  type ToFront,
} from './control.js';
import type { FrontSettings } from './front-settings.js';
import { createAccessLog } from './access/access-log.js';
import { Counters, type Held } from './metrics/counters.js';
import { LoopDelay } from './metrics/loop-delay.js';
import { BEAT_MS, HUNG_BEATS, Silence } from './heartbeat.js';
import { LineOutput, SHARED_STDOUT } from './line-output.js';
import { createLog, type Log } from './log.js';
import { OpenCopies } from './open-copies.js';

/** How long no request has to come in before a front that drains believes that its clients are gone. */
const QUIET_MS = 300;
const DRAIN_LOOK_MS = 50;

/** Time for an answer that a worker makes: who has waited longer gets 503, and the job is not begun for them. */
const ANSWER_DEADLINE_MS = 15_000;

/** Time for the answers that everybody asks for before the swap: short, since a rollback is to be seen soon. */
const PREPARE_MS = 30;

/** The same after the swap, before it is announced. */
const ANNOUNCE_MS = 5000;

const counters = new Counters(ENDPOINTS.map(({ path }) => path));
const loopDelay = new LoopDelay();
/** Of the snapshot that was opened last. */
let preparation: Preparation | undefined;
/** Resolves when what the supervisor has asked for so far is served. */
let changes = Promise.resolve();
/** Of the supervisor. */
const silence = new Silence();
let isDraining = false;
/** Made by `start`, which comes before every other message. */
let front: Front | undefined;

interface Front {
  readonly settings: FrontSettings;
  readonly copies: OpenCopies;
  readonly log: Log;
  readonly output: LineOutput;
  readonly pool: WorkerPool;
  readonly state: FrontState;
  readonly server: Server;
}

onLoaded();
process.on('message', (message: unknown) => {
  if (isToFront(message)) onMessage(message);
});
// The supervisor is gone: no message about a swap would arrive any more.
process.once('disconnect', () => {
  drain(30_000, 'quiet');
});
process.once('SIGTERM', () => {
  drain(30_000, 'quiet');
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
    case 'listen':
      changes = changes.then(listen);
      break;
    case 'activate':
      changes = changes.then(() => activate(message));
      break;
    case 'unavailable':
      changes = changes.then(() => {
        started().state.unavailable = { reason: message.reason, detail: message.detail };
        swap(undefined);
        started().state.events.forget();
      });
      break;
    case 'store':
      started().state.store = message.store;
      break;
    case 'history':
      // After the swap that it may be about.
      changes = changes.then(() => {
        started().state.history.current = message.history;
      });
      break;
    case 'count':
      send({ kind: 'counters', counters: counters.read(heldBy(started())) });
      break;
    case 'ping':
      send({ kind: 'pong' });
      if (silence.heard() >= HUNG_BEATS) started().log.info('supervisor heard again');
      break;
    case 'drain':
      drain(message.timeLimitMs, message.until);
      break;
  }
}

function start(settings: FrontSettings): void {
  const output = new LineOutput(SHARED_STDOUT, () => {
    counters.count('logLinesDropped');
  });
  const log = createLog({ level: settings.logLevel, part: 'front', output });
  const pool = new WorkerPool({
    threads: settings.workerThreads,
    count: (what) => {
      counters.count(what);
    },
    onTime: (what, kind, milliseconds) => {
      counters.job(what, kind, milliseconds);
    },
  });
  const pages = pageSettings(settings);
  const doubtHistory = (snapshotIds: readonly string[]): void => {
    send({ kind: 'history_damaged', snapshotIds });
  };
  const state = createFrontState({ pool, baseUrl: settings, pages, doubtHistory });
  const router = new Router({
    endpoints: ENDPOINTS,
    state,
    onBug: (error, path) => {
      log.error({ target: path, reason: String(error) }, 'a handler threw');
    },
  });
  const server = new Server(router, {
    trustProxy: settings.trustProxy,
    answerDeadlineMs: ANSWER_DEADLINE_MS,
    largeBodiesMax: settings.largeBodiesMax,
    listenersMax: settings.listenersMax,
    connectionsMax: settings.connectionsMax,
    onConnectionRefused: onceAMinute(log, settings.connectionsMax),
    counters,
    beginAccess: createAccessLog({
      rate: settings.accessLog,
      withAddress: settings.accessLogAddress,
      log: createLog({ level: 'info', part: 'front', output }),
      snapshotId: () => state.served?.snapshot.snapshotId,
    }),
  });
  const copies = new OpenCopies({ pool, retiredMax: settings.retiredCopies, log, send });
  front = { settings, log, output, copies, pool, state, server };
  setInterval(onBeat, BEAT_MS).unref();
  send({ kind: 'started' });
}

async function listen(): Promise<void> {
  const { server, settings } = started();
  if (isDraining) return;
  const port = await server.listen(settings.host, settings.port);
  if (port !== undefined) {
    send({ kind: 'listening', port });
    return;
  }
  const message = `cannot listen on ${settings.host}:${settings.port}`;
  send({ kind: 'not_listening', message });
  process.exitCode = 1;
  process.disconnect();
}

/** What this process holds now. */
function heldBy({ copies, pool, server }: Front): Held {
  return {
    connections: server.connections,
    largeAnswers: server.largeAnswers,
    eventListeners: server.listeners,
    waitingSeconds: pool.waitingMs / 1000,
    leases: copies.leases,
  };
}

/** A supervisor that is silent may only be stopped: what is served cannot change, and goes on being served. */
function onBeat(): void {
  counters.loopDelayed(loopDelay.take());
  if (silence.beat() !== HUNG_BEATS || !process.connected) return;
  counters.count('supervisorSilences');
  started().log.warn('supervisor silent');
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
async function activate(copy: CopyInHistory): Promise<void> {
  const { state, copies, pool } = started();
  const { directory } = copy;
  const startedAt = performance.now();
  try {
    const served = copies.open(copy);
    if (served === state.served) {
      state.history.current = copy.history;
      announce(served, 0);
      return;
    }
    const milliseconds = performance.now() - startedAt;
    preparation?.abandon();
    const { header } = served.snapshot.reader;
    const { snapshotId } = header;
    const { doubt } = state.history;
    // First, so that the event leaves with the swap.
    const changes = changesAtSwap({ snapshotId, history: copy.history, doubt }, pool);
    preparation = prepare(ENDPOINTS, served, state);
    const { done } = preparation;
    // Who serves nothing yet answers 503 until then.
    if (state.served !== undefined) await Promise.race([done, after(PREPARE_MS)]);
    swap(served);
    state.history.current = copy.history;
    void changes.then((counts) => {
      if (state.served === served) state.events.announce(eventOf(header, counts));
    });
    void Promise.race([done, after(ANNOUNCE_MS)]).then(() => {
      announce(served, milliseconds);
    });
  } catch (error) {
    send({ kind: 'failed', directory, message: String(error) });
  }
}

/** Notifies the supervisor that a copy is served, unless another one is by now. */
function announce(served: ServedSnapshot, milliseconds: number): void {
  if (served !== started().state.served) return;
  const { directory, header } = served.snapshot.reader;
  send({ kind: 'activated', directory, generatedAtMs: header.generatedAtMs, milliseconds });
}

/** The one assignment by which requests are answered from another snapshot. */
function swap(next: ServedSnapshot | undefined): void {
  const { state, copies } = started();
  const previous = state.served;
  state.served = next;
  if (previous === undefined || previous === next) return;
  previous.forget();
  if (previous.snapshot !== next?.snapshot) copies.retire(previous.snapshot);
}

/** Stops accepting, lets answers finish, and ends the process with 0. */
function drain(timeLimitMs: number, until: DrainEnd): void {
  const { state, server } = started();
  if (isDraining) return;
  isDraining = true;
  server.drain();
  state.events.close();
  // Where another instance serves, readiness is a matter of that one, and of this one as it has been.
  state.isDraining = until === 'quiet';
  // Right after a poll the library has accepted whoever had connected: the others are reset by the kernel.
  setImmediate(() => {
    server.stopListening();
  });
  const deadline = performance.now() + timeLimitMs;
  let answered = counters.total;
  let quietSince = performance.now();
  const looking = setInterval(() => {
    const now = performance.now();
    if (counters.total !== answered || counters.inFlight > 0) {
      answered = counters.total;
      quietSince = now;
    }
    const isQuiet = now - quietSince >= QUIET_MS;
    const isOver = until === 'quiet' ? isQuiet : server.connections === 0;
    if (!isOver && now < deadline) return;
    clearInterval(looking);
    send({ kind: 'drained' });
    void started()
      .output.end()
      .then(() => process.exit(0));
  }, DRAIN_LOOK_MS);
}
