/** All front processes: started on one port, told what to serve, replaced when they die, drained at the end. */
import type { Serving, StoreState } from '../../snapshot/domain/serving-state.js';
import type { FrontCounters, FrontSettings, ToFront } from './control.js';
import { describeEnd, FrontProcess, type FrontEnd } from './front-process.js';
import type { Log } from './log.js';
import { NOTHING_DONE, sumCounters, withoutLeases } from './totals.js';

/** A front that lived as long dies of something else than its start. */
const YOUNG_MS = 10_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;

const LISTEN_MS = 30_000;

/** A front that takes longer is not waited for: it goes on trying, while the pointer is followed again. */
const ACTIVATE_MS = 10_000;

/** A front that cannot open a proved copy lacks something else (memory, open files), which may come back. */
const RETRY_MS = 5000;

/** Beyond the drain's own limit: for the exit itself. */
const EXIT_MS = 1000;

export interface FrontsOptions {
  readonly settings: FrontSettings;
  readonly processes: number;
  readonly log: Log;
  /** Some front holds less than before: files of old copies may go. */
  readonly onReleased: () => void;
  /** A front has failed on the active copy, or died by itself. */
  readonly onTrouble: () => void;
}

/** A place for one front, whoever is in it. */
interface Slot {
  front: FrontProcess;
  /** One after the other: what the next replacement waits by. */
  youngDeaths: number;
  isEmpty: boolean;
}

export class Fronts {
  readonly #options: FrontsOptions;
  readonly #slots: Slot[] = [];
  readonly #replacements = new Set<NodeJS.Timeout>();
  #serving: Serving | undefined;
  #store: StoreState | undefined;
  #generatedAtMs: number | undefined;
  #replaced = 0;
  #countersOfDead = NOTHING_DONE;
  /** Not while they start (a start fails as a whole), and not while they drain. */
  #isReplacing = false;

  private constructor(options: FrontsOptions) {
    this.#options = options;
  }

  /**
   * Starts all of them; resolves when each has the socket open.
   *
   * @throws {Error} when one of them does not come to listen; then none is left.
   */
  static async start(options: FrontsOptions): Promise<Fronts> {
    const fronts = new Fronts(options);
    const timer = setTimeout(() => {
      fronts.kill();
    }, LISTEN_MS);
    try {
      const slots = Array.from({ length: options.processes }, () => fronts.#addSlot());
      await Promise.all(slots.map(({ front }) => front.listening));
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

  get alive(): number {
    return this.#slots.filter((slot) => !slot.isEmpty).length;
  }

  /** How many have died and been replaced. */
  get replaced(): number {
    return this.#replaced;
  }

  /** Of the snapshot that is being served: epoch milliseconds, UTC. */
  get generatedAtMs(): number | undefined {
    return this.#serving?.kind === 'snapshot' ? this.#generatedAtMs : undefined;
  }

  /** Directories of the copies that some front may have open. */
  inUse(): ReadonlySet<string> {
    return new Set(this.#slots.flatMap((slot) => [...slot.front.held]));
  }

  /**
   * Tells all of them; resolves when each one that lives serves it (or cannot, or takes too long).
   *
   * False when one cannot and none can: then what they served before is what they serve.
   */
  async serve(serving: Serving): Promise<boolean> {
    const previous = this.#serving;
    this.#serving = serving;
    const served = await Promise.all(this.#slots.map(({ front }) => tellServing(front, serving)));
    const canBe = served.includes(true) || !served.includes(false);
    if (!canBe) this.#serving = previous;
    return canBe;
  }

  tellStore(store: StoreState): void {
    this.#store = store;
    for (const { front } of this.#slots) front.tell({ kind: 'store', store });
  }

  /** What all of them have done, the dead included. */
  async counters(): Promise<FrontCounters> {
    const counted = await Promise.all(this.#slots.map(({ front }) => front.count()));
    return sumCounters([this.#countersOfDead, ...counted]);
  }

  /** Lets all of them finish their answers; after `timeLimitMs` they are killed. Resolves when all are gone. */
  async drain(timeLimitMs: number): Promise<void> {
    this.#isReplacing = false;
    for (const timer of this.#replacements) clearTimeout(timer);
    const killer = setTimeout(() => {
      this.kill();
    }, timeLimitMs + EXIT_MS);
    for (const { front } of this.#slots) front.tell({ kind: 'drain', timeLimitMs });
    await Promise.all(this.#slots.map(({ front }) => front.ended));
    clearTimeout(killer);
  }

  kill(): void {
    for (const { front } of this.#slots) front.kill();
  }

  #addSlot(): Slot {
    const slot: Slot = { front: this.#fork(), youngDeaths: 0, isEmpty: false };
    this.#slots.push(slot);
    this.#watch(slot);
    return slot;
  }

  /** A new front, told all there is to know. */
  #fork(): FrontProcess {
    const { settings, log, onReleased, onTrouble } = this.#options;
    const front = new FrontProcess(settings, {
      onReleased,
      onActivated: (snapshot) => {
        this.#generatedAtMs = snapshot.generatedAtMs;
      },
      onFailed: ({ directory, message }) => {
        const values = { front_pid: front.pid, directory, reason: message };
        log.error(values, 'front cannot serve the snapshot');
        onTrouble();
        setTimeout(() => {
          this.#tellAgain(front, directory);
        }, RETRY_MS).unref();
      },
    });
    if (this.#store !== undefined) front.tell({ kind: 'store', store: this.#store });
    if (this.#serving !== undefined) void tellServing(front, this.#serving);
    return front;
  }

  #tellAgain(front: FrontProcess, directory: string): void {
    const serving = this.#serving;
    const isStillWanted = serving?.kind === 'snapshot' && serving.directory === directory;
    if (isStillWanted) void tellServing(front, serving);
  }

  #watch(slot: Slot): void {
    const { front } = slot;
    void front.ended.then((end) => {
      slot.isEmpty = true;
      this.#countersOfDead = sumCounters([this.#countersOfDead, withoutLeases(front.counters)]);
      if (this.#isReplacing) this.#replace(slot, end);
    });
  }

  #replace(slot: Slot, end: FrontEnd): void {
    const { log, onReleased, onTrouble } = this.#options;
    const delayMs = delayAfter(slot.youngDeaths);
    slot.youngDeaths = end.livedMs < YOUNG_MS ? slot.youngDeaths + 1 : 0;
    const values = { front_pid: slot.front.pid, reason: describeEnd(end), delay_ms: delayMs };
    log.error(values, 'front died');
    const timer = setTimeout(() => {
      this.#replacements.delete(timer);
      this.#refill(slot);
    }, delayMs);
    this.#replacements.add(timer);
    onReleased();
    // Killed from outside it says nothing about the copy; whatever else it was, the copy may have been the cause.
    if (end.signal !== 'SIGKILL') onTrouble();
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

/** Whether it is served; undefined: not known, or nothing is to be. */
async function tellServing(front: FrontProcess, serving: Serving): Promise<boolean | undefined> {
  if (serving.kind === 'unavailable') {
    front.tell({ ...serving } satisfies ToFront);
    return undefined;
  }
  return await front.activate(serving, ACTIVATE_MS);
}

/** The first at once; those that go on dying young ever later. */
function delayAfter(youngDeaths: number): number {
  if (youngDeaths === 0) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (youngDeaths - 1));
}
