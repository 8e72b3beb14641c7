/** The composition root: settings → lock → port → fronts and following → listen → drain. It serves no request itself. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { BUILD_ID } from '../../build-id.js';
import { storeAccess, type Settings } from '../../settings.js';
import { lockDirectory, type DirectoryLock } from '../../snapshot/local/lock/directory-lock.js';
import { follow, type Follower } from '../../snapshot/follow/follow.js';
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';
import { openStore } from '../../snapshot/store/open.js';
import type { SnapshotStore } from '../../snapshot/store/store.js';
import { importSnapshot } from '../../workers/importer.js';
import { startAdmin } from './metrics/admin.js';
import type { FrontSettings } from './control.js';
import { Fronts } from './fronts.js';
import { LeftoverFronts } from './leftover-fronts.js';
import { createLog, type Log } from './log.js';
import { logEvent } from './log-event.js';
import { Metrics } from './metrics/metrics.js';
import { claimPort, describeAddress, reasonOf } from './port.js';
import { FirstServing } from './restart/first-serving.js';
import { Following } from './restart/following.js';
import { HandOver, type RunningInstance } from './restart/hand-over.js';
import { Reload } from './restart/reload.js';
import { listenForSignals, type Signals } from './restart/signals.js';
import { notifySystemd } from './restart/systemd.js';
import { beginTakeOver, type TakeOver } from './restart/take-over.js';
import { StatusBoard } from './status/instance-status.js';
import { RecentFailures } from './status/recent-failures.js';
import { readSystem, systemLimits, type SystemLimits } from './system-limits.js';

/** Time for the answers that are being sent when the service stops: enough for the largest one to a slow client. */
const DRAIN_MS = 30_000;

/**
 * Threads of an import that render and compress: one for each core, since the main thread of the import waits for them,
 * and at most 8, since each takes some 30 MB.
 */
const IMPORT_THREADS = Math.min(availableParallelism(), 8);

/** Ten times what the largest snapshot takes on a slow machine; a store that stalls is recognized sooner. */
const IMPORT_DEADLINE_MS = 600_000;

/** An instance that was taken over from ends its own fronts after that; any that are left then have no supervisor. */
const PREDECESSOR_MS = DRAIN_MS + 5000;

/** What the running instance serves, one that takes over has to serve too, after an import if need be. */
const SERVING_MS = IMPORT_DEADLINE_MS + 30_000;

/** The instance that was taken over from closes the port of its metrics before it says that it has left. */
const ADMIN_MS = 5000;
const ADMIN_LOOK_MS = 100;

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
  const log = createLog({ level: settings.logLevel, part: 'supervisor' });
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
    const on = { directory, lock, log, signals, leftovers, handOver, from };
    await run({ ...on, settings: { ...settings, port } });
    return 0;
  } finally {
    signals.close();
    from?.close();
    // In this order: whoever takes over sees that nobody has the lock any more.
    await lock.release();
    handOver.close();
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
  return await claimPort(settings, { areThere: () => false, kill: () => Promise.resolve() });
}

interface Running {
  /** With the port that has been claimed. */
  readonly settings: Settings;
  readonly directory: string;
  readonly lock: DirectoryLock;
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
  const metrics = new Metrics();
  const board = new StatusBoard(new RecentFailures());
  const onNote = (note: string): void => {
    log.warn({ detail: note }, 'store warning');
  };
  const store = openStore({ ...storeAccess(settings), onNote });
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
  });
  const following = new Following(() =>
    startFollowing({ ...running, store, starting, first }, (event) => {
      metrics.record(event);
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
    const open = (): Promise<Admin | undefined> => openAdmin(settings, { fronts, metrics, log });
    if (from === undefined) {
      admin = await open();
      setTimeout(() => void leftovers.kill(), DRAIN_MS).unref();
    } else {
      await takeOver({ ...running, from, fronts, first });
      isReplaced = false;
      admin = await openInTime(open, log);
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

function announce({ settings, log, from }: Running, limits: SystemLimits): void {
  const { host, port, frontProcesses } = settings;
  process.stdout.write(`bura listening on http://${describeAddress(settings)}\n`);
  const { largeBodiesMax: large_answers_max, connectionsMax: connections_max } = limits;
  const values = { host, port, fronts: frontProcesses, large_answers_max, connections_max };
  log.info(values, 'listening');
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

async function startFollowing(
  on: Pick<Running, 'settings' | 'directory' | 'from'> & {
    readonly store: SnapshotStore;
    readonly starting: Promise<Fronts>;
    readonly first: FirstServing | undefined;
  },
  report: (event: FollowEvent) => void,
): Promise<Follower> {
  const { settings, directory, store, starting, from, first } = on;
  const { expectedSchemaVersion } = settings;
  let fronts: Fronts | undefined;
  const lent = (): ReadonlySet<string> => from?.lent() ?? new Set();
  return await follow({
    store,
    expectedSchemaVersion,
    build: BUILD_ID,
    directory,
    pollMs: settings.pointerPollSeconds * 1000,
    graceMs: settings.storeGraceSeconds * 1000,
    importSnapshot: async (pointer, signal) =>
      await importSnapshot(
        {
          store: storeAccess(settings),
          pointer,
          expectedSchemaVersion,
          build: BUILD_ID,
          directory,
          threads: IMPORT_THREADS,
        },
        { deadlineMs: IMPORT_DEADLINE_MS, signal },
      ),
    apply: async (serving) => {
      fronts = await starting;
      const isServed = await fronts.serve(serving);
      first?.onApplied(serving, isServed);
      return isServed;
    },
    inUse: () => fronts?.inUse() ?? new Set(),
    lent,
    report,
  });
}

type Admin = Awaited<ReturnType<typeof startAdmin>>;

/** The service runs already: without its metrics, it goes on. */
async function openInTime(
  open: () => Promise<Admin | undefined>,
  log: Log,
): Promise<Admin | undefined> {
  const deadline = performance.now() + ADMIN_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (performance.now() < deadline) {
        await after(ADMIN_LOOK_MS);
        continue;
      }
      log.error({ reason: reasonOf(error) }, 'no metrics');
      return undefined;
    }
  }
}

async function openAdmin(
  settings: Settings,
  from: { readonly fronts: Fronts; readonly metrics: Metrics; readonly log: Log },
): Promise<Admin | undefined> {
  if (settings.adminPort === undefined) return undefined;
  const { fronts, metrics, log } = from;
  const renderMetrics = async (): Promise<string> =>
    metrics.render({
      counters: await fronts.counters(),
      frontsAlive: fronts.alive,
      frontsReplaced: fronts.replaced,
      frontsHung: fronts.hung,
      generatedAtMs: fronts.generatedAtMs,
      nowMs: Date.now(),
    });
  try {
    const admin = await startAdmin({ port: settings.adminPort, renderMetrics });
    log.info({ host: '127.0.0.1', port: admin.port }, 'metrics listening');
    return admin;
  } catch (cause) {
    const where = describeAddress({ host: '127.0.0.1', port: settings.adminPort });
    throw new Error(`cannot listen on ${where} for metrics: ${reasonOf(cause)}`, { cause });
  }
}

/** What each front may take; `MAX_CONNECTIONS` can only lower what open files allow. */
async function limitsOf(settings: Settings): Promise<SystemLimits> {
  const { frontProcesses: processes, workerThreads: threads, maxConnections } = settings;
  const limits = systemLimits(await readSystem(), { processes, threads });
  const connectionsMax = Math.min(limits.connectionsMax, maxConnections ?? Infinity);
  return { ...limits, connectionsMax };
}

function frontSettings(settings: Settings, limits: SystemLimits): FrontSettings {
  const { publicBaseUrl, baseMap } = settings;
  return {
    host: settings.host,
    port: settings.port,
    keyPrefix: settings.keyPrefix,
    expectedSchemaVersion: settings.expectedSchemaVersion,
    defaultLanguage: settings.defaultLanguage,
    ...limits,
    workerThreads: settings.workerThreads,
    ...(publicBaseUrl === undefined ? {} : { publicBaseUrl }),
    trustProxy: settings.trustProxy,
    timeZone: settings.timeZone,
    ...(baseMap === undefined ? {} : { baseMap }),
    logLevel: settings.logLevel,
    retiredCopies: settings.retiredCopies,
  };
}
