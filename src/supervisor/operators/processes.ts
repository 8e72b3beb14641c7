/** What Linux tells of a process (proc(5)): whether it is still the same one, and how much memory it has. */
import { readFileSync } from 'node:fs';

/** What tells a process from a later one with the same id. */
export interface ProcessState {
  /** One letter: `Z` is dead. */
  readonly state: string;
  /** Since the system was started, in clock ticks. */
  readonly startTicks: number;
}

/** Undefined where there is no such process, or where the system does not tell (not Linux). */
export function readProcessState(pid: number): ProcessState | undefined {
  // The second field is a name in parentheses, which may hold anything.
  const text = readText(`/proc/${pid}/stat`);
  const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return state === '' ? undefined : { state, startTicks: Number(fields[18]) };
}

/** Bytes in RAM, with pages of the mapped local copy, and those that no file stands behind; null where it is not told. */
export function readMemory(pid: number) {
  const status = readText(`/proc/${pid}/status`);
  return {
    resident_bytes: bytesOf(status, /^VmRSS:\s*(\d+) kB$/m),
    anonymous_bytes: bytesOf(status, /^RssAnon:\s*(\d+) kB$/m),
  };
}

function bytesOf(status: string, line: RegExp): number | null {
  const kilobytes = line.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Empty where there is no such file. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
