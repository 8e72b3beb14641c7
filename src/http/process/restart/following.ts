/** Following that can be paused, so that another instance has the local copies for itself, and be taken up again. */
import { setTimeout as after } from 'node:timers/promises';
import type { Follower } from '../../../snapshot/follow/follow.js';

/** What has worked at the start fails for a while at most: a full disk, or one that is away. */
const RETRY_MS = 5000;

export class Following {
  readonly #begin: () => Promise<Follower>;
  /** While it runs. */
  #follower: Promise<Follower> | undefined;
  #current: Follower | undefined;
  #isOver = false;

  /** @param begin what an earlier run has left is taken up. */
  constructor(begin: () => Promise<Follower>) {
    this.#begin = begin;
  }

  /** Begins. */
  async start(): Promise<void> {
    this.#follower = this.#begin();
    this.#current = await this.#follower;
  }

  /** The one that has begun last; undefined before the first has. */
  get current(): Follower | undefined {
    return this.#current;
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
    const follower = this.#follower;
    this.#follower = undefined;
    const running = await follower?.catch(() => undefined);
    await running?.stop();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.pause();
  }

  /** See `Follower`. */
  look(): void {
    void this.#follower?.then((follower) => {
      follower.look();
    }, ignored);
  }

  /** See `Follower`. */
  doubt(): void {
    void this.#follower?.then((follower) => {
      follower.doubt();
    }, ignored);
  }
}

/** Whoever has begun is told. */
const ignored = (): void => undefined;
