/** One front process as the supervisor sees it: messages, open copies, and its end. */
import { fork } from 'node:child_process';
import type { CopyInHistory, FromFront, FrontSettings, ToFront } from '../ipc/front-messages.js';
import { HUNG_BEATS, LATE_BEATS, MissedBeats, STARTING_BEATS } from '../ipc/heartbeat.js';
import {
  childEnvironment,
  describeEnd,
  startChild,
  type Child,
  type ChildEnd,
} from './child-process.js';

const FRONT_SCRIPT = new URL('../http/front/front.js', import.meta.url);

export type CountedCells = Extract<FromFront, { readonly kind: 'counters' }>;

export interface FrontEnd extends ChildEnd {
  readonly livedMs: number;
}

/** Time for a scrape to wait for a front's counters. */
const COUNTERS_MS = 500;

/**
 * Limit in bytes of a request line with its fields; above it the library answers 431. The default of 4096 would refuse
 * names of 4 kB, which the service answers itself (`docs/dependencies.md, "Request limits"`).
 */
const REQUEST_HEAD_BYTES = '8192';

/**
 * Flags of V8 for small heaps: a front's garbage dies with each answer. Semi-spaces of 4 MB, and an old space that
 * grows by half before it is collected: 147 MB instead of 193 after 300 pages, at the same speed
 * (`docs/decisions/machinery.md`).
 */
const HEAP_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50'];

/**
 * Compiles the WebAssembly of charts (`src/workers/formats/png.ts`) once: compiling it again, for speed, took 70 MB and
 * 0.3 s of the first pictures. Pictures of 2000 x 2000 pixels now take 0.4 s instead of 0.2, usual ones the same.
 */
const WASM_FLAGS = ['--liftoff-only'];

/**
 * Settings of glibc's allocator (mallopt(3)) that return freed memory: after 1,100 varied requests a front had 218 MB
 * of anonymous memory, instead of 242 with an arena for each thread.
 */
const MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** Starts a front, which loads its libraries and waits for the settings; it ends with this process. */
export function startFrontProcess(): Child {
  return startChild('front', () =>
    fork(FRONT_SCRIPT, {
      execArgv: [...process.execArgv, ...HEAP_FLAGS, ...WASM_FLAGS],
      env: { ...MALLOC, UWS_HTTP_MAX_HEADERS_SIZE: REQUEST_HEAD_BYTES, ...childEnvironment() },
      // The last descriptor is `SHARED_STDOUT`.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', 1],
    }),
  );
}

export class FrontProcess {
  /** Resolves when the front is loaded; rejects when it ends before that. */
  readonly started: Promise<void>;
  /** Resolves when the socket is open, after `listen`; rejects when listening fails or the front ends. */
  readonly listening: Promise<void>;
  readonly ended: Promise<FrontEnd>;

  readonly #child: Child;
  /** Directories of the open copies, each with the number of unreleased `activate` messages. */
  readonly #held = new Map<string, number>();
  /** Directory of the copy that the front last reported as active. */
  #active: string | undefined;
  /** Number of unanswered `activate` messages. */
  #activating = 0;
  readonly #listeners: Set<(message: FromFront) => void>;
  readonly #missedBeats = new MissedBeats();
  #isLate = false;
  /** Called when the front is late. */
  readonly #onLate = new Set<() => void>();
  #hasSpoken = false;
  #counters: CountedCells | undefined;
  #isOver = false;
  #listens = false;

  /** @param onMessage called first with each message. @param child already started by `startFrontProcess`. */
  constructor(
    settings: FrontSettings,
    onMessage: (message: FromFront) => void,
    child = startFrontProcess(),
  ) {
    this.#listeners = new Set([onMessage]);
    this.#child = child;
    this.#child.process.on('message', this.#onMessage.bind(this));
    this.ended = this.#watchEnd();
    this.started = this.#watchFor('started');
    this.listening = this.#watchFor('listening');
    // A rejection needs no handler: after the start `ended` reports the end.
    this.started.catch(() => undefined);
    this.listening.catch(() => undefined);
    this.send({ kind: 'start', settings });
  }

  get pid(): number | undefined {
    return this.#child.process.pid;
  }

  /** Directories of the copies that the front may have open. */
  get held(): ReadonlySet<string> {
    return new Set(this.#held.keys());
  }

  /** Whether another copy is active, and no activation is pending. */
  lacks(directory: string): boolean {
    return this.#activating === 0 && this.#active !== directory;
  }

  serves(directory: string): boolean {
    return !this.#isOver && this.#active === directory;
  }

  /** Tells the front to open its socket; later calls do nothing. */
  listen(): void {
    if (!this.#listens) this.send({ kind: 'listen' });
    this.#listens = true;
  }

  /** The last counters; undefined before any. */
  get counters(): CountedCells | undefined {
    return this.#counters;
  }

  /** Sends one message; does nothing after the end of the front, which `ended` reports. */
  send(message: ToFront): void {
    if (this.#isOver) return;
    if (message.kind === 'activate') {
      this.#hold(message.directory, 1);
      this.#activating += 1;
    }
    this.#child.process.send(message, () => undefined);
  }

  /** Called once a second. @returns whether the front has now been silent for too long; a loading one has more time. */
  beat(): boolean {
    if (this.#isOver) return false;
    const missed = this.#missedBeats.beat();
    this.#isLate = missed >= LATE_BEATS;
    if (this.#isLate) for (const end of this.#onLate) end();
    this.send({ kind: 'ping' });
    return missed === (this.#hasSpoken ? HUNG_BEATS : STARTING_BEATS);
  }

  /** Activates a copy. @returns whether it did; undefined if the front is gone, late or slower than `limitMs`. */
  async activate(copy: CopyInHistory, limitMs: number): Promise<boolean | undefined> {
    let isServed: boolean | undefined;
    this.send({ ...copy, kind: 'activate' });
    await this.#answer(limitMs, (message) => {
      const isAnswer = message.kind === 'activated' || message.kind === 'failed';
      if (!isAnswer || message.directory !== copy.directory) return false;
      isServed = message.kind === 'activated';
      return true;
    });
    return isServed;
  }

  /** Requests the counters; resolves when they arrive, after `COUNTERS_MS`, or when the front is gone or late. */
  async count(): Promise<void> {
    this.send({ kind: 'count' });
    await this.#answer(COUNTERS_MS, (message) => message.kind === 'counters');
  }

  kill(): void {
    this.#child.process.kill('SIGKILL');
  }

  /** A `released` may cross an `activate`, so both are counted. */
  #hold(directory: string, activations: number): void {
    const left = (this.#held.get(directory) ?? 0) + activations;
    if (left > 0) this.#held.set(directory, left);
    else this.#held.delete(directory);
  }

  async #answer(limitMs: number, isAnswer: (message: FromFront) => boolean): Promise<void> {
    if (this.#isLate) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#listeners.delete(listener);
        this.#onLate.delete(end);
        clearTimeout(timer);
        resolve();
      };
      const listener = (message: FromFront): void => {
        if (isAnswer(message)) end();
      };
      const timer = setTimeout(end, limitMs);
      this.#listeners.add(listener);
      this.#onLate.add(end);
      void this.ended.then(end);
    });
  }

  async #watchFor(kind: 'started' | 'listening'): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#listeners.add((message) => {
        if (message.kind === kind) resolve();
        if (message.kind === 'not_listening') reject(new Error(message.message));
      });
      void this.ended.then((end) => {
        reject(new Error(`a front process ended before it listened (${describeEnd(end)})`));
      });
    });
  }

  async #watchEnd(): Promise<FrontEnd> {
    const startedAt = performance.now();
    const end = await this.#child.ended;
    this.#isOver = true;
    this.#held.clear();
    return { ...end, livedMs: performance.now() - startedAt };
  }

  #onMessage(message: FromFront): void {
    this.#hasSpoken = true;
    this.#missedBeats.reset();
    this.#isLate = false;
    switch (message.kind) {
      case 'activated':
        this.#activating -= 1;
        this.#active = message.directory;
        break;
      case 'failed':
        this.#activating -= 1;
        this.#hold(message.directory, -1);
        break;
      case 'released':
        this.#hold(message.directory, -message.activations);
        break;
      case 'counters':
        this.#counters = message;
        break;
      default: // only for the listeners
    }
    for (const listener of this.#listeners) listener(message);
  }
}
