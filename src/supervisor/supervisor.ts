/** The composition root: settings → lock → port → fronts and following → listen → drain. It serves no request itself. */
import type { ChildProcess } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { BEAT_MS } from '../ipc/heartbeat.js';
import { LoopDelay } from '../ipc/loop-delay.js';
import type { FrontLimits } from '../ipc/messages.js';
import { LineOutput } from '../log/line-output.js';
import { createLog, type Log } from '../log/log.js';
import { storeAccess, type Settings } from '../settings.js';
import type { FollowEvent } from '../snapshot/follow/follow-event.js';
import { addressWithoutCredentials } from '../snapshot/store/address.js';
import { openPointer } from '../snapshot/store/open.js';
import type { PointerStore } from '../snapshot/store/snapshot-store.js';
import { Following } from './following.js';
import { Fronts } from './fronts.js';
import { frontSettings, limitsOf } from './limits.js';
import { lockDirectory, type DirectoryLock, type Restored } from './lock/directory-lock.js';
import { answerOperators, openAdminPort } from './operators/door.js';
import type { Instance } from './operators/instance.js';
import { SnapshotReadings } from './operators/snapshot-figures.js';
import { StatusBoard } from './operators/status-board.js';
import type { OperatorFiles } from './operator-files.js';
import { claimPort, describeAddress, reasonOf } from './port.js';
import { Reload } from './reload.js';
import { listenForSignals, type Signals } from './signals.js';
import { notifySystemd } from './systemd.js';
import {
  assertSameStore,
  endPredecessor,
  findPredecessor,
  isRunning,
  serveBeside,
  type Predecessor,
} from './take-over.js';

/** Time for the answers that are being sent when the service stops: enough for the largest one to a slow client. */
const DRAIN_MS = 30_000;

/** Delay before what has failed is tried again where this instance is all that serves. */
const INSIST_MS = 500;

/** The instance that was taken over from closes its port of metrics before it frees the directory. */
const ADMIN_PORT_MS = 5000;

/** What an operator is to do about a directory that others have changed (`docs/operations/running.md, "Local copies"`). */
const EXCLUDE = 'exclude LOCAL_DIR from programs that remove or move files';
const RESTORED = {
  sockets: `another program has removed its sockets; ${EXCLUDE}`,
  directory: `another program has removed or replaced it; snapshots are imported anew; ${EXCLUDE}`,
} as const satisfies Record<Restored, string>;
const LOST =
  'what is served is served on from memory, but nothing new is imported: remove what is in its place, or end who uses it';

/** What pages say where the operator says nothing: for one line of the log. */
export type Defaults = Readonly<Record<'name' | 'law' | 'clock' | 'set_by', string>>;

interface ServeOptions {
  readonly takeOver: boolean;
  /** Whether it takes over also from an instance that follows another store. */
  readonly otherStore: boolean;
  readonly defaults?: Defaults | undefined;
  /** The process of the first front, which may have been started by `startFrontProcess` already. */
  readonly front?: ChildProcess;
  /** Written already. */
  readonly files: OperatorFiles;
}

/**
 * Runs the service until SIGTERM or SIGINT, or until another instance has taken over; resolves with the exit code when
 * all of it is gone.
 *
 * A second signal ends it at once.
 *
 * @throws {Error} one line, when it cannot start: the port or the local directory is taken, or not to be had; or when it
 *   was to take over, and cannot.
 */
export async function serve(
  settings: Settings,
  { takeOver, otherStore, defaults, front, files }: ServeOptions,
): Promise<number> {
  const output = new LineOutput();
  const log = createLog({ level: settings.logLevel, part: 'supervisor', output });
  if (defaults !== undefined) log.info(defaults, 'pages stand under defaults');
  const signals = listenForSignals();
  const directory = join(resolve(settings.localDir), settings.keyPrefix);
  const lock = await lockDirectory(directory, { beside: takeOver });
  try {
    const predecessor = takeOver ? await findPredecessor(directory) : undefined;
    if (predecessor !== undefined && !otherStore) {
      assertSameStore(predecessor, addressWithoutCredentials(settings.snapshotStore));
    }
    const port = await choosePort(settings, predecessor);
    const on = { directory, lock, output, log, signals, predecessor, front, files };
    await new Supervisor({ ...on, settings: { ...settings, port } }).run();
    return 0;
  } finally {
    signals.close();
    await lock.release();
    await output.end();
  }
}

/** The port of the instance that is taken over from is shared with it; any other one is claimed. */
async function choosePort(
  settings: Settings,
  predecessor: Predecessor | undefined,
): Promise<number> {
  const isShared = predecessor !== undefined && [0, predecessor.port].includes(settings.port);
  return isShared ? predecessor.port : await claimPort(settings);
}

interface SupervisorOptions {
  /** With the port that has been claimed. */
  readonly settings: Settings;
  readonly directory: string;
  readonly lock: DirectoryLock;
  /** Of the log. */
  readonly output: LineOutput;
  readonly log: Log;
  readonly signals: Signals;
  /** The instance that this one takes over from. */
  readonly predecessor: Predecessor | undefined;
  readonly front: ChildProcess | undefined;
  readonly files: OperatorFiles;
}

class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #store: PointerStore;
  readonly #board: StatusBoard;
  readonly #loopDelay = new LoopDelay();
  readonly #reload: Reload;
  readonly #limits: Promise<FrontLimits>;
  readonly #starting: Promise<Fronts>;
  readonly #following: Following;
  /** The copy that the instance serves that is taken over from. */
  #copyBeside: string | undefined;
  /** Whether the directory is this instance's to write in. */
  #ownsDirectory: boolean;
  #admin: { close(): void } | undefined;
  readonly #ending = new AbortController();
  /** A start that has failed says why itself, and events say nothing beside it. */
  #hasFailed = false;
  /** The look at the directory that is under way. */
  #keeping: Promise<void> | undefined;
  /** Why the directory cannot be made again, as the log has it. */
  #lostFor: string | undefined;

  constructor(options: SupervisorOptions) {
    const { settings, directory, log, predecessor, lock } = options;
    this.#options = options;
    this.#ownsDirectory = predecessor === undefined;
    this.#board = new StatusBoard(log);
    this.#reload = new Reload(log, this.#board.failures);
    const onNote = (note: string): void => {
      log.warn({ detail: note }, 'store warning');
    };
    this.#store = openPointer({ ...storeAccess(settings), onNote });
    this.#limits = limitsOf(settings);
    this.#starting = this.#limits.then((limits) => this.#startFronts(limits));
    this.#starting.catch(() => {
      this.#hasFailed = true;
    });
    this.#following = new Following({
      settings,
      directory,
      store: this.#store,
      log,
      starting: this.#starting,
      metrics: this.#board.metrics,
      ownsDirectory: () => lock.isOwn(),
      formerStore: predecessor?.storeAddress,
      alsoInUse: () =>
        this.#copyBeside !== undefined && predecessor !== undefined && isRunning(predecessor)
          ? [this.#copyBeside]
          : [],
      report: (event) => {
        this.#onEvent(event);
      },
    });
  }

  /** Resolves when the service has ended, and its fronts with it. */
  async run(): Promise<void> {
    const { lock, log, signals, predecessor } = this.#options;
    const beating = setInterval(() => {
      this.#loopDelay.record();
      void this.#keepDirectory();
    }, BEAT_MS).unref();
    // Whether another instance serves when this one ends.
    let isReplaced = predecessor !== undefined;
    try {
      const fronts = await this.#begin();
      const limits = await this.#limits;
      isReplaced = false;
      const listener = answerOperators(this.#describe(fronts, limits));
      await this.#openAdminPort(listener);
      this.#announce(limits);
      await this.#insist(() => lock.serve(listener));
      signals.onReload = () => {
        // The next instance finds this one by what lies in the directory.
        void this.#keepDirectory().then(() => {
          if (this.#lostFor === undefined) this.#reload.begin();
          else log.error({ reason: this.#lostFor }, 'cannot reload without the local directory');
        });
      };
      const reason = await signals.first;
      isReplaced = await lock.isAwaited().catch(() => false);
      log.info({ signal: reason, is_replaced: isReplaced }, 'draining');
      if (!isReplaced) void notifySystemd('STOPPING=1');
    } finally {
      this.#ending.abort();
      clearInterval(beating);
      this.#reload.end({ hasSuccessor: isReplaced });
      const until = isReplaced ? 'unconnected' : 'quiet';
      const drained = this.#starting.then((fronts) => fronts.drain(DRAIN_MS, until), ignored);
      await this.#keeping;
      await this.#following.end();
      this.#store.close();
      this.#admin?.close();
      this.#ownsDirectory = false;
      // Another instance that waits for the directory has it while this one finishes its answers.
      if (isReplaced) await lock.release();
      await drained;
    }
    log.info('stopped');
  }

  /** Has a snapshot served, where there is one; resolves when the service listens and follows the store. */
  async #begin(): Promise<Fronts> {
    const { signals, predecessor } = this.#options;
    const killOnSecond = (fronts: Fronts): void => {
      signals.onSecond = () => {
        fronts.kill();
      };
    };
    if (predecessor === undefined) {
      // The copy that is there is verified while the fronts load their libraries.
      const [fronts] = await Promise.all([this.#starting, this.#following.start()]);
      killOnSecond(fronts);
      return fronts;
    }
    const fronts = await this.#starting;
    killOnSecond(fronts);
    const ended = signals.first.then((signal) => {
      this.#ending.abort();
      throw new Error(`${signal} before the running instance was taken over from`);
    });
    await Promise.race([this.#takeOver(fronts, predecessor), ended]);
    return fronts;
  }

  async #takeOver(fronts: Fronts, found: Predecessor): Promise<void> {
    const { settings, directory, lock, log } = this.#options;
    const at = { predecessor: found, directory, settings, store: this.#store };
    const { predecessor, copy } = await serveBeside(fronts, at);
    const { snapshotId, store } = predecessor;
    this.#copyBeside = copy;
    this.#board.store = store;
    if (snapshotId !== undefined) this.#board.serves({ snapshotId });
    await this.#following.resumeArchive();
    this.#ending.signal.throwIfAborted();
    await fronts.listen();
    this.#ending.signal.throwIfAborted();
    await notifySystemd(`MAINPID=${process.pid}`, 'READY=1', statusOf(settings));
    // This instance may have been told to end at any moment before: then the other one serves on.
    this.#ending.signal.throwIfAborted();
    const hasLeft = await endPredecessor(predecessor, lock);
    this.#ownsDirectory = true;
    await this.#insist(() => this.#following.start());
    const values = { from_pid: predecessor.pid };
    if (hasLeft) log.info(values, 'has taken over');
    else log.error(values, 'has taken over, and killed the earlier instance, which did not end');
  }

  /**
   * Does what has to be done to run. Where another instance was taken over from, nobody else serves any more: what fails
   * then is tried again, and this one serves on.
   */
  async #insist(work: () => Promise<void>): Promise<void> {
    for (let said = ''; ;) {
      try {
        await work();
        return;
      } catch (error) {
        const { signal } = this.#ending;
        if (this.#options.predecessor === undefined || signal.aborted) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== said) this.#options.log.error({ reason }, 'folder cannot be taken over yet');
        said = reason;
        await after(INSIST_MS, undefined, { ref: false, signal });
      }
    }
  }

  async #startFronts(limits: FrontLimits): Promise<Fronts> {
    const { settings, log, predecessor, front } = this.#options;
    return await Fronts.start({
      settings: frontSettings(settings, limits),
      processes: settings.frontProcesses,
      // One that could not be started then may be now.
      first: front?.pid === undefined ? undefined : front,
      log,
      listens: predecessor === undefined,
      failures: this.#board.failures,
      following: this.#following,
    });
  }

  #onEvent(event: FollowEvent): void {
    // Then the process ends, and says why.
    if (this.#hasFailed) return;
    this.#board.record(event);
    if (event.kind !== 'store') return;
    void this.#starting.then((fronts) => {
      fronts.sendStore(event);
    }, ignored);
  }

  /** Makes again what other programs have removed from the directory, or the directory itself. Never fails. */
  #keepDirectory(): Promise<void> {
    if (!this.#ownsDirectory || this.#ending.signal.aborted) return Promise.resolve();
    this.#keeping ??= this.#restoreDirectory().finally(() => {
      this.#keeping = undefined;
    });
    return this.#keeping;
  }

  async #restoreDirectory(): Promise<void> {
    const { lock, directory, log, files } = this.#options;
    const report = (reason: string, what: string): void => {
      log.error({ directory, reason }, what);
      this.#board.failures.record({ kind: 'directory_lost', message: `${what}: ${reason}` });
    };
    try {
      const restored = await lock.restore();
      const wasLost = this.#lostFor !== undefined;
      this.#lostFor = undefined;
      if (restored !== undefined) report(RESTORED[restored], 'local directory made again');
      else if (wasLost) log.info({ directory }, 'local directory back');
      else return;
      await files.write();
      await this.#following.directoryRestored();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#lostFor) report(`${reason}; ${LOST}`, 'local directory lost');
      this.#lostFor = reason;
    }
  }

  #describe(fronts: Fronts, limits: FrontLimits): Instance {
    const { settings, directory } = this.#options;
    const following = this.#following;
    return {
      address: settings,
      directory,
      store: this.#store,
      fronts,
      board: this.#board,
      graceSeconds: settings.storeGraceSeconds,
      limits,
      frontProcesses: settings.frontProcesses,
      importing: () => following.importing,
      archive: () => following.archive,
      graceLeftSeconds: () => following.graceLeftSeconds,
      readings: new SnapshotReadings(),
      loopDelay: this.#loopDelay,
    };
  }

  async #openAdminPort(listener: RequestListener): Promise<void> {
    const { settings, log, predecessor } = this.#options;
    const { adminHost: host, adminPort: port } = settings;
    if (port === undefined) return;
    try {
      const retryForMs = predecessor === undefined ? 0 : ADMIN_PORT_MS;
      const admin = await openAdminPort(listener, { host, port, retryForMs });
      this.#admin = admin;
      log.info({ host, port: admin.port }, 'metrics listening');
    } catch (error) {
      if (predecessor === undefined) throw error;
      // What serves already goes on without its port for metrics.
      log.error({ reason: reasonOf(error) }, 'no metrics');
    }
  }

  #announce(limits: FrontLimits): void {
    const { settings, output, log, predecessor } = this.#options;
    const { host, port, frontProcesses, eventListeners } = settings;
    output.write(`bura listening on http://${describeAddress(settings)}\n`);
    const { largeBodiesMax: large_answers_max, fileBodiesMax: file_answers_max } = limits;
    const { connectionsMax: connections_max, listenersMax: listeners_max } = limits;
    const values = { large_answers_max, file_answers_max, connections_max, listeners_max };
    log.info({ host, port, fronts: frontProcesses, ...values }, 'listening');
    if (listeners_max * frontProcesses < eventListeners)
      log.warn({ connections_max, listeners_max }, 'fewer event listeners than EVENT_LISTENERS');
    if (predecessor === undefined) void notifySystemd('READY=1', statusOf(settings));
  }
}

const ignored = (): void => undefined;

function statusOf(settings: Settings): string {
  return `STATUS=serving on http://${describeAddress(settings)}`;
}
