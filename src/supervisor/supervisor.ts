/**
 * Composes the service: settings, lock, port, fronts, following, listening, drain. The fronts answer clients; this
 * process answers only operators.
 */
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { BEAT_MS } from '../ipc/heartbeat.js';
import { LoopDelay } from '../ipc/loop-delay.js';
import type { FrontLimits } from '../ipc/front-messages.js';
import { LineOutput } from '../log/line-output.js';
import { createLog, type Log } from '../log/log.js';
import { storeAccess, type Settings } from '../settings.js';
import type { FollowEvent } from '../snapshot/follow/follow-event.js';
import { openPointer } from '../snapshot/store/open.js';
import type { PointerStore } from '../snapshot/store/snapshot-store.js';
import { Following } from './following.js';
import type { Child } from './child-process.js';
import { Fronts } from './fronts.js';
import { frontSettings, limitsOf } from './limits.js';
import { DirectoryLock } from './lock/directory-lock.js';
import { answerOperators, openAdminPort } from './operators/door.js';
import type { Instance } from './operators/instance.js';
import { SnapshotReadings } from './operators/snapshot-figures.js';
import { StatusBoard } from './operators/status-board.js';
import { claimPort, describeAddress } from './port.js';
import { listenForSignals, type Signals } from './signals.js';
import { notifySystemd } from './systemd.js';

/** Time for pending answers at the end: enough for the largest one to a slow client. */
const DRAIN_MS = 30_000;

/** Drain time after the loss of the local directory, for a quick restart. */
const LOST_DRAIN_MS = 2000;

/** Advice for the operator (`docs/operations/running.md, "Local copies"`). */
const LOST =
  'another program has removed or replaced it; this instance ends, and the next one makes it again; exclude LOCAL_DIR from programs that remove or move files';

/**
 * Name, law and clock that the pages show where the operator has set none, and the place where an operator sets them;
 * for one log line.
 */
export type Defaults = Readonly<Record<'name' | 'law' | 'clock' | 'set_by', string>>;

interface ServeOptions {
  readonly defaults?: Defaults | undefined;
  /** The first front's process, if already started by `startFrontProcess`. */
  readonly front?: Child;
}

/**
 * Runs the service until SIGTERM, SIGINT or the loss of its local directory; resolves with the exit code when all
 * processes are gone. A second signal ends it at once.
 *
 * @throws {Error} one line, when the port or the local directory is in use or cannot be had.
 */
export async function serve(
  settings: Settings,
  { defaults, front }: ServeOptions,
): Promise<number> {
  const output = new LineOutput();
  const log = createLog({ level: settings.logLevel, part: 'supervisor', output });
  if (defaults !== undefined) log.info(defaults, 'pages use default statements');
  const signals = listenForSignals();
  const directory = join(resolve(settings.localDir), settings.keyPrefix);
  const lock = await DirectoryLock.take(directory);
  const onNote = (note: string): void => {
    log.warn({ detail: note }, 'store warning');
  };
  const store = openPointer({ ...storeAccess(settings), onNote });
  try {
    const port = await claimPort(settings);
    const on = { directory, store, lock, output, log, signals, front };
    return await new Supervisor({ ...on, settings: { ...settings, port } }).run();
  } finally {
    signals.close();
    lock.release();
    await output.end();
    // Node waits at the exit for a read of a hanging disk; the signal ends the process at once.
    if (store.isReading === true) process.kill(process.pid, 'SIGTERM');
  }
}

interface SupervisorOptions {
  /** The settings with the claimed port. */
  readonly settings: Settings;
  readonly directory: string;
  readonly store: PointerStore;
  readonly lock: DirectoryLock;
  readonly output: LineOutput;
  readonly log: Log;
  readonly signals: Signals;
  readonly front: Child | undefined;
}

class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #board: StatusBoard;
  readonly #loopDelay = new LoopDelay();
  readonly #limits: Promise<FrontLimits>;
  readonly #starting: Promise<Fronts>;
  readonly #following: Following;
  #admin: { close(): void } | undefined;
  /** Whether the start has failed: its message suffices, so later events are not reported. */
  #hasFailed = false;

  constructor(options: SupervisorOptions) {
    const { settings, directory, store, log } = options;
    this.#options = options;
    this.#board = new StatusBoard(log);
    this.#limits = limitsOf(settings);
    this.#starting = this.#limits.then((limits) => this.#startFronts(limits));
    this.#starting.catch(() => {
      this.#hasFailed = true;
    });
    this.#following = new Following({
      settings,
      directory,
      store,
      log,
      starting: this.#starting,
      metrics: this.#board.metrics,
      report: this.#onEvent.bind(this),
    });
  }

  /** Resolves with the exit code at the end of the service and its fronts. */
  async run(): Promise<number> {
    const { lock, log, signals } = this.#options;
    const lost = this.#watchDirectory();
    let drainMs = DRAIN_MS;
    try {
      // The existing copy is verified while the fronts load.
      const [fronts] = await Promise.all([this.#starting, this.#following.start()]);
      signals.onSecond = () => {
        fronts.kill();
      };
      const limits = await this.#limits;
      const listener = answerOperators(this.#describe(fronts, limits));
      await this.#openAdminPort(listener);
      lock.serve(listener);
      void notifySystemd('READY=1');
      const end = Promise.race([signals.first, lost.noticed]);
      const listening = fronts.listening().then(() => {
        this.#announce(limits);
        return end;
      });
      const reason = await Promise.race([end, listening]);
      if (reason === 'lost') drainMs = LOST_DRAIN_MS;
      else log.info({ signal: reason }, 'draining');
      void notifySystemd('STOPPING=1');
      return reason === 'lost' ? 1 : 0;
    } finally {
      lost.stop();
      const drained = this.#starting.then((fronts) => fronts.drain(drainMs), ignored);
      await this.#following.end();
      this.#options.store.close();
      this.#admin?.close();
      await drained;
      log.info('stopped');
    }
  }

  /** Checks at each beat whether the local directory is in place; `noticed` resolves when it is not. */
  #watchDirectory(): { readonly noticed: Promise<'lost'>; stop(): void } {
    const { lock, directory, log } = this.#options;
    let looking: Promise<void> | undefined;
    let timer: NodeJS.Timeout | undefined;
    const noticed = new Promise<'lost'>((resolve) => {
      const look = async (): Promise<void> => {
        // A failing disk does not mean that the directory is gone.
        const isInPlace = await lock.isInPlace().catch(() => true);
        looking = undefined;
        if (isInPlace) return;
        clearInterval(timer);
        log.error({ directory, reason: LOST }, 'local directory lost');
        resolve('lost');
      };
      timer = setInterval(() => {
        this.#loopDelay.record();
        // One check at a time: a hanging disk blocks a thread.
        looking ??= look();
      }, BEAT_MS).unref();
    });
    return {
      noticed,
      stop: () => {
        clearInterval(timer);
      },
    };
  }

  async #startFronts(limits: FrontLimits): Promise<Fronts> {
    const { settings, log, front } = this.#options;
    return await Fronts.start({
      settings: frontSettings(settings, limits),
      processes: settings.frontProcesses,
      // A process that failed to start is started again.
      first: front?.process.pid === undefined ? undefined : front,
      log,
      failures: this.#board.failures,
      following: this.#following,
    });
  }

  #onEvent(event: FollowEvent): void {
    if (this.#hasFailed) return;
    this.#board.record(event);
    if (event.kind !== 'store') return;
    void this.#starting.then((fronts) => {
      fronts.sendStore(event);
    }, ignored);
  }

  #describe(fronts: Fronts, limits: FrontLimits): Instance {
    const { settings, directory, store } = this.#options;
    return {
      settings,
      directory,
      store,
      fronts,
      board: this.#board,
      limits,
      following: this.#following,
      readings: new SnapshotReadings(),
      loopDelay: this.#loopDelay,
    };
  }

  async #openAdminPort(listener: RequestListener): Promise<void> {
    const { settings, log } = this.#options;
    const { adminHost: host, adminPort: port } = settings;
    if (port === undefined) return;
    const admin = await openAdminPort(listener, { host, port });
    this.#admin = admin;
    log.info({ host, port: admin.port }, 'metrics listening');
  }

  #announce(limits: FrontLimits): void {
    const { settings, output, log } = this.#options;
    const { host, port, frontProcesses, eventListeners } = settings;
    output.write(`bura listening on http://${describeAddress(settings)}\n`);
    const { largeBodiesMax: large_answers_max, fileBodiesMax: file_answers_max } = limits;
    const { connectionsMax: connections_max, listenersMax: listeners_max } = limits;
    const values = { large_answers_max, file_answers_max, connections_max, listeners_max };
    log.info({ host, port, fronts: frontProcesses, ...values }, 'listening');
    if (listeners_max * frontProcesses < eventListeners)
      log.warn({ connections_max, listeners_max }, 'fewer event listeners than EVENT_LISTENERS');
    void notifySystemd(`STATUS=serving on http://${describeAddress(settings)}`);
  }
}

const ignored = (): void => undefined;
