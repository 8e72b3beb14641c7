/**
 * Takes over from the instance that runs (`docs/operations/restarts.md, "Restarts and upgrades"`): local copies never change, so this one
 * serves that instance's copy beside it, on the same port, and only then ends it by a signal: when it reads the store as
 * that one does, and would answer what that one answers. Whatever fails before, the other one has noticed nothing.
 */
import { setTimeout as after } from 'node:timers/promises';
import { BUILD_ID } from '../build-id.js';
import type { Settings } from '../settings.js';
import type { StoreState } from '../snapshot/domain/serving-state.js';
import { readPointer, type Reading } from '../snapshot/follow/read-pointer.js';
import { readServed } from '../snapshot/follow/read-served.js';
import { KeptHistory } from '../snapshot/history/kept-history.js';
import type { PointerStore } from '../snapshot/store/snapshot-store.js';
import type { Fronts } from './fronts.js';
import { askInstance } from './lock/ask-instance.js';
import type { DirectoryLock } from './lock/directory-lock.js';
import { readProcessState } from './operators/processes.js';
import { isInstanceStatus } from './operators/status.js';

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
  /** Of its store, without credentials. */
  readonly storeAddress: string;
  /** Whether it could read its store when it was asked. */
  readonly readsStore: boolean;
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
  const { reachable, detail, since, address, pointer } = status.store;
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
    storeAddress: address,
    readsStore: pointer.kind !== 'unreachable',
  };
  if (isRunning(predecessor)) return predecessor;
  throw refusal(directory, `its process ${pid} is not to be found, as if in another container`);
}

function refusal(directory: string, reason: string): Error {
  return new Error(`cannot take over from the instance that has ${directory}: ${reason}`);
}

/** @throws {Error} one line: the instance follows another store. */
export function assertSameStore({ storeAddress }: Predecessor, address: string): void {
  if (storeAddress === address) return;
  throw new Error(
    `cannot take over: it follows ${storeAddress}, this one ${address}; --other-store says that this is meant`,
  );
}

interface Beside {
  readonly predecessor: Predecessor;
  readonly directory: string;
  readonly settings: Settings;
  /** The one that this instance will follow. */
  readonly store: PointerStore;
}

/**
 * Has fronts that do not listen yet serve what the other instance serves, as it is when they do.
 *
 * @returns the other instance as it was then, and the directory of its copy; undefined where it serves nothing.
 * @throws {Error} one line: there is no copy that this build can serve, or this instance would soon serve nothing.
 */
export async function serveBeside(
  fronts: Fronts,
  { predecessor, store, ...at }: Beside,
): Promise<{ readonly predecessor: Predecessor; readonly copy: string | undefined }> {
  const looking = readPointer(store, { limitMs: ANSWER_MS });
  for (let current = predecessor; ;) {
    const copy = await serveCopy(fronts, current, at);
    const reading = await looking;
    // It may have swapped meanwhile, or have ended.
    const latest = (await findPredecessor(at.directory)) ?? current;
    assertServesOn(reading, latest, at.settings);
    if (latest.snapshotId === current.snapshotId) return { predecessor: latest, copy };
    current = latest;
  }
}

/** @throws {Error} one line: by this reading of the store, less would be answered than the other instance answers. */
function assertServesOn(reading: Reading, latest: Predecessor, settings: Settings): void {
  const { snapshotId, readsStore } = latest;
  const { expectedSchemaVersion: expected } = settings;
  if (reading.kind === 'unreachable' && readsStore) {
    throw new Error(
      `cannot take over: the other instance reads the store, and this one cannot: ${reading.message}`,
    );
  }
  if (snapshotId === undefined) return;
  const why = 'cannot take over: data would be answered with 503';
  if (reading.kind === 'absent') throw new Error(`${why} (no snapshot is active in the store)`);
  const version = reading.kind === 'pointer' ? reading.pointer.schemaVersion : expected;
  if (version === expected) return;
  throw new Error(
    `${why} (the active snapshot has schema version ${version}; this instance accepts ${expected})`,
  );
}

async function serveCopy(
  fronts: Fronts,
  { snapshotId, store }: Predecessor,
  { directory, settings }: Pick<Beside, 'directory' | 'settings'>,
): Promise<string | undefined> {
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
  let hasLeft = true;
  // A look that fails, as where too many files are open or the directory is gone, is no end of it.
  while (isRunning(predecessor) && (await lock.hasPredecessor().catch(() => true))) {
    if (hasLeft && performance.now() > deadline) {
      signal(predecessor, 'SIGKILL');
      hasLeft = false;
    }
    await after(LOOK_MS);
  }
  return hasLeft;
}

function signal(predecessor: Predecessor, name: NodeJS.Signals): void {
  try {
    if (isRunning(predecessor)) process.kill(predecessor.pid, name);
  } catch {
    // It has just ended, or is another user's: then the port could not have been shared.
  }
}
