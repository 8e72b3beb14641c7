/**
 * Takes over from the instance that runs (`docs/operations/restarts.md, "Restarts and upgrades"`): local copies never change, so this one
 * serves that instance's copy beside it, on the same port, and only then ends it by a signal. Whatever fails before, the
 * other one has noticed nothing.
 */
import { setTimeout as after } from 'node:timers/promises';
import { BUILD_ID } from '../build-id.js';
import type { Settings } from '../settings.js';
import type { StoreState } from '../snapshot/domain/serving-state.js';
import { readServed } from '../snapshot/follow/read-served.js';
import { KeptHistory } from '../snapshot/history/kept-history.js';
import type { Fronts } from './fronts.js';
import { askInstance } from './lock/ask-instance.js';
import type { DirectoryLock } from './lock/directory-lock.js';
import { readProcessState } from './operators/processes.js';
import { isInstanceStatus } from './operators/status-shape.js';

/** An event loop is never busy for as long. */
const ANSWER_MS = 5000;

/** An instance that starts cannot be taken over from yet: it is asked again after a while, so many times. */
const ASKED_MAX = 10;
const ASK_AGAIN_MS = 500;

/** Ending an import and what is being verified; an instance that takes longer hangs. */
const LEAVE_MS = 20_000;
const LOOK_MS = 20;

/** The instance that runs, as it describes itself. */
export interface Predecessor {
  readonly pid: number;
  readonly startTicks: number | null;
  readonly port: number;
  /** Undefined where it serves nothing. */
  readonly snapshotId: string | undefined;
  /** As it has seen the store last; undefined before it has. */
  readonly store: StoreState | undefined;
}

/**
 * The instance that has the directory; undefined where none runs.
 *
 * @throws {Error} one line: why it cannot be taken over from.
 */
export async function findPredecessor(directory: string): Promise<Predecessor | undefined> {
  for (let asked = 1; ; asked += 1) {
    const reply = await askInstance(directory, '/status', ANSWER_MS);
    switch (reply.kind) {
      case 'nobody':
        return undefined;
      case 'reply':
        return predecessorOf(directory, reply.body);
      case 'denied':
        throw refusal(directory, 'it runs as another user');
      case 'silent':
        throw refusal(directory, 'it does not answer; end it (SIGKILL), then start again');
      case 'starting':
        if (asked === ASKED_MAX) throw refusal(directory, 'it starts');
        await after(ASK_AGAIN_MS);
    }
  }
}

function predecessorOf(directory: string, body: string): Predecessor {
  const status: unknown = JSON.parse(body);
  if (!isInstanceStatus(status)) {
    throw refusal(directory, 'it is of a build that cannot be taken over from; stop it first');
  }
  const { pid, start_ticks: startTicks, url } = status.instance;
  const { reachable, detail, since } = status.store;
  const { port } = new URL(url);
  const predecessor = {
    pid,
    startTicks,
    // The scheme's own port is left out of a URL.
    port: Number(port === '' ? 80 : port),
    snapshotId: status.serving.snapshot_id ?? undefined,
    store:
      reachable === null || detail === null || since === null
        ? undefined
        : { reachable, detail, sinceMs: Date.parse(since) },
  };
  if (isRunning(predecessor)) return predecessor;
  throw refusal(directory, `its process ${pid} is not to be found, as if in another container`);
}

function refusal(directory: string, reason: string): Error {
  return new Error(`cannot take over from the instance that has ${directory}: ${reason}`);
}

/**
 * Has fronts that do not listen yet serve what the other instance serves.
 *
 * @returns the directory of its copy; undefined where it serves nothing.
 * @throws {Error} one line: there is no copy that this build can serve.
 */
export async function serveBeside(
  fronts: Fronts,
  {
    predecessor,
    directory,
    settings,
  }: {
    readonly predecessor: Predecessor;
    readonly directory: string;
    readonly settings: Settings;
  },
): Promise<string | undefined> {
  const { snapshotId, store } = predecessor;
  if (store !== undefined) fronts.sendStore(store);
  if (snapshotId === undefined) return undefined;
  const { expectedSchemaVersion } = settings;
  const wanted = { snapshotId, build: BUILD_ID, expectedSchemaVersion };
  try {
    const serving = await readServed(directory, wanted);
    if (await fronts.serve(serving, await KeptHistory.read(directory))) return serving.directory;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`cannot take over: data would be answered with 503 (${reason})`, { cause });
  }
  throw new Error(`cannot take over: no front can open the copy of ${snapshotId}`);
}

/** Whether the process is the other instance, and no later one with its id; true where the system does not tell. */
export function isRunning({ pid, startTicks }: Predecessor): boolean {
  if (startTicks === null) return true;
  const state = readProcessState(pid);
  return state !== undefined && state.state !== 'Z' && state.startTicks === startTicks;
}

/**
 * Ends the other instance: by SIGTERM, upon which it frees the directory and then finishes its answers; by SIGKILL where it
 * hangs. Resolves when the directory is this instance's alone.
 *
 * @returns whether it has left by itself.
 */
export async function endPredecessor(
  predecessor: Predecessor,
  lock: DirectoryLock,
): Promise<boolean> {
  signal(predecessor, 'SIGTERM');
  const deadline = performance.now() + LEAVE_MS;
  while (await lock.hasPredecessor()) {
    if (performance.now() > deadline) {
      signal(predecessor, 'SIGKILL');
      while (await lock.hasPredecessor()) await after(LOOK_MS);
      return false;
    }
    await after(LOOK_MS);
  }
  return true;
}

function signal(predecessor: Predecessor, name: NodeJS.Signals): void {
  try {
    if (isRunning(predecessor)) process.kill(predecessor.pid, name);
  } catch {
    // It has just ended, or is another user's: then the port could not have been shared.
  }
}
