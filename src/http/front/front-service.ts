/**
 * A front: its server, its worker threads and its open copies. Messages of the supervisor say what is served; it runs in a
 * process of its own (`front.ts`), or in a test.
 */
import { setTimeout as after } from 'node:timers/promises';
import { BEAT_MS, HUNG_BEATS, Silence } from '../../ipc/heartbeat.js';
import { LoopDelay } from '../../ipc/loop-delay.js';
import type {
  CopyInHistory,
  DrainEnd,
  FromFront,
  FrontSettings,
  ToFront,
} from '../../ipc/messages.js';
import { LineOutput, SHARED_STDOUT } from '../../log/line-output.js';
import { createLog, type Log } from '../../log/log.js';
import { WorkerPool } from '../../workers/pool.js';
import { changesAtSwap } from '../answers/changes-at-swap.js';
import { createFrontState, type FrontState } from '../answers/front-state.js';
import { pageSettings } from '../answers/page-settings.js';
import type { ServedSnapshot } from '../answers/served-snapshot.js';
import { eventOf } from '../answers/snapshot-events.js';
import { ENDPOINTS } from '../routes/routes.js';
import { prepare, type Preparation } from '../routing/prepare.js';
import { Router } from '../routing/router.js';
import { Server } from '../wire/server.js';
import { createAccessLog } from './access-log.js';
import { Counters } from './counters.js';
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

const LOG_REFUSED_MS = 60_000;

/** What a front needs of the process that it runs in. */
export interface FrontProcessDoor {
  send(message: FromFront): void;
  /** It has drained, or cannot listen. */
  exit(code: number): void;
}

export class FrontService {
  readonly #settings: FrontSettings;
  readonly #door: FrontProcessDoor;
  readonly #counters = new Counters(ENDPOINTS.map(({ path }) => path));
  readonly #loopDelay = new LoopDelay();
  /** Of the supervisor. */
  readonly #silence = new Silence();
  readonly #output: LineOutput;
  readonly #log: Log;
  readonly #pool: WorkerPool;
  readonly #copies: OpenCopies;
  readonly #state: FrontState;
  readonly #server: Server;
  /** Of the snapshot that was opened last. */
  #preparation: Preparation | undefined;
  /** Resolves when what the supervisor has asked for so far is served. */
  #changes = Promise.resolve();
  #isDraining = false;
  #refusedLoggedAt = -Infinity;

  constructor(settings: FrontSettings, door: FrontProcessDoor) {
    this.#settings = settings;
    this.#door = door;
    const counters = this.#counters;
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
    const send = door.send.bind(door);
    this.#output = output;
    this.#log = log;
    this.#pool = pool;
    this.#copies = new OpenCopies({ pool, retiredMax: settings.retiredCopies, log, send });
    const doubtHistory = (snapshotIds: readonly string[]): void => {
      send({ kind: 'history_damaged', snapshotIds });
    };
    const pages = pageSettings(settings);
    this.#state = createFrontState({ pool, baseUrl: settings, pages, doubtHistory });
    this.#server = this.#createServer();
    setInterval(() => {
      this.#onBeat();
    }, BEAT_MS).unref();
    send({ kind: 'started' });
  }

  onMessage(message: ToFront): void {
    switch (message.kind) {
      case 'start':
        break; // whoever has made this front
      case 'listen':
        this.#changes = this.#changes.then(() => this.#listen());
        break;
      case 'activate':
        this.#changes = this.#changes.then(() => this.#activate(message));
        break;
      case 'unavailable':
        this.#changes = this.#changes.then(() => {
          this.#state.unavailable = { reason: message.reason, detail: message.detail };
          this.#swap(undefined);
          this.#state.events.forget();
        });
        break;
      case 'store':
        this.#state.store = message.store;
        break;
      case 'history':
        // After the swap that it may be about.
        this.#changes = this.#changes.then(() => {
          this.#state.history.current = message.history;
        });
        break;
      case 'count':
        this.#sendCounters();
        break;
      case 'ping':
        this.#door.send({ kind: 'pong' });
        if (this.#silence.reset() >= HUNG_BEATS) this.#log.info('supervisor heard again');
        break;
      case 'drain':
        this.drain(message.timeLimitMs, message.until);
        break;
    }
  }

  /** Stops accepting, lets answers finish, and has the process end. */
  drain(timeLimitMs: number, until: DrainEnd): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const [state, server, counters] = [this.#state, this.#server, this.#counters];
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
      void this.#output.end().then(() => {
        this.#door.exit(0);
      });
    }, DRAIN_LOOK_MS);
  }

  #createServer(): Server {
    const settings = this.#settings;
    const state = this.#state;
    const router = new Router({
      endpoints: ENDPOINTS,
      state,
      onBug: (error, path) => {
        this.#log.error({ target: path, reason: String(error) }, 'a handler threw');
      },
    });
    return new Server(router, {
      trustProxy: settings.trustProxy,
      answerDeadlineMs: ANSWER_DEADLINE_MS,
      largeBodiesMax: settings.largeBodiesMax,
      listenersMax: settings.listenersMax,
      connectionsMax: settings.connectionsMax,
      onConnectionRefused: () => {
        this.#onConnectionRefused();
      },
      counters: this.#counters,
      beginAccess: createAccessLog({
        rate: settings.accessLog,
        withAddress: settings.accessLogAddress,
        log: createLog({ level: 'info', part: 'front', output: this.#output }),
        snapshotId: () => state.served?.snapshot.snapshotId,
      }),
    });
  }

  async #listen(): Promise<void> {
    const { host, port: wanted } = this.#settings;
    if (this.#isDraining) return;
    const port = await this.#server.listen(host, wanted);
    if (port !== undefined) {
      this.#door.send({ kind: 'listening', port });
      return;
    }
    this.#door.send({ kind: 'not_listening', message: `cannot listen on ${host}:${wanted}` });
    this.#door.exit(1);
  }

  /** A supervisor that is silent may only be stopped: what is served cannot change, and goes on being served. */
  #onBeat(): void {
    this.#loopDelay.record();
    if (this.#silence.beat() !== HUNG_BEATS || this.#isDraining) return;
    this.#counters.count('supervisorSilences');
    this.#log.warn('supervisor silent');
  }

  /** Counts each connection that is refused; the log says so once a minute at most. */
  #onConnectionRefused(): void {
    this.#counters.count('connectionsRefused');
    const now = performance.now();
    if (now - this.#refusedLoggedAt < LOG_REFUSED_MS) return;
    this.#refusedLoggedAt = now;
    this.#log.warn({ connections_max: this.#settings.connectionsMax }, 'too many connections');
  }

  #sendCounters(): void {
    const { connections, largeAnswers, listeners: eventListeners } = this.#server;
    const waitingSeconds = this.#pool.waitingMs / 1000;
    const { leases } = this.#copies;
    const held = { connections, largeAnswers, eventListeners, waitingSeconds, leases };
    this.#door.send({
      kind: 'counters',
      cells: this.#counters.read(held),
      routes: this.#counters.routes,
      loopDelays: this.#loopDelay.cells,
    });
  }

  /** Opens the copy and makes it the active one between two requests; a failure leaves the old one serving. */
  async #activate(copy: CopyInHistory): Promise<void> {
    const { directory, history } = copy;
    const state = this.#state;
    const startedAt = performance.now();
    try {
      const served = this.#copies.open(copy);
      if (served === state.served) {
        state.history.current = history;
        this.#announce(served, 0);
        return;
      }
      const milliseconds = performance.now() - startedAt;
      this.#preparation?.abandon();
      const { header } = served.snapshot.reader;
      const { doubt } = state.history;
      // First, so that the event leaves with the swap.
      const past = { snapshotId: header.snapshotId, history, doubt };
      const changes = changesAtSwap(past, this.#pool);
      this.#preparation = prepare(ENDPOINTS, served, state);
      const { done } = this.#preparation;
      // Who serves nothing yet answers 503 until then.
      if (state.served !== undefined) await Promise.race([done, after(PREPARE_MS)]);
      this.#swap(served);
      state.history.current = history;
      void changes.then((counts) => {
        if (state.served === served) state.events.announce(eventOf(header, counts));
      });
      void Promise.race([done, after(ANNOUNCE_MS)]).then(() => {
        this.#announce(served, milliseconds);
      });
    } catch (error) {
      this.#door.send({ kind: 'failed', directory, message: String(error) });
    }
  }

  /** Notifies the supervisor that a copy is served, unless another one is by now. */
  #announce(served: ServedSnapshot, milliseconds: number): void {
    if (served !== this.#state.served) return;
    const { directory, header } = served.snapshot.reader;
    const { generatedAtMs } = header;
    this.#door.send({ kind: 'activated', directory, generatedAtMs, milliseconds });
  }

  /** The one assignment by which requests are answered from another snapshot. */
  #swap(next: ServedSnapshot | undefined): void {
    const previous = this.#state.served;
    this.#state.served = next;
    if (previous === undefined || previous === next) return;
    previous.forget();
    if (previous.snapshot !== next?.snapshot) this.#copies.retire(previous.snapshot);
  }
}
