/** What a process takes of the machine, as Linux tells of any process (proc(5)). */
import { readdir, readFile } from 'node:fs/promises';

export interface ProcessUsage {
  /** User and system time of all threads since its start. */
  readonly cpuSeconds: number;
  /** Memory in RAM; pages of the mapped local copy count in it. */
  readonly residentBytes: number;
  /** The part of it that no file stands behind. */
  readonly anonymousBytes: number;
  readonly openFiles: number;
  readonly startedAtSeconds: number;
}

/** Linux shows every process these ticks, whatever its own clock has. */
const TICKS_PER_SECOND = 100;

/** Undefined where there is no such process any more. */
export async function readProcessUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, status, system, files] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'latin1'),
      readFile(`/proc/${pid}/status`, 'latin1'),
      readFile('/proc/stat', 'latin1'),
      readdir(`/proc/${pid}/fd`),
    ]);
    // The second field is a name in parentheses, which may hold anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [userTicks = 0, systemTicks = 0, startTicks = 0] = [fields[11], fields[12], fields[19]];
    return {
      cpuSeconds: (userTicks + systemTicks) / TICKS_PER_SECOND,
      residentBytes: kilobytes(status, 'VmRSS'),
      anonymousBytes: kilobytes(status, 'RssAnon'),
      openFiles: files.length,
      startedAtSeconds: Number(/^btime (\d+)$/m.exec(system)?.[1]) + startTicks / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}

function kilobytes(status: string, name: string): number {
  const line = status.split('\n').find((one) => one.startsWith(`${name}:`));
  return Number.parseInt(line?.slice(name.length + 1) ?? '0', 10) * 1024;
}
