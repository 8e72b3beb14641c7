/**
 * The soak: a service under mixed load, to which snapshots are published, with every answer checked; and with faults,
 * the chaos run, which kills, stops and takes away parts. What must hold: `bench/README.md`, "The soak".
 */
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isInstanceStatus, type InstanceStatus } from '../../src/supervisor/operators/status.js';
import { randomNumbers } from '../../test/support/documents/random.js';
import { fieldOf, type Answer } from '../../test/support/service/exchange.js';
import { ask } from '../harness/exchange.js';
import { freePort } from '../harness/origin.js';
import { forkOnCore, ofChild } from '../harness/processes.js';
import { openSetup, type Setup } from '../harness/setup.js';
import { snapshotFile, type Shape, type SnapshotFile } from '../harness/snapshots.js';
import type { Progress } from '../options.js';
import type { SoakCounts } from './client.js';
import type { SoakOrder, ToSoak } from './client-process.js';
import {
  FAULTS,
  linkStore,
  faultOptions,
  THREAD_ENDED,
  type Instance,
  type Random,
} from './faults.js';

const CLIENT = fileURLToPath(new URL('./client-process.js', import.meta.url));
const THREAD_FILE = path.join(os.tmpdir(), `bura-chaos-thread-${process.pid}`);

/** The service's promise: the longest time without an answer, whatever happens. */
const AWAY_LIMIT_MS = 5_000;
/** Longer than the longest delay between two attempts at an import. */
const NEWEST_LIMIT_MS = 120_000;
const STORE = 'store';
/** A service that was away for so long does not come back, and the run need not go on. */
const GONE_MS = 120_000;
const PROBE_EVERY_MS = 100;
const TELL_EVERY_MS = 5_000;
const STATUS_LIMIT_MS = 1_000;
/** Number of consecutive answers, each on its own connection, after which every front has the newest snapshot. */
const NEWEST_IN_A_ROW = 20;
/** Stored snapshots that are left after a removal, at least. */
const LEFT_MIN = 3;

export interface ChaosOptions {
  readonly shape: Shape;
  readonly seconds: number;
  readonly connections: number;
  readonly documents: number;
  readonly fronts: number;
  /** Number of faults at the same time. */
  readonly atOnce: number;
  /** Names of the faults that are made; none for a soak, in which nothing but limits may refuse a request. */
  readonly faults: readonly string[];
  readonly seed: number;
  readonly progress: Progress;
  /** Puts something between client and service; resolves with the port that the client shall use. */
  readonly through?: (port: number) => Promise<{ readonly port: number; close(): void }>;
}

interface FaultCount {
  made: number;
  /** How often there was nothing to break, such as no import. */
  idle: number;
  /** Longest time between two answers of 200 to `/meta` during the fault. */
  longestAwayMs: number;
}

export interface ChaosResult {
  readonly counts: SoakCounts;
  readonly byFault: Readonly<Record<string, Readonly<FaultCount>>>;
  /** Pointer moves that were made, and that the store refused while it was away. */
  readonly moves: number;
  readonly refusedMoves: number;
  readonly removed: number;
  /** From the last move of the pointer until all answers have the newest snapshot; undefined if they never did. */
  readonly newestAfterMs: number | undefined;
  /** Statements that did not hold: empty after a good run. */
  readonly broken: readonly string[];
}

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { shape, documents, fronts, progress } = options;
  const files: SnapshotFile[] = [];
  for (let version = 1; version <= Math.max(LEFT_MIN + 1, documents); version += 1) {
    files.push(await snapshotFile({ shape, version }, progress));
  }
  const adminPort = await freePort();
  const setup = await openSetup({
    snapshots: [1, 2].map((version) => ({ shape, version })),
    settings: (directory) => ({
      POINTER_POLL_SECONDS: '0.2',
      FRONT_PROCESSES: String(fronts),
      ADMIN_PORT: String(adminPort),
      NODE_OPTIONS: faultOptions(THREAD_FILE),
      HANGING_DISK: path.join(directory, STORE),
    }),
    progress,
  });
  await linkStore(path.join(setup.directory, STORE));
  const child = forkOnCore(CLIENT);
  const exited = once(child, 'exit');
  const through = await options.through?.(setup.service.port);
  const chaos = new Chaos(options, { setup, files, adminPort });
  try {
    const port = through?.port ?? setup.service.port;
    return await chaos.run(port, (message) => ofChild(child, message));
  } finally {
    through?.close();
    child.disconnect();
    child.kill();
    await exited;
    await chaos.endService();
    await setup.close();
  }
}

interface Parts {
  readonly setup: Setup;
  readonly files: readonly SnapshotFile[];
  readonly adminPort: number;
}

class Chaos {
  readonly #options: ChaosOptions;
  readonly #parts: Parts;
  readonly #random: Random;
  readonly #byFault = new Map<string, FaultCount>();
  /** Names of active faults; a fault stays active until some seconds after it was undone. */
  readonly #active = new Set<string>();
  /** Names of the faults that were active since the last answer. */
  #recent = new Set<string>();
  #lastAnswerMs = 0;
  #supervisor: number;
  /** Ids of the snapshots in the store, the active one last. */
  #stored: string[];
  readonly #removed = new Set<string>();
  #moves = 0;
  #refusedMoves = 0;
  #isOver = false;

  constructor(options: ChaosOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    const random = randomNumbers(options.seed);
    this.#random = {
      between: (least, most) => least + random() * (most - least),
      pick: (list) => list[Math.floor(random() * list.length)],
    };
    this.#supervisor = parts.setup.service.pid;
    this.#stored = parts.setup.snapshots.map(({ snapshotId }) => snapshotId).toReversed();
  }

  async run(port: number, tell: (message: ToSoak) => Promise<SoakCounts>): Promise<ChaosResult> {
    const { atOnce, connections, seed, seconds, progress, faults } = this.#options;
    const files = this.#parts.files.map((file) => file.path);
    const isDisturbed = faults.length > 0;
    const order: SoakOrder = { port, connections, seed, isDisturbed, files };
    await tell(order);
    this.#lastAnswerMs = performance.now();
    const probing = setInterval(() => void this.#probe(), PROBE_EVERY_MS);
    const publishing = this.#publishOn();
    try {
      const endMs = performance.now() + seconds * 1000;
      const breakOn = async (): Promise<void> => {
        const isGone = (): boolean => performance.now() - this.#lastAnswerMs > GONE_MS;
        while (performance.now() < endMs && !isGone()) await this.#breakOne();
      };
      const breaking = isDisturbed
        ? Promise.all(Array.from({ length: atOnce }, breakOn)).then(() => true)
        : delay(seconds * 1000, true);
      while (!(await Promise.race([breaking, delay(TELL_EVERY_MS)]))) {
        const { answers, wrong, failed } = await tell('counts');
        progress(`${answers} answers, ${wrong.count} wrong, ${failed.count} failed`);
      }
    } finally {
      this.#isOver = true;
      await publishing;
    }
    const newestAfterMs = await this.#newest(() => tell('counts'));
    clearInterval(probing);
    this.#record(performance.now());
    return this.#result(await tell('stop'), newestAfterMs);
  }

  /** Ends the supervisor. */
  async endService(): Promise<void> {
    await this.#status();
    for (const name of ['SIGTERM', 'SIGKILL'] as const) {
      for (let look = 0; look < 100; look += 1) {
        try {
          process.kill(this.#supervisor, look === 0 ? name : 0);
        } catch {
          return;
        }
        await delay(PROBE_EVERY_MS);
      }
    }
  }

  async #breakOne(): Promise<void> {
    const { faults, progress } = this.#options;
    const fault = this.#random.pick(
      FAULTS.filter(({ name }) => faults.includes(name) && !this.#active.has(name)),
    );
    if (fault === undefined) throw new Error('fewer faults than shall be there at once');
    this.#active.add(fault.name);
    this.#recent.add(fault.name);
    const count = this.#countOf(fault.name);
    try {
      if (await fault.make(this.#instance(), this.#random)) count.made += 1;
      else count.idle += 1;
    } catch (error) {
      count.idle += 1;
      progress(`${fault.name}: ${String(error)}`);
    }
    await delay(this.#random.between(500, 5_000));
    this.#active.delete(fault.name);
  }

  #instance(): Instance {
    const { setup } = this.#parts;
    return {
      pidsOf: async (role) => {
        const status = await this.#status();
        return (status?.processes ?? []).flatMap((one) => (one.role === role ? [one.pid] : []));
      },
      provokeImport: async () => {
        // The copies of the two that were active last are still there.
        const id = this.#random.pick(this.#stored.slice(0, -2));
        if (id !== undefined) await this.#move(id);
      },
      storeDir: path.join(setup.directory, STORE),
      threadFile: THREAD_FILE,
    };
  }

  async #status(): Promise<InstanceStatus | undefined> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#parts.adminPort}/status`, {
        signal: AbortSignal.timeout(STATUS_LIMIT_MS),
      });
      const status: unknown = await answer.json();
      if (!isInstanceStatus(status)) return undefined;
      this.#supervisor = status.instance.pid;
      return status;
    } catch {
      return undefined;
    }
  }

  /** Publishes, rolls back and removes until the run is over. */
  async #publishOn(): Promise<void> {
    while (!this.#isOver) {
      const kind = this.#random.between(0, 1);
      if (kind < 0.3) await this.#publish();
      else if (kind < 0.4) await this.#remove();
      else await this.#move(this.#random.pick(this.#stored.slice(0, -1)));
      await delay(this.#random.between(500, 5_000));
    }
  }

  async #publish(): Promise<void> {
    // The last snapshot is for the end of the run.
    const file = this.#random.pick(this.#usable().slice(0, -1));
    if (file === undefined) return;
    try {
      await this.#parts.setup.publish(file);
    } catch {
      this.#refusedMoves += 1;
      return;
    }
    if (!this.#stored.includes(file.snapshotId)) this.#stored.unshift(file.snapshotId);
    await this.#move(file.snapshotId);
  }

  /** An id that was removed is never used again. */
  #usable(): readonly SnapshotFile[] {
    return this.#parts.files.filter(({ snapshotId }) => !this.#removed.has(snapshotId));
  }

  async #remove(): Promise<void> {
    const [id] = this.#stored;
    if (id === undefined || this.#stored.length <= LEFT_MIN) return;
    if (this.#usable().length <= LEFT_MIN + 1) return;
    try {
      await this.#parts.setup.store.remove(id, { withdraw: true });
      this.#removed.add(id);
      this.#stored = this.#stored.filter((one) => one !== id);
    } catch {
      this.#refusedMoves += 1;
    }
  }

  async #move(id: string | undefined): Promise<boolean> {
    if (id === undefined) return false;
    try {
      await this.#parts.setup.store.activate(id);
    } catch {
      this.#refusedMoves += 1;
      return false;
    }
    this.#moves += 1;
    this.#stored = [...this.#stored.filter((one) => one !== id), id];
    return true;
  }

  /**
   * Publishes a new snapshot, when everything works again, and waits until all answers have it and the client has
   * checked one of them.
   */
  async #newest(counts: () => Promise<SoakCounts>): Promise<number | undefined> {
    const file = this.#usable().at(-1);
    if (file === undefined) throw new Error('a run needs a snapshot for its end');
    await this.#parts.setup.publish(file);
    if (!(await this.#move(file.snapshotId))) return undefined;
    const movedMs = performance.now();
    const isInTime = (): boolean => performance.now() - movedMs < NEWEST_LIMIT_MS;
    let inARow = 0;
    while (inARow < NEWEST_IN_A_ROW && isInTime()) {
      const answer = await this.#meta();
      const isNewest =
        answer?.status === 200 && fieldOf(answer, 'x-snapshot-id') === file.snapshotId;
      inARow = isNewest ? inARow + 1 : 0;
      if (!isNewest) await delay(PROBE_EVERY_MS);
    }
    const servedMs = performance.now() - movedMs;
    // A client that is behind with its checks may not have seen the swap yet.
    while ((await counts()).snapshotId !== file.snapshotId && isInTime()) {
      await delay(PROBE_EVERY_MS);
    }
    return inARow === NEWEST_IN_A_ROW ? servedMs : undefined;
  }

  async #probe(): Promise<void> {
    if ((await this.#meta())?.status === 200) this.#record(performance.now());
  }

  #meta(): Promise<Answer | undefined> {
    const { port } = this.#parts.setup.service;
    return ask(port, { path: '/meta', headers: {} }).catch(() => undefined);
  }

  /** Records an answer: the time since the answer before counts for every fault that was active in it. */
  #record(answeredMs: number): void {
    for (const name of this.#recent.size > 0 ? this.#recent : ['none']) {
      const count = this.#countOf(name);
      count.longestAwayMs = Math.max(count.longestAwayMs, answeredMs - this.#lastAnswerMs);
    }
    this.#lastAnswerMs = answeredMs;
    this.#recent = new Set(this.#active);
  }

  #countOf(name: string): FaultCount {
    const known = this.#byFault.get(name) ?? { made: 0, idle: 0, longestAwayMs: 0 };
    this.#byFault.set(name, known);
    return known;
  }

  #result(counts: SoakCounts, newestAfterMs: number | undefined): ChaosResult {
    const away = [...this.#byFault].filter(([, count]) => count.longestAwayMs > AWAY_LIMIT_MS);
    const { lost, wrong, failed, answers } = counts;
    // The fault ends a thread, which costs answers (test/faults/README.md, row 14).
    const uncalled = failed.count + ((this.#byFault.get(THREAD_ENDED)?.made ?? 0) > 0 ? 0 : lost);
    const broken = [
      ...(answers > 0 ? [] : ['no answer was checked']),
      ...(wrong.count > 0 ? [`${wrong.count} wrong answers`] : []),
      ...(uncalled > 0 ? [`${uncalled} answers that nothing calls for`] : []),
      ...away.map(
        ([name, { longestAwayMs }]) => `${name}: away for ${Math.round(longestAwayMs)} ms`,
      ),
      ...(newestAfterMs === undefined ? ['the newest snapshot was not served at the end'] : []),
    ];
    return {
      counts,
      newestAfterMs,
      broken,
      byFault: Object.fromEntries(this.#byFault),
      moves: this.#moves,
      refusedMoves: this.#refusedMoves,
      removed: this.#removed.size,
    };
  }
}
