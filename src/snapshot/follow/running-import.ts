/** The one import that may be under way: begun for a pointer, ended for a newer one or left to finish, and taken up at its end. */
import type { Clock } from '../domain/clock.js';
import type { Pointer } from '../store/store.js';
import type { FollowEvent } from './follow-event.js';

type ImportOutcome =
  | { readonly ok: true; readonly importMs: number }
  | { readonly ok: false; readonly error: unknown };

export interface EndedImport {
  readonly pointer: Pointer;
  readonly outcome: ImportOutcome;
}

export interface RunningImportOptions {
  /**
   * Makes the pointer's local copy, verified against the pointer's size and digest.
   *
   * Never called while another call is under way; an abort ends it soon.
   */
  readonly importSnapshot: (pointer: Pointer, signal: AbortSignal) => Promise<unknown>;
  readonly report: (event: FollowEvent) => void;
  readonly clock: Clock;
  /** Called when an import has come to its end. */
  readonly onEnd: () => void;
}

/** Who has been killed is gone by then, unless a disk that hangs holds it. */
const END_MS = 2000;

interface Import {
  readonly pointer: Pointer;
  readonly abort: AbortController;
  /** Never rejects. */
  readonly ended: Promise<void>;
  /** A newer pointer has come, and the import goes on all the same. */
  isSuperseded: boolean;
  outcome?: ImportOutcome;
}

export class RunningImport {
  readonly #options: RunningImportOptions;
  #import: Import | undefined;
  /** An import was ended for a newer pointer, and what the pointer names is not served yet. */
  #isBehind = false;

  constructor(options: RunningImportOptions) {
    this.#options = options;
  }

  /** The pointer that is being imported; undefined while nothing is. */
  get pointer(): Pointer | undefined {
    return this.#import?.pointer;
  }

  /** Begins, unless one that was ended is still not gone. */
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
        end({ ok: true, importMs: clock.elapsedMs() - startedAt });
      },
      (error: unknown) => {
        end({ ok: false, error });
      },
    );
    const running: Import = { pointer, abort, ended, isSuperseded: false };
    this.#import = running;
  }

  /**
   * Whether an import runs and goes on, now that the pointer is `pointer`.
   *
   * The first one that a newer pointer overtakes is ended, for its snapshot is out of date. The next ones are not, until
   * what the pointer names is served: a pointer that moves faster than an import runs would never be followed. Nor does
   * one go on where the pointer has gone back to what is served or can be at once, or gives other bytes under the same id.
   *
   * @param isThere whether what the pointer names is served, or can be at once.
   */
  async continues(pointer: Pointer, isThere: () => Promise<boolean>): Promise<boolean> {
    const running = this.#import;
    if (running === undefined || running.abort.signal.aborted) return false;
    if (isSameDocument(running.pointer, pointer)) return true;
    const isSameId = running.pointer.snapshotId === pointer.snapshotId;
    const finishes = this.#isBehind && !isSameId && !(await isThere());
    if (!running.isSuperseded || !finishes) {
      const { snapshotId } = running.pointer;
      this.#options.report({ kind: 'superseded', snapshotId, finishes });
    }
    if (finishes) {
      running.isSuperseded = true;
      return true;
    }
    this.#isBehind = true;
    await this.end();
    return false;
  }

  /** What the pointer names is served, or nothing is to be: the next import that is superseded is ended again. */
  markCurrent(): void {
    this.#isBehind = false;
  }

  /** Ends the import, where one runs; one that hangs with its store's disk ends later. */
  async end(): Promise<void> {
    const running = this.#import;
    if (running === undefined) return;
    running.abort.abort();
    const waiting = new AbortController();
    await Promise.race([running.ended, this.#options.clock.wait(END_MS, waiting.signal)]);
    waiting.abort();
    if (running.outcome !== undefined) this.#import = undefined;
  }

  /** The import that has come to its end since the last call; once. */
  takeEnded(): EndedImport | undefined {
    const running = this.#import;
    if (running?.outcome === undefined) return undefined;
    this.#import = undefined;
    if (running.abort.signal.aborted) return undefined;
    return { pointer: running.pointer, outcome: running.outcome };
  }
}

function isSameDocument(a: Pointer, b: Pointer): boolean {
  return a.snapshotId === b.snapshotId && a.sha256 === b.sha256 && a.document === b.document;
}
