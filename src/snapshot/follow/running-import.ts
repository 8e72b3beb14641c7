/** The import under way: begun for a pointer, cancelled when it is no longer wanted, and activated when it is done. */
import type { Clock } from '../domain/clock.js';
import type { Pointer } from '../store/pointer.js';
import type { FollowEvent } from './follow-event.js';

type ImportOutcome =
  | { readonly ok: true; readonly importMs: number }
  | { readonly ok: false; readonly error: unknown };

export interface RunningImportOptions {
  /** Makes the pointer's verified local copy. Never called twice at a time; an abort ends it soon. */
  readonly importSnapshot: (pointer: Pointer, signal: AbortSignal) => Promise<unknown>;
  readonly report: (event: FollowEvent) => void;
  readonly clock: Clock;
  readonly onEnd: () => void;
}

/** A killed process exits within this time, unless its disk hangs. */
const END_MS = 2000;

interface Import {
  readonly pointer: Pointer;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  outcome?: ImportOutcome;
}

export type EndedImport = Required<Pick<Import, 'pointer' | 'outcome'>>;

export class RunningImport {
  readonly #options: RunningImportOptions;
  #import: Import | undefined;

  constructor(options: RunningImportOptions) {
    this.#options = options;
  }

  get pointer(): Pointer | undefined {
    return this.#import?.pointer;
  }

  /** Begins an import, unless an earlier one, such as a cancelled one, is still running. */
  start(pointer: Pointer): void {
    if (this.#import !== undefined) return;
    const { importSnapshot, report, clock, onEnd } = this.#options;
    const { snapshotId, sizeBytes } = pointer;
    const abort = new AbortController();
    const startedAt = clock.elapsedMs();
    report({ kind: 'importing', snapshotId, sizeBytes });
    const end = (outcome: ImportOutcome): void => {
      running.outcome = outcome;
      onEnd();
    };
    const ended = importSnapshot(pointer, abort.signal).then(
      () => {
        end({ ok: true, importMs: Math.round(clock.elapsedMs() - startedAt) });
      },
      (error: unknown) => {
        end({ ok: false, error });
      },
    );
    const running: Import = { pointer, abort, ended };
    this.#import = running;
  }

  /**
   * Whether the running import goes on after `pointer` was read; otherwise it is cancelled.
   *
   * An import for an earlier pointer goes on: otherwise a pointer that moves faster than imports run would never be
   * followed. It is cancelled if the pointer has gone back to an available copy, gives the same id other bytes, or
   * withdraws the snapshot.
   *
   * @param isThere whether the pointer's copy is available.
   */
  async continues(pointer: Pointer, isThere: () => Promise<boolean>): Promise<boolean> {
    const running = this.#import;
    if (running === undefined || running.abort.signal.aborted) return false;
    const { snapshotId, sha256, document } = running.pointer;
    if (snapshotId === pointer.snapshotId) {
      if (sha256 === pointer.sha256 && document === pointer.document) return true;
    } else if (!pointer.removed?.includes(snapshotId) && !(await isThere())) return true;
    this.#options.report({ kind: 'import_ended', snapshotId });
    await this.end();
    return false;
  }

  /** Cancels the running import; an import that hangs, such as on a broken disk, ends later. */
  async end(): Promise<void> {
    const running = this.#import;
    if (running === undefined) return;
    running.abort.abort();
    const waiting = new AbortController();
    await Promise.race([running.ended, this.#options.clock.wait(END_MS, waiting.signal)]);
    waiting.abort();
    if (running.outcome !== undefined) this.#import = undefined;
  }

  /** Returns each finished import once. */
  takeEnded(): EndedImport | undefined {
    const running = this.#import;
    if (running?.outcome === undefined) return undefined;
    this.#import = undefined;
    if (running.abort.signal.aborted) return undefined;
    return { pointer: running.pointer, outcome: running.outcome };
  }
}
