/**
 * One soak: a service under mixed load, swapped and restarted meanwhile, every answer checked, its memory and descriptors
 * sampled. What is measured, and what counts as failed, is described in `bench/README.md, "The soak"`.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { footprintOf } from '../harness/footprint.js';
import { forkOnCore, ofChild } from '../harness/processes.js';
import { openSetup, type Setup } from '../harness/setup.js';
import { snapshotFile, type Shape, type SnapshotFile } from '../harness/snapshots.js';
import { swapTo, type Swap } from '../harness/visible.js';
import { commonSlope, type Sample, type Slope } from '../measure/regression.js';
import type { Progress } from '../options.js';
import type { SoakCounts } from './client.js';
import type { SoakOrder, ToSoak } from './client-process.js';

const CLIENT = fileURLToPath(new URL('./client-process.js', import.meta.url));
const HOUR_MS = 3_600_000;
const SEEN_LIMIT_MS = 30_000;
const TELL_EVERY_MS = 10_000;
/** How long a started process compiles code and fills its caches, at most. */
const WARMUP_MS = 60_000;

export interface SoakOptions {
  readonly shape: Shape;
  readonly seconds: number;
  readonly swapSeconds: number;
  readonly restarts: number;
  readonly connections: number;
  /** Each so many swaps, the pointer moves to a snapshot that was just published, and must be imported. */
  readonly publishEvery: number;
  /** Snapshots that there are; after the last one the first comes again, imported anew. */
  readonly documents: number;
  readonly sampleSeconds: number;
  readonly seed: number;
  readonly progress: Progress;
  /** Puts something between client and service; resolves with the port that the client shall use. */
  readonly through?: (port: number) => Promise<{ readonly port: number; close(): void }>;
}

export interface SoakResult {
  readonly counts: SoakCounts;
  readonly swaps: readonly Swap[];
  readonly published: number;
  readonly restarts: number;
  /** MB an hour of memory that no file backs, over all processes. */
  readonly memorySlope: Slope | undefined;
  readonly descriptorSlope: Slope | undefined;
  readonly samples: readonly FootprintSample[];
}

interface FootprintSample {
  /** Hours since the beginning. */
  readonly hours: number;
  /** The number of restarts before it. */
  readonly start: number;
  readonly anonymousMb: number;
  readonly openFiles: number;
  /** Whether the process had been running long enough, and nothing was being imported. */
  readonly isUsed: boolean;
}

export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { shape, documents, progress } = options;
  const versions = Array.from({ length: Math.max(2, documents) }, (_, at) => at + 1);
  const files: SnapshotFile[] = [];
  for (const version of versions) files.push(await snapshotFile({ shape, version }, progress));
  const setup = await openSetup({
    snapshots: [1, 2].map((version) => ({ shape, version })),
    settings: { POINTER_POLL_SECONDS: '0.2' },
    progress,
  });
  try {
    // Both copies are on the disk when the load begins.
    for (const { snapshotId } of files.slice(0, 2)) await swapTo(setup, snapshotId);
    const through = await options.through?.(setup.service.port);
    const child = forkOnCore(CLIENT);
    const exited = once(child, 'exit');
    try {
      const soak = new Soak(options, setup, files, (message) => ofChild(child, message));
      return await soak.run(through?.port ?? setup.service.port);
    } finally {
      through?.close();
      child.disconnect();
      child.kill();
      await exited;
    }
  } finally {
    await setup.close();
  }
}

class Soak {
  readonly #options: SoakOptions;
  readonly #setup: Setup;
  readonly #files: readonly SnapshotFile[];
  readonly #tell: (message: ToSoak) => Promise<SoakCounts>;
  readonly #samples: FootprintSample[] = [];
  readonly #swaps: Swap[] = [];
  readonly #stored: Set<string>;
  #beganMs = 0;
  #serviceStartedMs = 0;
  #restarts = 0;
  #published = 0;
  /** The active snapshot, and the one that the pointer moves to next, as indices of files. */
  #pair: [active: number, next: number] = [1, 0];
  #newest = 1;
  #isRestarting = false;

  constructor(
    options: SoakOptions,
    setup: Setup,
    files: readonly SnapshotFile[],
    tell: (message: ToSoak) => Promise<SoakCounts>,
  ) {
    this.#options = options;
    this.#setup = setup;
    this.#files = files;
    this.#tell = tell;
    this.#stored = new Set(setup.snapshots.map(({ snapshotId }) => snapshotId));
  }

  async run(port: number): Promise<SoakResult> {
    const { connections, seed, progress, sampleSeconds } = this.#options;
    progress(`the oracle reads ${this.#files.length} snapshots`);
    const order: SoakOrder = {
      port,
      connections,
      seed,
      isDisturbed: false,
      files: this.#files.map((file) => file.path),
    };
    await this.#tell({ kind: 'start', order });
    this.#beganMs = this.#serviceStartedMs = Date.now();
    const sampler = setInterval(() => {
      this.#sample();
    }, sampleSeconds * 1000);
    try {
      await this.#events();
    } finally {
      clearInterval(sampler);
    }
    return this.#result(await this.#tell({ kind: 'stop' }));
  }

  /** Swaps and restarts, one after the other, at their times. */
  async #events(): Promise<void> {
    const { seconds, swapSeconds, restarts, progress } = this.#options;
    const endMs = this.#beganMs + seconds * 1000;
    let swapDueMs = this.#beganMs + swapSeconds * 1000;
    let toldMs = this.#beganMs;
    for (;;) {
      const nowMs = Date.now();
      if (nowMs >= endMs) return;
      const restartDueMs =
        this.#restarts < restarts
          ? this.#beganMs + ((this.#restarts + 0.5) / restarts) * seconds * 1000
          : Infinity;
      if (nowMs >= restartDueMs) {
        await this.#restart();
      } else if (nowMs >= swapDueMs) {
        await this.#swap();
        swapDueMs = Math.max(swapDueMs + swapSeconds * 1000, Date.now());
      } else {
        await delay(Math.min(endMs, restartDueMs, swapDueMs, toldMs + TELL_EVERY_MS) - nowMs);
      }
      if (Date.now() - toldMs >= TELL_EVERY_MS) {
        toldMs = Date.now();
        const { answers, wrong, failed, refused } = await this.#tell({ kind: 'counts' });
        progress(
          `${answers} answers, ${wrong.count} wrong, ${failed.count} failed, ${refused} refused, ${this.#swaps.length} swaps, ${this.#restarts} restarts`,
        );
      }
    }
  }

  async #swap(): Promise<void> {
    const { publishEvery } = this.#options;
    const [active] = this.#pair;
    if ((this.#swaps.length + 1) % publishEvery === 0) {
      this.#newest = (this.#newest + 1) % this.#files.length;
      // With two snapshots alone there is never another one.
      this.#pair = [active, this.#newest === active ? this.#pair[1] : this.#newest];
    }
    const [, next] = this.#pair;
    const file = this.#files[next];
    if (file === undefined) throw new Error('a swap needs a snapshot');
    if (!this.#stored.has(file.snapshotId)) {
      await this.#setup.publish(file);
      this.#stored.add(file.snapshotId);
      this.#published += 1;
    }
    await this.#tell({ kind: 'swap', snapshotId: file.snapshotId });
    this.#swaps.push(await swapTo(this.#setup, file.snapshotId));
    await this.#seen();
    this.#pair = [next, active];
  }

  /** Waits until the client has an answer of the new snapshot, too. */
  async #seen(): Promise<void> {
    const deadline = Date.now() + SEEN_LIMIT_MS;
    while ((await this.#tell({ kind: 'counts' })).swaps < this.#swaps.length) {
      if (Date.now() > deadline) throw new Error('the client saw nothing of a swap for 30 s');
      await delay(20);
    }
  }

  async #restart(): Promise<void> {
    await this.#tell({ kind: 'restart', isRestarting: true });
    this.#isRestarting = true;
    await this.#setup.restart();
    this.#isRestarting = false;
    this.#restarts += 1;
    this.#serviceStartedMs = Date.now();
    await this.#tell({ kind: 'restart', isRestarting: false });
  }

  #sample(): void {
    if (this.#isRestarting) return;
    const { service } = this.#setup;
    const { anonymousMb, openFiles } = footprintOf(service);
    const nowMs = Date.now();
    const { seconds, restarts } = this.#options;
    const warmupMs = Math.min(WARMUP_MS, (seconds * 1000) / (restarts + 1) / 4);
    this.#samples.push({
      hours: (nowMs - this.#beganMs) / HOUR_MS,
      start: this.#restarts,
      anonymousMb,
      openFiles,
      isUsed: nowMs - this.#serviceStartedMs >= warmupMs && service.importPid() === undefined,
    });
  }

  #result(counts: SoakCounts): SoakResult {
    const seriesOf = (
      value: (sample: FootprintSample) => number,
    ): readonly (readonly Sample[])[] => {
      const used = this.#samples.filter(({ isUsed }) => isUsed);
      const starts = [...new Set(used.map(({ start }) => start))];
      return starts.map((start) =>
        used
          .filter((sample) => sample.start === start)
          .map((sample): Sample => [sample.hours, value(sample)]),
      );
    };
    return {
      counts,
      swaps: this.#swaps,
      published: this.#published,
      restarts: this.#restarts,
      memorySlope: commonSlope(seriesOf(({ anonymousMb }) => anonymousMb)),
      descriptorSlope: commonSlope(seriesOf(({ openFiles }) => openFiles)),
      samples: this.#samples,
    };
  }
}
