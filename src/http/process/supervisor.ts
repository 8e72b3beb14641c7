/** The composition root: settings → lock → store → fronts → listen → follow → drain. It serves no request itself. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { BUILD_ID } from '../../build-id.js';
import { storeAccess, type Settings } from '../../settings.js';
import { lockDirectory, type DirectoryLock } from '../../snapshot/local/lock/directory-lock.js';
import { follow, type Follower } from '../../snapshot/follow/follow.js';
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';
import { openStore } from '../../snapshot/store/open.js';
import type { SnapshotStore } from '../../snapshot/store/store.js';
import { importSnapshot } from '../../workers/importer.js';
import { openAdmin, type Admin } from './metrics/admin.js';
import type { FrontSettings } from './control.js';
import { Fronts } from './fronts.js';
import { LeftoverFronts } from './leftover-fronts.js';
import { LineOutput } from './access/line-output.js';
import { createLog, type Log } from './log.js';
import { logEvent } from './log-event.js';
import { claimPort, describeAddress } from './port.js';
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

/**
 * Runs the service until SIGTERM or SIGINT; resolves with the exit code when all of it is gone.
 *
 * A second signal ends it at once.
 *
 * @throws {Error} one line, when it cannot start: the port or the local directory is taken, or not to be had.
 */
export async function serve(settings: Settings): Promise<number> {
  // Access lines of the fronts may fill stdout, which then takes none of the supervisor's either.
  const output = settings.accessLog > 0 ? new LineOutput(() => undefined) : undefined;
  const log = createLog({ level: settings.logLevel, part: 'supervisor', output });
  const signals = listenForSignals();
  const directory = join(resolve(settings.localDir), settings.keyPrefix);
  const lock = await lockDirectory(directory);
  try {
    const leftovers = new LeftoverFronts(directory, (pid) => {
      log.warn({ front_pid: pid }, 'leftover front killed');
    });
    await leftovers.killStopped();
    const port = await claimPort(settings, leftovers);
    await run({ settings: { ...settings, port }, directory, lock, log, signals, leftovers });
    return 0;
  } finally {
    signals.close();
    await lock.release();
  }
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
}

async function run(running: Running): Promise<void> {
  const { settings, directory, lock, log, signals, leftovers } = running;
  setTimeout(() => void leftovers.kill(), DRAIN_MS).unref();
  const board = new StatusBoard(new RecentFailures());
  // Nothing is followed before all fronts listen, and they have nothing to release or to doubt until then.
  let follower: Follower | undefined;
  const limits = await limitsOf(settings);
  const fronts = await Fronts.start({
    settings: frontSettings(settings, limits),
    processes: settings.frontProcesses,
    log,
    onReleased: () => follower?.look(),
    onTrouble: () => follower?.doubt(),
    failures: board.failures,
    onProcesses: (pids) => {
      try {
        leftovers.record(pids);
      } catch (error) {
        log.warn({ reason: String(error) }, 'front processes cannot be written down');
      }
    },
  });
  signals.onSecond = () => {
    fronts.kill();
  };
  const onNote = (note: string): void => {
    log.warn({ detail: note }, 'store warning');
  };
  const store = openStore({ ...storeAccess(settings), onNote });
  let admin: Admin | undefined;
  const importing: { pid: number | undefined } = { pid: undefined };
  try {
    if (settings.adminPort !== undefined) {
      admin = await openAdmin(settings.adminPort, log, {
        fronts,
        directory,
        follower: () => follower,
        importing,
        build: BUILD_ID,
        graceSeconds: settings.storeGraceSeconds,
        limits: { ...limits, fronts: settings.frontProcesses },
      });
    }
    process.stdout.write(`bura listening on http://${describeAddress(settings)}\n`);
    const { host, port, frontProcesses } = settings;
    const { largeBodiesMax: large_answers_max, connectionsMax: connections_max } = limits;
    const values = { host, port, fronts: frontProcesses, large_answers_max, connections_max };
    log.info(values, 'listening');
    lock.onMessage(() => board.describe({ address: settings, directory, store, fronts }));
    const following = { settings, directory, store, fronts, importing, metrics: admin?.metrics };
    follower = await startFollowing(following, (event) => {
      admin?.metrics.record(event);
      board.record(event);
      logEvent(log, event);
      if (event.kind === 'store') fronts.sendStore(event);
    });
    log.info({ signal: await signals.first }, 'draining');
  } finally {
    await Promise.all([follower?.stop(), fronts.drain(DRAIN_MS)]);
    store.close();
    admin?.close();
  }
  log.info('stopped');
}

interface Following {
  readonly settings: Settings;
  readonly directory: string;
  readonly store: SnapshotStore;
  readonly fronts: Fronts;
  /** The import that runs. */
  readonly importing: { pid: number | undefined };
  /** Undefined where nobody can ask for them. */
  readonly metrics: Admin['metrics'] | undefined;
}

async function startFollowing(
  on: Following,
  report: (event: FollowEvent) => void,
): Promise<Follower> {
  const { settings, directory, store, fronts, importing, metrics } = on;
  const { expectedSchemaVersion } = settings;
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
        {
          deadlineMs: IMPORT_DEADLINE_MS,
          signal,
          onProcess: (pid) => {
            importing.pid = pid;
          },
          onUsage: (usage) => metrics?.recordImport(usage),
        },
      ),
    apply: (serving) => fronts.serve(serving),
    inUse: () => fronts.inUse(),
    report,
  });
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
    accessLog: settings.accessLog,
    accessLogAddress: settings.accessLogAddress,
    retiredCopies: settings.retiredCopies,
  };
}

interface Signals {
  readonly first: Promise<NodeJS.Signals>;
  /** Called before the second signal ends the process. */
  onSecond: () => void;
  close(): void;
}

function listenForSignals(): Signals {
  let count = 0;
  let resolveFirst: ((signal: NodeJS.Signals) => void) | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    count++;
    resolveFirst?.(signal);
    if (count < 2) return;
    signals.onSecond();
    process.exit(1);
  };
  const signals: Signals = {
    first: new Promise((resolve) => {
      resolveFirst = resolve;
    }),
    onSecond: () => undefined,
    close: () => {
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
    },
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return signals;
}
