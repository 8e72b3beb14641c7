/**
 * Which snapshot an answer may be of: the one that is visible, or the one whose activation has been announced.
 *
 * The first answer of an announced snapshot makes it the visible one. With several fronts they swap one after the other, so
 * the one before it is right for a while; whoever still answers from it after that is stale.
 */

/** How long after a swap an answer to a new request may be of the snapshot before. */
const GRACE_MS = 2_000;

export class Timeline {
  #current: string | undefined;
  #announced: string | undefined;
  #visibleMs = 0;
  /** When a snapshot was last seen to be replaced by another one. */
  readonly #leftMs = new Map<string, number>();
  /** Swaps that were seen in answers. */
  swaps = 0;
  readonly #isLenient: boolean;

  /** @param isLenient an answer may be of any snapshot: some process was stopped, or the pointer went away and came back. */
  constructor(isLenient = false) {
    this.#isLenient = isLenient;
  }

  /** The snapshot of the newest answers. */
  get current(): string | undefined {
    return this.#current;
  }

  /** Whether a snapshot is announced that no answer was of yet. */
  get isSwapping(): boolean {
    return this.#announced !== undefined;
  }

  /** When the last swap was seen. */
  get visibleMs(): number {
    return this.#visibleMs;
  }

  /** Snapshots that an answer to a request sent at `sentMs` may be of. */
  possible(sentMs: number): readonly string[] {
    const left = [...this.#leftMs].flatMap(([id, leftMs]) =>
      this.#isLenient || sentMs < leftMs + GRACE_MS ? [id] : [],
    );
    return [this.#current, this.#announced, ...left].filter((id) => id !== undefined);
  }

  /** Must be called before the pointer moves, and not before the swap before it was seen. */
  announce(snapshotId: string): void {
    this.#announced = snapshotId === this.#current ? undefined : snapshotId;
  }

  /**
   * Takes note of an answer's snapshot.
   *
   * @param sentMs when the request was sent, by the clock of `nowMs`.
   * @returns what is wrong with it; undefined if nothing is.
   */
  see(snapshotId: string, sentMs: number, nowMs: number): string | undefined {
    this.#current ??= snapshotId;
    if (snapshotId === this.#current) return undefined;
    if (snapshotId === this.#announced || this.#isLenient) {
      this.#leftMs.set(this.#current, nowMs);
      this.#current = snapshotId;
      this.#announced = undefined;
      this.#visibleMs = nowMs;
      this.swaps += 1;
      return undefined;
    }
    const leftMs = this.#leftMs.get(snapshotId);
    if (leftMs !== undefined && sentMs < leftMs + GRACE_MS) return undefined;
    return `stale: ${snapshotId} while ${this.#current} is visible`;
  }
}
