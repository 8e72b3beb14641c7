/** Following that can be paused, so that another instance has the local copies for itself, and be taken up again. */
import { setTimeout as after } from 'node:timers/promises';
import type { Follower } from '../../snapshot/follow/follow.js';
import type { KeptHistory } from '../../snapshot/history/kept-history.js';

/** What has worked at the start fails for a while at most: a full disk, or one that is away. */
const RETRY_MS = 5000;

/** All that reads the store and writes into the directory of local copies. */
export interface Followed {
  readonly follower: Follower;
  readonly history: KeptHistory;
}

export class Following {
  readonly #begin: () => Promise<Followed>;
  /** While it runs. */
  #followed: Promise<Followed> | undefined;
  #current: Followed | undefined;
  #isOver = false;

  /** @param begin what an earlier run has left is taken up. */
  constructor(begin: () => Promise<Followed>) {
    this.#begin = begin;
  }

  /** Begins. */
  async start(): Promise<void> {
    this.#followed = this.#begin();
    this.#current = await this.#followed;
  }

  /** The one that has begun last; undefined before the first has. */
  get current(): Follower | undefined {
    return this.#current?.follower;
  }

  /** Goes on after a pause, as soon as that can be; never after the end. */
  async resume(onFailure: (error: unknown) => void): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.start();
        return;
      } catch (error) {
        onFailure(error);
        await after(RETRY_MS);
      }
    }
  }

  /** Resolves when what was under way has ended, an import too. */
  async pause(): Promise<void> {
    const followed = this.#followed;
    this.#followed = undefined;
    const running = await followed?.catch(() => undefined);
    await running?.follower.stop();
    await running?.history.stop();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.pause();
  }

  /** See `Follower`. */
  look(): void {
    void this.#followed?.then(({ follower }) => {
      follower.look();
    }, ignored);
  }

  /** See `Follower`. */
  doubt(): void {
    void this.#followed?.then(({ follower }) => {
      follower.doubt();
    }, ignored);
  }

  /** See `KeptHistory`; while another instance has the directory for itself, nothing is changed in it. */
  served(snapshotId: string): void {
    void this.#followed?.then(({ follower, history }) => {
      history.served(snapshotId);
      follower.served(snapshotId);
    }, ignored);
  }

  /** See `KeptHistory`. */
  doubtHistory(snapshotIds: readonly string[]): void {
    void this.#followed?.then(({ history }) => history.doubt(snapshotIds), ignored);
  }
}

/** Whoever has begun is told. */
const ignored = (): void => undefined;
