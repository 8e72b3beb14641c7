/** A front: server, worker threads and open copies, controlled by messages of the supervisor (process: `front.ts`). */
import { BEAT_MS, HUNG_BEATS, MissedBeats } from '../../ipc/heartbeat.js';
import { LoopDelay } from '../../ipc/loop-delay.js';
import type { CopyInHistory, FromFront, FrontSettings, ToFront } from '../../ipc/front-messages.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { LineOutput, SHARED_STDOUT } from '../../log/line-output.js';
import { createLog, type Log } from '../../log/log.js';
import { WorkerPool } from '../../workers/pool.js';
import { ArchiveFiles } from '../answers/archive-files.js';
import { changesAtSwap } from '../answers/changes-at-swap.js';
import { FrontHistory } from '../answers/front-history.js';
import { createFrontState, type FrontState } from '../answers/front-state.js';
import { pageSettings } from '../answers/page-settings.js';
import type { SnapshotAnswers } from '../answers/snapshot-answers.js';
import { eventData } from '../answers/snapshot-events.js';
import { NOT_FOUND_PAGES } from '../../pages/pages.js';
import { ENDPOINTS } from '../routes/routes.js';
import { Router } from '../routing/router.js';
import { Server } from '../wire/server.js';
import { createAccessLog } from './access-log.js';
import { Counters } from './counters.js';
import { FailedAnswersLog } from './failed-answers-log.js';
import { OpenCopies } from './open-copies.js';

/** A draining front without a request for this long has no clients left. */
const QUIET_MS = 300;
const DRAIN_POLL_MS = 50;

/** Time limit for a rendered answer; then its client gets 503, and a waiting job is dropped. */
const ANSWER_DEADLINE_MS = 15_000;

/** Shortest interval between two log lines with the same message. */
const LOG_AGAIN_MS = 60_000;

export interface FrontProcessDoor {
  send(message: FromFront): void;
  /** Called when the front has drained, or cannot listen. */
  exit(code: number): void;
}

export class FrontService {
  readonly #settings: FrontSettings;
  readonly #door: FrontProcessDoor;
  readonly #counters: Counters;
  readonly #loopDelay = new LoopDelay();
  readonly #missedBeats = new MissedBeats();
  readonly #output: LineOutput;
  readonly #log: Log;
  readonly #pool: WorkerPool;
  readonly #copies: OpenCopies;
  readonly #state: FrontState;
  readonly #server: Server;
  #isDraining = false;
  #archive: Extract<ToFront, { readonly kind: 'archive' }> | undefined;
  readonly #loggedAt = new Map<string, number>();

  constructor(settings: FrontSettings, door: FrontProcessDoor) {
    this.#settings = settings;
    this.#door = door;
    const counters = new Counters(
      ENDPOINTS.map(({ path }) => path),
      (route, answer) => {
        failedAnswers.add(route, answer);
      },
    );
    const output = new LineOutput(SHARED_STDOUT, () => {
      counters.count('logLinesDropped');
    });
    const log = createLog({ level: settings.logLevel, part: 'front', output });
    const failedAnswers = new FailedAnswersLog(log);
    const pool = new WorkerPool({
      threads: settings.workerThreads,
      count: counters.count.bind(counters),
      onTime: counters.job.bind(counters),
    });
    const send = door.send.bind(door);
    this.#counters = counters;
    this.#output = output;
    this.#log = log;
    this.#pool = pool;
    this.#copies = new OpenCopies({ pool, retiredMax: settings.retiredCopies, log, send });
    const history = new FrontHistory((snapshotIds) => {
      send({ kind: 'history_damaged', snapshotIds });
    });
    const pages = pageSettings(settings);
    this.#state = createFrontState(pool, { baseUrl: settings, pages, history });
    this.#server = this.#createServer();
    setInterval(() => {
      this.#onBeat();
    }, BEAT_MS).unref();
    send({ kind: 'started', labels: counters.labels });
  }

  onMessage(message: ToFront): void {
    switch (message.kind) {
      case 'start':
        break; // handled by the process that has made this front
      case 'listen':
        void this.#listen();
        break;
      case 'activate':
        this.#activate(message);
        break;
      case 'unavailable':
        this.#state.unavailable = { reason: message.reason, detail: message.detail };
        this.#swap(undefined);
        this.#state.events.forget();
        break;
      case 'store':
        this.#state.store = message.store;
        break;
      case 'history':
        this.#state.history.current = message.history;
        break;
      case 'archive':
        this.#archive = message;
        this.#updateArchive();
        break;
      case 'count':
        this.#sendCounters();
        break;
      case 'ping':
        this.#door.send({ kind: 'pong' });
        if (this.#missedBeats.reset() >= HUNG_BEATS) this.#log.info('supervisor answers again');
        break;
      case 'drain':
        this.drain(message.timeLimitMs);
        break;
    }
  }

  /** Stops accepting connections, lets answers finish, and ends the process. */
  drain(timeLimitMs: number): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const [state, server, counters] = [this.#state, this.#server, this.#counters];
    server.drain();
    state.events.close();
    // With a shared port the front waits until no connection is open: idle ones end after ten seconds or more.
    const isBeside = this.#settings.portShared === 'on';
    state.isDraining = !isBeside;
    // Right after a poll no connection waits to be accepted; the kernel resets those that come later.
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
      const isOver = isBeside ? server.connections === 0 : isQuiet;
      if (!isOver && now < deadline) return;
      clearInterval(looking);
      void this.#output.end().then(() => {
        this.#door.exit(0);
      });
    }, DRAIN_POLL_MS);
  }

  #createServer(): Server {
    const settings = this.#settings;
    const router = new Router({
      endpoints: ENDPOINTS,
      state: this.#state,
      notFoundPages: NOT_FOUND_PAGES,
      onFailure: (error, path) => {
        const values = { target: path, reason: String(error) };
        if (error instanceof SnapshotError) this.#warnOnce(values, 'answer cannot be made');
        else this.#log.error(values, 'a request handler failed');
      },
    });
    return new Server(router, {
      ...settings,
      answerDeadlineMs: ANSWER_DEADLINE_MS,
      onConnectionRefused: () => {
        this.#counters.count('connectionsRefused');
        this.#warnOnce({ connections_max: settings.connectionsMax }, 'too many connections');
      },
      counters: this.#counters,
      beginAccess: createAccessLog({
        rate: settings.accessLog,
        withAddress: settings.accessLogAddress,
        log: createLog({ level: 'info', part: 'front', output: this.#output }),
        snapshotId: () => this.#state.served?.snapshot.snapshotId,
      }),
    });
  }

  async #listen(): Promise<void> {
    const { host, port: wanted, portShared } = this.#settings;
    if (this.#isDraining) return;
    const port = await this.#server.listen(host, wanted);
    if (port !== undefined) {
      this.#door.send({ kind: 'listening', port });
      return;
    }
    const why = portShared === 'on' ? ': the process that has the port does not share it' : '';
    const message = `cannot listen on ${host}:${wanted}${why}`;
    this.#door.send({ kind: 'not_listening', message });
    this.#door.exit(1);
  }

  /** Reports a silent supervisor, which may only be paused; the snapshot stays active. */
  #onBeat(): void {
    this.#loopDelay.record();
    if (this.#missedBeats.beat() !== HUNG_BEATS || this.#isDraining) return;
    this.#counters.count('supervisorSilences');
    this.#log.warn('supervisor silent');
  }

  /** Logs a message at most once a minute. */
  #warnOnce(values: Readonly<Record<string, unknown>>, message: string): void {
    const now = performance.now();
    if (now - (this.#loggedAt.get(message) ?? -Infinity) < LOG_AGAIN_MS) return;
    this.#loggedAt.set(message, now);
    this.#log.warn(values, message);
  }

  #sendCounters(): void {
    const { connections, largeAnswers, listeners: eventListeners } = this.#server;
    const waitingSeconds = this.#pool.waitingMs / 1000;
    const { leases } = this.#copies;
    const held = { connections, largeAnswers, eventListeners, waitingSeconds, leases };
    this.#door.send({
      kind: 'counters',
      cells: this.#counters.read(held),
      loopDelays: this.#loopDelay.cells,
    });
  }

  /** Opens the copy and activates it; after a failure the former snapshot stays active. */
  #activate(copy: CopyInHistory): void {
    const { directory, history } = copy;
    const state = this.#state;
    try {
      const served = this.#copies.open(copy);
      const { header } = served.snapshot.reader;
      const { snapshotId, generatedAtMs } = header;
      if (served !== state.served) this.#swap(served);
      state.former = this.#copies.keepFormer(copy);
      state.history.current = history;
      this.#door.send({ kind: 'activated', directory, generatedAtMs });
      state.events.announce({
        snapshotId,
        data: async () =>
          eventData(header, await changesAtSwap(snapshotId, state.history, this.#pool)),
      });
    } catch (error) {
      this.#door.send({ kind: 'failed', directory, message: String(error) });
    }
  }

  /** Updates the archive, which excludes what the active snapshot hides; without a snapshot it is not available. */
  #updateArchive(): void {
    const { served } = this.#state;
    const { folder = '', archive } = this.#archive ?? {};
    const isKnown = archive?.kind === 'there' && served !== undefined;
    if (!isKnown) this.#state.archive = archive?.kind === 'none' ? 'none' : undefined;
    else {
      this.#state.archive = new ArchiveFiles(archive, {
        folder,
        hidden: served.hidden,
        onDamage: (sha256) => {
          this.#door.send({ kind: 'archive_damaged', sha256 });
        },
      });
    }
  }

  /** The only assignment that changes the snapshot of later requests. */
  #swap(next: SnapshotAnswers | undefined): void {
    const previous = this.#state.served;
    this.#state.served = next;
    this.#updateArchive();
    if (previous === undefined || previous === next) return;
    previous.forget();
    if (previous.snapshot !== next?.snapshot) this.#copies.retire(previous.snapshot);
  }
}
