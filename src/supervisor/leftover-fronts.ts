/**
 * Front processes that outlive a killed supervisor (`docs/operations.md, "Hung processes"`). One that runs notices and
 * ends by itself; one that is stopped cannot, and would hold the port. So the fronts that run are written down beside
 * the local copies, where the next supervisor finds them.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

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
  readonly startedAt: string;
  /** The system's own id for this start of it. */
  readonly boot: string;
  readonly script: string;
}

/** The living fronts of an earlier supervisor. */
export class LeftoverFronts {
  /** Whether any were written down since the system started: the port of one that is gone may be closed a moment later. */
  readonly wereThere: boolean;
  readonly #file: string;
  readonly #onKilled: (pid: number) => void;
  #recorded: readonly RecordedFront[];

  /** @param directory of the local copies, locked by this process. */
  constructor(directory: string, onKilled: (pid: number) => void) {
    this.#file = join(directory, FILE);
    this.#onKilled = onKilled;
    this.#recorded = readRecords(this.#file);
    this.wereThere = this.#recorded.some(({ boot }) => boot === bootId());
  }

  /** Whether there are any. */
  areThere(): boolean {
    return this.#living().length > 0;
  }

  /** Ends those that are stopped by a signal or a debugger, and so cannot end by themselves. */
  async killStopped(): Promise<void> {
    await this.#kill(this.#living().filter(({ pid }) => /^[Tt]$/.test(statOf(pid)?.state ?? '')));
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
function isSame({ pid, startedAt, boot, script }: RecordedFront): boolean {
  const stat = statOf(pid);
  if (stat?.startedAt !== startedAt || stat.state === 'Z' || bootId() !== boot) return false;
  return textOf(`/proc/${pid}/cmdline`).split('\0').includes(script);
}

/** Undefined where the system does not tell (not Linux), or where the process is gone. */
function recordOf(pid: number): RecordedFront | undefined {
  const startedAt = statOf(pid)?.startedAt;
  if (startedAt === undefined) return undefined;
  return { pid, startedAt, boot: bootId(), script: fileURLToPath(FRONT_SCRIPT) };
}

/** proc_pid_stat(5): the fields after the command's name, which is in parentheses and may hold anything. */
function statOf(pid: number): { readonly state: string; readonly startedAt: string } | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields[0], fields[19]];
  return state === undefined || startedAt === undefined ? undefined : { state, startedAt };
}

function bootId(): string {
  return textOf('/proc/sys/kernel/random/boot_id').trim();
}

/** Empty where there is no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** None where the file is not there, or is no such file. */
function readRecords(file: string): readonly RecordedFront[] {
  try {
    const value: unknown = JSON.parse(textOf(file));
    return Array.isArray(value) ? value.filter(isRecord) : [];
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is RecordedFront {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startedAt, boot, script }: Readonly<Record<string, unknown>> = { ...value };
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 1 &&
    [startedAt, boot, script].every((text) => typeof text === 'string')
  );
}
