/** All front processes: starts them on one port, sends them the active snapshot, replaces dead ones, drains them. */
import { setTimeout as after } from 'node:timers/promises';
import { doubledDelay } from '../snapshot/domain/back-off.js';
import type { ActiveState, StoreState } from '../snapshot/domain/active-state.js';
import { NO_HISTORY, type History } from '../snapshot/history/history.js';
import { sumCells } from '../ipc/counter-table.js';
import { frontCounters } from '../ipc/front-counters.js';
import type { FromFront, FrontSettings, ToFront } from '../ipc/front-messages.js';
import { describeEnd, type Child } from './child-process.js';
import { FrontProcess, type FrontEnd } from './front-process.js';
import { BEAT_MS } from '../ipc/heartbeat.js';
import type { Log } from '../log/log.js';
import type { RecentFailures } from './operators/recent-failures.js';

/**
 * A front that dies sooner failed at its start, and its replacement may be delayed; one that has lived longer is
 * replaced at once.
 */
const EARLY_EXIT_MS = 10_000;
const DELAYS = { firstMs: 250, longestMs: 5000 };

/** Time limit of a start, also of a replacement. */
const LISTEN_MS = 30_000;

/** Time limit for opening a copy. */
const ACTIVATE_MS = 10_000;

/** Delay of another attempt to activate a snapshot: the front may lack memory or files for a while. */
const RETRY_MS = 5000;

/** Time for the exit after the drain's limit. */
const EXIT_MS = 1000;

/** Failures that fronts report about a copy: kind and log message. */
const FAILURES = {
  failed: ['front_failed', 'front cannot serve the snapshot'],
  damaged: ['copy_damaged', 'front found the local copy damaged'],
} as const;

export interface FrontsOptions {
  readonly settings: FrontSettings;
  readonly processes: number;
  /** An already started process for the first front. */
  readonly first?: Child | undefined;
  readonly log: Log;
  /** Failures for `bura status`; the log has them too. */
  readonly failures: RecentFailures;
  readonly following: FrontsFollowing;
}

interface FrontsFollowing {
  /** Called when a front has closed copies, whose files may be removed. */
  poll(): void;
  /** Called when a front has failed on the active copy, found damage, or died. */
  reverify(): void;
  /** Called when the rows of one of these snapshots are unreadable. */
  reverifyHistory(snapshotIds: readonly string[]): void;
  /** Called when a cached file of the archive is damaged. */
  reverifyArchive(sha256: string): void;
}

/** One of the configured fronts, with its present process. */
interface Slot {
  front: FrontProcess;
  /** Consecutive early exits, which increase the delay of the replacement. */
  earlyExits: number;
  isEmpty: boolean;
}

export class Fronts {
  readonly #options: FrontsOptions;
  readonly #slots: Slot[] = [];
  readonly #replacements = new Set<NodeJS.Timeout>();
  #serving: ActiveState | undefined;
  /** Called when a front has activated the last state. */
  #onServed = (): void => undefined;
  #store: StoreState | undefined;
  #history = NO_HISTORY;
  #archive: Extract<ToFront, { readonly kind: 'archive' }> | undefined;
  #generatedAtMs: number | undefined;
  #replaced = 0;
  #hung = 0;
  /** The table of counters, once a loaded front has sent its labels; all fronts are of one build. */
  #counters = frontCounters({ routes: [], statuses: [], codings: [] });
  #pastCounts: readonly number[] = [];
  #isListening = false;
  /** Whether dead fronts are replaced: not during the start, which fails as a whole, nor during the drain. */
  #isReplacing = false;
  readonly #heart = setInterval(() => {
    this.#beat();
  }, BEAT_MS).unref();

  private constructor(options: FrontsOptions) {
    this.#options = options;
  }

  /**
   * Starts all fronts; resolves when each has its socket open. Where the port is shared with another instance, resolves
   * as soon as each is loaded: the other instance already serves a snapshot, so a front here opens its socket only once
   * it has a snapshot too.
   *
   * @throws {Error} when one of them fails; then all are stopped.
   */
  static async start(options: FrontsOptions): Promise<Fronts> {
    const fronts = new Fronts(options);
    const timer = setTimeout(() => {
      fronts.kill();
    }, LISTEN_MS);
    try {
      const slots = Array.from({ length: options.processes }, (_, at) =>
        fronts.#addSlot(at === 0 ? options.first : undefined),
      );
      const { isPortShared } = fronts;
      await Promise.all(slots.map(({ front }) => (isPortShared ? front.started : front.listening)));
      if (fronts.alive < options.processes) throw new Error('a front process ended at the start');
      fronts.#isReplacing = true;
    } catch (error) {
      fronts.kill();
      await fronts.drain(0);
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return fronts;
  }

  get isPortShared(): boolean {
    return this.#options.settings.portShared === 'on';
  }

  /** Resolves when each front has its socket open. @throws {Error} one line, where a front cannot listen. */
  async listening(): Promise<void> {
    await Promise.all(this.#slots.map(({ front }) => front.listening));
    this.#isListening = true;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  get alive(): number {
    return this.#slots.filter((slot) => !slot.isEmpty).length;
  }

  get replaced(): number {
    return this.#replaced;
  }

  /** Number of hung fronts, which were killed. */
  get hung(): number {
    return this.#hung;
  }

  /** Generation time of the active snapshot: epoch milliseconds, UTC. */
  get generatedAtMs(): number | undefined {
    return this.#serving?.kind === 'snapshot' ? this.#generatedAtMs : undefined;
  }

  /** The state that was last sent to the fronts. */
  get serving(): ActiveState | undefined {
    return this.#serving;
  }

  /** Living processes by index, with their last event loop delays. */
  get processes() {
    return this.#slots.flatMap(({ isEmpty, front: { pid, counters } }, at) =>
      isEmpty ? [] : [{ name: `front-${at + 1}`, pid, loopDelays: counters?.loopDelays }],
    );
  }

  /** Directories of the copies that a front may have open. */
  inUse(): ReadonlySet<string> {
    return new Set(this.#slots.flatMap((slot) => [...slot.front.held]));
  }

  /**
   * Sends the state to all fronts; resolves when each living front serves it, has failed or is late. Without a living
   * front, waits for one.
   *
   * @param history the history to send with a snapshot; default: the last one.
   * @returns false when no front serves the new state; all fronts then keep the state that they had.
   */
  async serve(serving: ActiveState, history = this.#history): Promise<boolean> {
    this.#history = history;
    const previous = this.#serving;
    this.#serving = serving;
    if (serving.kind === 'unavailable') {
      for (const { front } of this.#slots) front.send(serving);
      return true;
    }
    const served = new Promise<true>((resolve) => {
      this.#onServed = () => {
        resolve(true);
      };
    });
    const copy = { ...serving, history };
    const answers = await Promise.all(
      this.#slots.map(({ front }) => front.activate(copy, ACTIVATE_MS)),
    );
    if (answers.includes(true)) return true;
    const late = answers.includes(false) ? false : after(LISTEN_MS, false, { ref: false });
    if (await Promise.race([served, late])) return true;
    this.#serving = previous;
    return false;
  }

  sendStore(store: StoreState): void {
    this.#store = store;
    for (const { front } of this.#slots) front.send({ kind: 'store', store });
  }

  get history(): History {
    return this.#history;
  }

  /** Sends a history that has changed while the active snapshot stays. */
  sendHistory(history: History): void {
    this.#history = history;
    for (const { front } of this.#slots) front.send({ kind: 'history', history });
  }

  sendArchive(archive: Extract<ToFront, { readonly kind: 'archive' }>): void {
    this.#archive = archive;
    for (const { front } of this.#slots) front.send(archive);
  }

  /** Metrics of all fronts, also exited ones. */
  async renderCounters(): Promise<string> {
    await Promise.all(this.#slots.map(({ front }) => front.count()));
    // No `await` may follow: so each front is counted exactly once, either as living or as exited.
    const living = this.#slots.flatMap(({ isEmpty, front }) =>
      isEmpty ? [] : [front.counters?.cells ?? []],
    );
    return this.#counters.render([this.#pastCounts, ...living].reduce(sumCells));
  }

  /** Lets all fronts finish, then kills them after `timeLimitMs`; resolves at the last exit. */
  async drain(timeLimitMs: number): Promise<void> {
    this.#isReplacing = false;
    for (const timer of this.#replacements) clearTimeout(timer);
    const killer = setTimeout(() => {
      this.kill();
    }, timeLimitMs + EXIT_MS);
    for (const { front } of this.#slots) front.send({ kind: 'drain', timeLimitMs });
    await Promise.all(this.#slots.map(({ front }) => front.ended));
    clearTimeout(killer);
    clearInterval(this.#heart);
  }

  kill(): void {
    for (const { front } of this.#slots) front.kill();
  }

  #addSlot(started?: Child): Slot {
    const slot: Slot = { front: this.#fork(started), earlyExits: 0, isEmpty: false };
    this.#slots.push(slot);
    this.#watch(slot);
    return slot;
  }

  /** Kills hung fronts, which are then replaced like dead ones. */
  #beat(): void {
    for (const { front } of this.#slots) {
      if (!front.beat()) continue;
      this.#hung++;
      this.#options.log.error({ front_pid: front.pid }, 'front hung');
      const message = 'A front process was silent for too long, and is killed.';
      this.#options.failures.record({ kind: 'front_hung', message });
      front.kill();
    }
  }

  /** Starts a front process, and sends it the known state. */
  #fork(started?: Child): FrontProcess {
    const onMessage = (message: FromFront): void => {
      this.#onMessage(front, message);
    };
    const front = new FrontProcess(this.#options.settings, onMessage, started);
    if (this.#store !== undefined) front.send({ kind: 'store', store: this.#store });
    if (this.#archive !== undefined) front.send(this.#archive);
    if (this.#serving !== undefined) this.#send(front, this.#serving);
    // While other fronts serve the snapshot, this one must have it before it listens.
    const serving = this.#serving?.kind === 'snapshot' ? this.#serving.directory : '';
    const isServed = this.#slots.some((slot) => slot.front.serves(serving));
    if (!isServed && !this.isPortShared) front.listen();
    return front;
  }

  #onMessage(front: FrontProcess, message: FromFront): void {
    const { log, following, failures } = this.#options;
    switch (message.kind) {
      case 'started':
        this.#counters = frontCounters(message.labels);
        break;
      case 'released':
        following.poll();
        break;
      case 'activated':
        if (this.#serving?.kind === 'snapshot' && this.#serving.directory === message.directory) {
          this.#generatedAtMs = message.generatedAtMs;
          this.#onServed();
        }
        front.listen();
        this.#correct(front);
        break;
      case 'failed':
      case 'damaged': {
        const { directory, message: reason } = message;
        const [kind, what] = FAILURES[message.kind];
        log.error({ front_pid: front.pid, directory, reason }, what);
        failures.record({ kind, message: reason });
        following.reverify();
        if (message.kind === 'failed')
          setTimeout(this.#correct.bind(this, front), RETRY_MS).unref();
        break;
      }
      case 'history_damaged':
        following.reverifyHistory(message.snapshotIds);
        break;
      case 'archive_damaged':
        following.reverifyArchive(message.sha256);
        break;
      default: // for the caller that waits for it
    }
  }

  /** Sends the state again to a front that failed to open it, or was late. */
  #correct(front: FrontProcess): void {
    const serving = this.#serving;
    const isOther = serving?.kind === 'snapshot' && front.lacks(serving.directory);
    if (isOther) this.#send(front, serving);
  }

  #send(front: FrontProcess, serving: ActiveState): void {
    if (serving.kind === 'unavailable') front.send(serving);
    else front.send({ ...serving, kind: 'activate', history: this.#history });
  }

  #watch(slot: Slot): void {
    const { front } = slot;
    void front.ended.then((end) => {
      slot.isEmpty = true;
      const past = this.#counters.withoutGauges(front.counters?.cells ?? []);
      this.#pastCounts = sumCells(this.#pastCounts, past);
      if (this.#isReplacing) this.#replace(slot, end);
    });
  }

  #replace(slot: Slot, end: FrontEnd): void {
    const { log, following, failures } = this.#options;
    slot.earlyExits = end.livedMs < EARLY_EXIT_MS ? slot.earlyExits + 1 : 0;
    const delayMs = delayAfter(slot.earlyExits);
    const values = { front_pid: slot.front.pid, reason: describeEnd(end), delay_ms: delayMs };
    log.error(values, 'front died');
    const message = `A front process ended: ${describeEnd(end)}.`;
    failures.record({ kind: 'front_died', message });
    const timer = setTimeout(() => {
      this.#replacements.delete(timer);
      this.#refill(slot);
    }, delayMs);
    this.#replacements.add(timer);
    following.poll();
    // An end by SIGKILL or a failed start says nothing about the copy; any other end may be caused by a damaged copy.
    if (end.signal !== 'SIGKILL' && end.failure === undefined) following.reverify();
  }

  #refill(slot: Slot): void {
    const startedAt = performance.now();
    slot.front = this.#fork();
    slot.isEmpty = false;
    this.#watch(slot);
    const { pid, listening } = slot.front;
    listening.then(
      () => {
        this.#replaced++;
        const milliseconds = Math.round(performance.now() - startedAt);
        this.#options.log.info({ front_pid: pid, milliseconds }, 'front replaced');
      },
      () => undefined, // its own end is logged
    );
  }
}

/** Delay of a replacement: 0 after a long life or the first early exit, then doubling. */
function delayAfter(earlyExits: number): number {
  return earlyExits <= 1 ? 0 : doubledDelay(earlyExits - 2, DELAYS);
}
