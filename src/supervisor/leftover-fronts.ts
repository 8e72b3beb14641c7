/**
 * Front processes that outlive a killed supervisor (`docs/operations/running.md, "Hung processes"`). One that runs notices and
 * ends by itself; one that is stopped cannot, and would hold the port. So the fronts that run are written down beside
 * the local copies, where the next supervisor finds them.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readBootId, readCommand, readProcessState } from './operators/processes.js';

/** No snapshot id has a tilde, so no local copy has this name. */
const FILE = '~fronts.json';

/** What every front runs. */
export const FRONT_SCRIPT = new URL('../http/front/front.js', import.meta.url);

const LOOK_MS = 20;

/** A killed process that is not gone by then hangs in the kernel, on a broken disk for example. */
const KILLED_MS = 5000;

/** A process as no other one is it: process ids are used again. */
interface RecordedFront {
  readonly pid: number;
  /** Since the system was started, in clock ticks. */
  readonly startTicks: number;
  /** The system's own id for this start of it. */
  readonly boot: string;
  readonly script: string;
}

/** The living fronts of an earlier supervisor. */
export class LeftoverFronts {
  readonly #file: string;
  readonly #onKilled: (pid: number) => void;
  #wereThere = false;
  #recorded: readonly RecordedFront[] = [];

  /** @param directory of the local copies, locked by this process. */
  constructor(directory: string, onKilled: (pid: number) => void) {
    this.#file = join(directory, FILE);
    this.#onKilled = onKilled;
    this.read();
  }

  /** Reads what another instance has written down: its fronts are left over once it has ended. */
  read(): void {
    this.#recorded = readRecords(this.#file);
    this.#wereThere = this.#recorded.some(({ boot }) => boot === readBootId());
  }

  /** Whether any were written down since the system started: the port of one that is gone may be closed a moment later. */
  get wereThere(): boolean {
    return this.#wereThere;
  }

  /** Whether there are any. */
  areThere(): boolean {
    return this.#living().length > 0;
  }

  /** Ends those that are stopped by a signal or a debugger, and so cannot end by themselves. */
  async killStopped(): Promise<void> {
    await this.#kill(
      this.#living().filter(({ pid }) => /^[Tt]$/.test(readProcessState(pid)?.state ?? '')),
    );
  }

  /** Ends all of them, with the answers that they are still sending. */
  async kill(): Promise<void> {
    await this.#kill(this.#living());
    this.#recorded = [];
  }

  /** Writes down the fronts of this supervisor, beside those that are left. */
  record(pids: readonly number[]): void {
    const fronts = [...this.#living(), ...pids.flatMap((pid) => recordOf(pid) ?? [])];
    writeFileSync(`${this.#file}.new`, JSON.stringify(fronts));
    renameSync(`${this.#file}.new`, this.#file);
  }

  #living(): readonly RecordedFront[] {
    this.#recorded = this.#recorded.filter(isSame);
    return this.#recorded;
  }

  async #kill(fronts: readonly RecordedFront[]): Promise<void> {
    for (const { pid } of fronts) {
      try {
        process.kill(pid, 'SIGKILL');
        this.#onKilled(pid);
      } catch {
        // It is gone, or another user's: then the port says so.
      }
    }
    const deadline = performance.now() + KILLED_MS;
    while (fronts.some(isSame) && performance.now() < deadline) await after(LOOK_MS);
  }
}

/** Whether the process that was written down is still there, and no other one under its id. */
function isSame({ pid, startTicks, boot, script }: RecordedFront): boolean {
  const found = readProcessState(pid);
  if (found?.startTicks !== startTicks || found.state === 'Z' || readBootId() !== boot)
    return false;
  return readCommand(pid).includes(script);
}

/** Undefined where the system does not tell (not Linux), or where the process is gone. */
function recordOf(pid: number): RecordedFront | undefined {
  const startTicks = readProcessState(pid)?.startTicks;
  if (startTicks === undefined) return undefined;
  return { pid, startTicks, boot: readBootId(), script: fileURLToPath(FRONT_SCRIPT) };
}

/** None where the file is not there, or is no such file. */
function readRecords(file: string): readonly RecordedFront[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) ? value.filter(isRecord) : [];
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is RecordedFront {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startTicks, boot, script }: Readonly<Record<string, unknown>> = { ...value };
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 1 &&
    typeof startTicks === 'number' &&
    [boot, script].every((text) => typeof text === 'string')
  );
}
