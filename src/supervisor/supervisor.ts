/** The composition root: settings → lock → port → fronts and following → listen → drain. It serves no request itself. */
import { join, resolve } from 'node:path';
import { BUILD_ID } from '../build-id.js';
import { storeAccess, type Settings } from '../settings.js';
import { lockDirectory, type DirectoryLock } from '../snapshot/local/lock/directory-lock.js';
import { openPointer } from '../snapshot/store/open.js';
import type { PointerStore } from '../snapshot/store/store.js';
import { frontSettings, limitsOf, type FrontLimits } from './front-settings.js';
import { Fronts } from './fronts.js';
import { LeftoverFronts } from './leftover-fronts.js';
import { LineOutput } from '../log/line-output.js';
import { createLog, type Log } from '../log/log.js';
import { logEvent } from './log-event.js';
import { openAdmin, type Admin } from './operators/admin.js';
import type { Metrics } from './operators/metrics.js';
import type { ScrapeOptions } from './operators/scrape.js';
import { claimPort, reasonOf, describeAddress } from './port.js';
import { FirstServing } from './restart/first-serving.js';
import { Following } from './restart/following.js';
import { HandOver, type RunningInstance } from './restart/hand-over.js';
import { Reload } from './restart/reload.js';
import { listenForSignals, type Signals } from './restart/signals.js';
import { notifySystemd } from './restart/systemd.js';
import { beginTakeOver, type TakeOver } from './restart/take-over.js';
import { IMPORT_DEADLINE_MS, startFollowing } from './start-following.js';
import { StatusBoard } from './operators/instance-status.js';
import { RecentFailures } from './operators/recent-failures.js';
import type { SystemLimits } from './system-limits.js';

/** Time for the answers that are being sent when the service stops: enough for the largest one to a slow client. */
const DRAIN_MS = 30_000;

/** An instance that was taken over from ends its own fronts after that; any that are left then have no supervisor. */
const PREDECESSOR_MS = DRAIN_MS + 5000;

/** The instance that was taken over from closes its port of metrics before it says that it has left. */
const FREE_MS = 5000;

/** What the running instance serves, one that takes over has to serve too, after an import if need be. */
const SERVING_MS = IMPORT_DEADLINE_MS + 30_000;

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
  { takeOver }: { readonly takeOver: boolean },
): Promise<number> {
  const output = new LineOutput();
  const log = createLog({ level: settings.logLevel, part: 'supervisor', output });
  const signals = listenForSignals();
  const directory = join(resolve(settings.localDir), settings.keyPrefix);
  const { lock, from } = takeOver
    ? await beginTakeOver(directory)
    : { lock: await lockDirectory(directory), from: undefined };
  const handOver = new HandOver(lock, log);
  try {
    const leftovers = new LeftoverFronts(directory, (pid) => {
      log.warn({ front_pid: pid }, 'leftover front killed');
    });
    // The other instance looks after its fronts itself.
    if (from === undefined) await leftovers.killStopped();
    const port = await choosePort(settings, { leftovers, from });
    const on = { directory, lock, output, log, signals, leftovers, handOver, from };
    await run({ ...on, settings: { ...settings, port } });
    return 0;
  } finally {
    signals.close();
    from?.close();
    // In this order: whoever takes over sees that nobody has the lock any more.
    await lock.release();
    handOver.close();
    await output.end();
  }
}

/** The port of the instance that is taken over from is shared with it; any other one is claimed. */
async function choosePort(
  settings: Settings,
  { leftovers, from }: Pick<Running, 'leftovers' | 'from'>,
): Promise<number> {
  if (from === undefined) return await claimPort(settings, leftovers);
  const { port } = from.predecessor;
  if (settings.port === 0 || settings.port === port) return port;
  return await claimPort(settings, {
    wereThere: false,
    areThere: () => false,
    kill: () => Promise.resolve(),
  });
}

interface Running {
  /** With the port that has been claimed. */
  readonly settings: Settings;
  readonly directory: string;
  readonly lock: DirectoryLock;
  /** Of the log. */
  readonly output: LineOutput;
  readonly log: Log;
  readonly signals: Signals;
  /** Of an earlier supervisor; they finish their answers. */
  readonly leftovers: LeftoverFronts;
  /** To an instance that takes over from this one. */
  readonly handOver: HandOver;
  /** The instance that this one takes over from. */
  readonly from: TakeOver | undefined;
}

async function run(running: Running): Promise<void> {
  const { settings, directory, lock, log, signals, leftovers, handOver, from } = running;
  const metrics = await loadMetrics(settings);
  const importing: { pid: number | undefined } = { pid: undefined };
  const board = new StatusBoard(new RecentFailures());
  const store = openOwnStore(settings, log);
  const reload = new Reload(log);
  const limits = await limitsOf(settings);
  const first = from?.predecessor.serves === true ? new FirstServing(SERVING_MS) : undefined;
  const record = recorder(leftovers, log);
  const starting = Fronts.start({
    settings: frontSettings(settings, limits),
    processes: settings.frontProcesses,
    log,
    listens: from === undefined,
    onReleased: () => {
      following.look();
    },
    onTrouble: () => {
      following.doubt();
    },
    failures: board.failures,
    onProcesses: record.write,
    history: () => following,
  });
  let hasFailed = false;
  starting.catch(() => {
    hasFailed = true;
  });
  const following = new Following(() =>
    startFollowing({ ...running, store, starting, importing, metrics }, (event) => {
      // Then the process ends, and says why.
      if (hasFailed) return;
      metrics?.record(event);
      board.record(event);
      logEvent(log, event);
      first?.onEvent(event);
      if (event.kind === 'store')
        void starting.then((fronts) => {
          fronts.sendStore(event);
        }, ignored);
    }),
  );
  let admin: Admin | undefined;
  // Whether another instance serves when this one ends.
  let isReplaced = from !== undefined;
  try {
    // The copy that is there is verified while the fronts load their libraries.
    const [fronts] = await Promise.all([starting, following.start()]);
    signals.onSecond = () => {
      fronts.kill();
    };
    const open = async (patienceMs: number): Promise<Admin | undefined> => {
      const of = { fronts, following, importing, store, limits, patienceMs };
      return metrics && (await openMetrics(running, { metrics, ...of }));
    };
    if (from === undefined) {
      admin = await open(0);
      setTimeout(() => void leftovers.kill(), DRAIN_MS).unref();
    } else {
      await takeOver({ ...running, from, fronts, first });
      isReplaced = false;
      admin = await open(FREE_MS);
      setTimeout(() => void leftovers.kill(), PREDECESSOR_MS).unref();
    }
    announce(running, limits);
    lock.onMessage(() => board.describe({ address: settings, directory, store, fronts }));
    const leave = async (): Promise<void> => {
      isReplaced = true;
      admin?.close();
      await lock.release();
    };
    handOver.offer({ ...pausable({ settings, fronts, following, record, log }), leave });
    signals.onReload = () => {
      reload.begin();
    };
    const taken = handOver.taken.then(() => 'another instance has taken over');
    const reason = await Promise.race([signals.first, taken]);
    log.info({ signal: reason }, 'draining');
    if (!isReplaced) void notifySystemd('STOPPING=1');
  } finally {
    handOver.withdraw();
    reload.end({ hasSuccessor: isReplaced });
    const until = isReplaced ? 'unconnected' : 'quiet';
    const drained = starting.then((fronts) => fronts.drain(DRAIN_MS, until), ignored);
    await following.end();
    // One that has not been taken over from follows the store again from here on.
    from?.close();
    await drained;
    store.close();
    admin?.close();
  }
  log.info('stopped');
}

const ignored = (): void => undefined;

function openOwnStore(settings: Settings, log: Log): PointerStore {
  const onNote = (note: string): void => {
    log.warn({ detail: note }, 'store warning');
  };
  return openPointer({ ...storeAccess(settings), onNote });
}

/** The library is loaded only where it is wanted. */
async function loadMetrics({ adminPort }: Settings): Promise<Metrics | undefined> {
  if (adminPort === undefined) return undefined;
  const { Metrics } = await import('./operators/metrics.js');
  return new Metrics(BUILD_ID);
}

async function openMetrics(
  { settings, directory, log }: Running,
  of: Pick<ScrapeOptions, 'metrics' | 'fronts' | 'importing' | 'store'> & {
    readonly following: Following;
    readonly limits: SystemLimits;
    readonly patienceMs: number;
  },
): Promise<Admin | undefined> {
  const { adminPort, storeGraceSeconds: graceSeconds, frontProcesses } = settings;
  if (adminPort === undefined) return undefined;
  const { following, ...others } = of;
  const limits = { ...of.limits, fronts: frontProcesses };
  const follower = () => following.current;
  try {
    return await openAdmin(adminPort, {
      ...others,
      log,
      directory,
      follower,
      graceSeconds,
      limits,
    });
  } catch (error) {
    if (of.patienceMs === 0) throw error;
    // What serves already goes on without its metrics.
    log.error({ reason: reasonOf(error) }, 'no metrics');
    return undefined;
  }
}

/** What another instance that takes over from this one can ask for, until it is this one's turn to leave. */
function pausable(of: {
  readonly settings: Settings;
  readonly fronts: Fronts;
  readonly following: Following;
  readonly record: ReturnType<typeof recorder>;
  readonly log: Log;
}): Omit<RunningInstance, 'leave'> {
  const { settings, fronts, following, record, log } = of;
  return {
    describe: () => ({
      pid: process.pid,
      port: settings.port,
      serves: fronts.generatedAtMs !== undefined,
      directories: [...fronts.inUse()],
    }),
    pause: async () => {
      record.pause();
      await following.pause();
    },
    resume: async () => {
      record.resume();
      await following.resume((error) => {
        log.error({ reason: String(error) }, 'cannot follow the store');
      });
    },
  };
}

/**
 * Serves what the other instance serves, listens beside it, and has it leave.
 *
 * @throws {Error} one line: then the other instance goes on.
 */
async function takeOver(
  on: Running & {
    readonly from: TakeOver;
    readonly fronts: Fronts;
    readonly first: FirstServing | undefined;
  },
): Promise<void> {
  const { from, fronts, first, log, signals, settings } = on;
  const { pid } = from.predecessor;
  const ended = signals.first.then((signal) => {
    throw new Error(`${signal} before the running instance was taken over from`);
  });
  ended.catch(ignored);
  await Promise.race([from.whileWaitedFor(first?.served ?? Promise.resolve()), ended]);
  await fronts.listen();
  const hasLeft = await from.finish(() =>
    notifySystemd(`MAINPID=${process.pid}`, 'READY=1', statusOf(settings)),
  );
  if (hasLeft) log.info({ from_pid: pid }, 'has taken over');
  else log.error({ from_pid: pid }, 'has taken over, but the earlier instance does not end');
}

function announce({ settings, output, log, from }: Running, limits: FrontLimits): void {
  const { host, port, frontProcesses, eventListeners } = settings;
  output.write(`bura listening on http://${describeAddress(settings)}\n`);
  const { largeBodiesMax: large_answers_max, connectionsMax: connections_max } = limits;
  const { listenersMax: listeners_max } = limits;
  const values = { large_answers_max, connections_max, listeners_max };
  log.info({ host, port, fronts: frontProcesses, ...values }, 'listening');
  if (listeners_max * frontProcesses < eventListeners)
    log.warn({ connections_max, listeners_max }, 'fewer event listeners than EVENT_LISTENERS');
  if (from === undefined) void notifySystemd('READY=1', statusOf(settings));
}

function statusOf(settings: Settings): string {
  return `STATUS=serving on http://${describeAddress(settings)}`;
}

/** Writes down which fronts live, except while another instance has the directory for itself. */
function recorder(leftovers: LeftoverFronts, log: Log) {
  let isPaused = false;
  let living: readonly number[] = [];
  const write = (pids: readonly number[]): void => {
    living = pids;
    if (isPaused) return;
    try {
      leftovers.record(pids);
    } catch (error) {
      log.warn({ reason: String(error) }, 'front processes cannot be written down');
    }
  };
  return {
    write,
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      write(living);
    },
  };
}
