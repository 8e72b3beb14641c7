/** Figures of processes and the machine from Linux' /proc: CPU time and memory. Nothing is changed. */
import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

/** /proc/PID/stat counts in ticks, 100 a second on every Linux that Node runs on (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/**
 * User and system time of a process with all its threads, in seconds, to 10 ms; 0 once it is gone.
 *
 * The time of its finished children is left out.
 */
export function cpuSeconds(pid: number): number {
  return statTicks(pid, [11, 12]) / TICKS_PER_SECOND;
}

/** CPU time of the threads that a process has now, in seconds, to the nanosecond. */
export function threadsCpuSeconds(pid: number): number {
  const nanoseconds = namesIn(`/proc/${pid}/task`).map((task) =>
    Number(readIfThere(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}

/** CPU time of the finished children of a process: the cost of a program that is too short to be looked at. */
export function finishedChildrenCpuSeconds(pid = process.pid): number {
  return statTicks(pid, [13, 14]) / TICKS_PER_SECOND;
}

/** CPU time of this process and of all its descendants that have ended. */
export function ownCpuSeconds(): number {
  return cpuSeconds(process.pid) + finishedChildrenCpuSeconds();
}

/** CPU time of the whole machine since it started, over all cores; time stolen by its host counts too. */
export function machineCpuSeconds(): number {
  const [first = ''] = readIfThere('/proc/stat').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = first
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND;
}

/** Fields of /proc/PID/stat counted from the state letter, which follows the name in parentheses. */
function statTicks(pid: number, fields: readonly number[]): number {
  const text = readIfThere(`/proc/${pid}/stat`);
  const values = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.reduce((sum, field) => sum + Number(values[field] ?? 0), 0);
}

/** Direct children of a process, whichever of its threads started them. */
export function childrenOf(pid: number): readonly number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((task) =>
    readIfThere(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** All processes below a process: its children, their children and so on. */
export function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** A process's command line, its arguments separated by blanks; empty once it is gone. */
export function commandLine(pid: number): string {
  return readIfThere(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

/** The largest resident set that a process has had so far, in MB (10^6 bytes); 0 once it is gone. */
export function peakResidentMb(pid: number): number {
  return kilobytesOf(readIfThere(`/proc/${pid}/status`), 'VmHWM') / 1000;
}

/** Memory of a process that no file backs, in MB (10^6 bytes): heaps and stacks, not the map of the snapshot. */
export function anonymousMb(pid: number): number {
  return kilobytesOf(readIfThere(`/proc/${pid}/smaps_rollup`), 'Pss_Anon') / 1000;
}

/** The machine of a result: figures of two machines do not compare, ratios nearly do. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  /** The load of the minute before the run; above 0.5, other processes were busy. */
  readonly loadAverage: number;
  /** ISO 8601, UTC. */
  readonly date: string;
}

export function describeMachine(): Machine {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1e9),
    kernel: os.release(),
    node: process.version,
    loadAverage: os.loadavg()[0] ?? Number.NaN,
    date: new Date().toISOString(),
  };
}

/** Epoch milliseconds with a fraction; the same clock in every process that the bench starts. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** The number before `kB` in a line of /proc, which means 1024 bytes; here in thousands of bytes. */
function kilobytesOf(text: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text);
  return (Number(found?.[1] ?? 0) * 1024) / 1000;
}

/** The content of a file, empty where it is gone: a process may end between two reads. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
