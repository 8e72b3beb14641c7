/** Past snapshots on their way from the store, one at a time: those that clients have asked for and nobody has kept. */
import { SnapshotError } from '../domain/snapshot-error.js';
import type { SnapshotStore } from '../store/store.js';
import type { Whereabouts } from './history.js';

/** Snapshots that wait to be read, at most: each takes as long as an import. */
const WAITING_MAX = 8;

/** One that could not be read is read again after as long, whoever asks: its failure may last. */
const AGAIN_MS = 60_000;

/** Failures that are remembered. */
const FAILURES_MAX = 1000;

/** Failures that no second reading mends. */
const LASTING: readonly string[] = ['document_invalid', 'document_corrupt', 'schema_version'];

export interface FetchesOptions {
  readonly store: Pick<SnapshotStore, 'openDocument'>;
  /** Reads a document and keeps its rows; called once at a time. An abort ends it soon. */
  readonly fetch: (snapshotId: string, signal: AbortSignal) => Promise<void>;
  /** Called when its rows are kept. */
  readonly onFetched: (snapshotId: string) => Promise<void>;
  readonly onFailure: (error: unknown, snapshotId: string) => void;
}

export class Fetches {
  readonly #options: FetchesOptions;
  /** The one that is being read comes first. */
  readonly #waiting: string[] = [];
  /** When those may be read again that could not be. */
  readonly #failed = new Map<string, number>();
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: FetchesOptions) {
    this.#options = options;
  }

  /** Whether the store has it; then it is read as soon as those before it have been. */
  async locate(snapshotId: string): Promise<Whereabouts> {
    if (this.#waiting.includes(snapshotId)) return 'fetching';
    const againAtMs = this.#failed.get(snapshotId) ?? -Infinity;
    if (againAtMs === Infinity) return 'gone';
    if (againAtMs > performance.now()) return 'unreachable';
    if (this.#waiting.length >= WAITING_MAX) return 'busy';
    const found = await this.#lookUp(snapshotId);
    if (found !== 'fetching') return found;
    // Others may have asked meanwhile.
    if (!this.#waiting.includes(snapshotId)) this.#waiting.push(snapshotId);
    this.#running ??= this.#run();
    return 'fetching';
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #lookUp(snapshotId: string): Promise<Whereabouts> {
    try {
      const document = await this.#options.store.openDocument({ snapshotId }, this.#stop.signal);
      document.on('error', () => undefined).destroy();
      return 'fetching';
    } catch (error) {
      const isMissing = error instanceof SnapshotError && error.code === 'snapshot_missing';
      return isMissing ? 'gone' : 'unreachable';
    }
  }

  async #run(): Promise<void> {
    let [snapshotId] = this.#waiting;
    while (snapshotId !== undefined && !this.#stop.signal.aborted) {
      await this.#fetch(snapshotId);
      this.#waiting.shift();
      [snapshotId] = this.#waiting;
    }
    this.#running = undefined;
  }

  async #fetch(snapshotId: string): Promise<void> {
    const { signal } = this.#stop;
    try {
      await this.#options.fetch(snapshotId, signal);
      await this.#options.onFetched(snapshotId);
    } catch (error) {
      if (!signal.aborted) this.#onFailed(snapshotId, error);
    }
  }

  #onFailed(snapshotId: string, error: unknown): void {
    this.#options.onFailure(error, snapshotId);
    const isLasting = error instanceof SnapshotError && LASTING.includes(error.code);
    const [oldest] = this.#failed.keys();
    if (this.#failed.size >= FAILURES_MAX && oldest !== undefined) this.#failed.delete(oldest);
    this.#failed.set(snapshotId, isLasting ? Infinity : performance.now() + AGAIN_MS);
  }
}
