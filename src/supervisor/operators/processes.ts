/** What Linux tells of a process (proc(5)): whether it is still the same one, and what it takes of the machine. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFigures {
  /** User and system time of all threads since its start. */
  readonly cpuSeconds: number;
  /** Memory in RAM; pages of the mapped local copy count in it. */
  readonly residentBytes: number;
  /** The part of it that no file stands behind: the kernel cannot take it back. */
  readonly anonymousBytes: number;
  readonly openFiles: number;
  readonly startedAtSeconds: number;
}

/** Linux shows every process these ticks, whatever its own clock has. */
const TICKS_PER_SECOND = 100;

/** What tells a process from a later one with the same id. */
export interface ProcessState {
  /** One letter: `T` and `t` are stopped, `Z` is dead. */
  readonly state: string;
  /** Since the system was started, in clock ticks. */
  readonly startTicks: number;
  readonly cpuTicks: number;
}

/** Undefined where there is no such process, or where the system does not tell (not Linux). */
export function readProcessState(pid: number): ProcessState | undefined {
  // The second field is a name in parentheses, which may hold anything.
  const text = readText(`/proc/${pid}/stat`);
  const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === '') return undefined;
  const [userTicks, systemTicks, startTicks] = [fields[10], fields[11], fields[18]].map(Number);
  if (userTicks === undefined || systemTicks === undefined || startTicks === undefined) return;
  return { state, startTicks, cpuTicks: userTicks + systemTicks };
}

/** Undefined where there is no such process any more. */
export function readProcess(pid: number | undefined): ProcessFigures | undefined {
  const state = pid === undefined ? undefined : readProcessState(pid);
  if (pid === undefined || state === undefined) return undefined;
  try {
    const status = readText(`/proc/${pid}/status`);
    const startedMs = Number(/^btime (\d+)$/m.exec(readText('/proc/stat'))?.[1]);
    return {
      cpuSeconds: state.cpuTicks / TICKS_PER_SECOND,
      residentBytes: bytesOf(status, /^VmRSS:\s*(\d+) kB$/m),
      anonymousBytes: bytesOf(status, /^RssAnon:\s*(\d+) kB$/m),
      openFiles: readdirSync(`/proc/${pid}/fd`).length,
      startedAtSeconds: startedMs + state.startTicks / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}

function bytesOf(status: string, line: RegExp): number {
  return Number(line.exec(status)?.[1] ?? 0) * 1024;
}

/** Empty where there is no such file. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
