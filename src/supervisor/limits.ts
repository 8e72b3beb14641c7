/** Limits of the system at the start: socket memory and open files. */
import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { FrontLimits, FrontSettings } from '../ipc/front-messages.js';
import type { Settings } from '../settings.js';

export type SystemLimits = Omit<FrontLimits, 'listenersMax'>;

/** Texts of system files; undefined for missing ones. */
export interface SystemTexts {
  /** `/proc/sys/net/ipv4/tcp_wmem`: least, default and most bytes of one socket's send buffer. */
  readonly tcpWmem: string | undefined;
  /** `/proc/sys/net/ipv4/tcp_mem`: low, pressure and high of all sockets, in pages; missing in containers. */
  readonly tcpMem: string | undefined;
  readonly limits: string | undefined;
  readonly memory: number;
}

/** Share of the kernel's socket memory for large answers; the rest is for small answers and other programs. */
const KERNEL_SHARE = 1 / 2;

const PAGE_BYTES = 4096;

/** The share of the machine's memory that the kernel takes as the pressure value of `tcp_mem`. */
const PRESSURE_OF_MEMORY = 1 / 16;

const SEND_BUFFER_BYTES = 4 * 1024 * 1024;

/** Number of concurrent large answers that a front always may have. */
const LARGE_BODIES_LEAST = 4;

/** Files that a front opens beside its connections: 24 at the start, and two for each open copy. */
const FILES_OWN = 32;
/** Files that each worker thread opens. */
const FILES_OF_THREAD = 4;

/** Share of a front's files for large answers; the rest is for connections. */
const FILE_BODIES_SHARE = 1 / 8;

const FILES_DEFAULT = 1024;

/** Share of the connections for event listeners, which stay open. */
const LISTENERS_SHARE = 3 / 4;

/** Limits of each front; `MAX_CONNECTIONS` and `EVENT_LISTENERS` can only lower them. */
export async function limitsOf(settings: Settings): Promise<FrontLimits> {
  const { frontProcesses: processes, workerThreads: threads, maxConnections } = settings;
  const limits = systemLimits(await readSystem(), { processes, threads });
  const connectionsMax = Math.min(limits.connectionsMax, maxConnections ?? Infinity);
  const listenersMax = Math.min(
    Math.ceil(settings.eventListeners / processes),
    Math.ceil(connectionsMax * LISTENERS_SHARE),
  );
  return { ...limits, connectionsMax, listenersMax };
}

async function readSystem(): Promise<SystemTexts> {
  const read = (path: string): Promise<string | undefined> =>
    readFile(path, 'utf8').catch(() => undefined);
  return {
    tcpWmem: await read('/proc/sys/net/ipv4/tcp_wmem'),
    tcpMem: await read('/proc/sys/net/ipv4/tcp_mem'),
    limits: await read('/proc/self/limits'),
    memory: totalmem(),
  };
}

export function systemLimits(
  { tcpWmem, tcpMem, limits, memory }: SystemTexts,
  fronts: { readonly processes: number; readonly threads: number },
): SystemLimits {
  const bufferBytes = number(tcpWmem, 2) ?? SEND_BUFFER_BYTES;
  const pages = number(tcpMem, 1);
  const pressureBytes = pages === undefined ? memory * PRESSURE_OF_MEMORY : pages * PAGE_BYTES;
  const bodies = Math.floor((pressureBytes * KERNEL_SHARE) / bufferBytes / fronts.processes);
  const largeBodiesMax = Math.max(LARGE_BODIES_LEAST, bodies);
  const opened = openFiles(limits) ?? FILES_DEFAULT;
  const files = Math.max(2, opened - FILES_OWN - FILES_OF_THREAD * fronts.threads);
  const fileBodiesMax = Math.min(largeBodiesMax, Math.ceil(files * FILE_BODIES_SHARE));
  return { largeBodiesMax, fileBodiesMax, connectionsMax: files - fileBodiesMax };
}

/** The soft limit of open files, which Node raises to the hard limit as it starts. */
function openFiles(limits: string | undefined): number | undefined {
  const line = limits?.split('\n').find((one) => one.startsWith('Max open files'));
  return number(line?.slice('Max open files'.length), 0);
}

function number(line: string | undefined, place: number): number | undefined {
  const value = Number((line ?? '').trim().split(/\s+/)[place]);
  return Number.isInteger(value) && value > 0 ? value : undefined;
}

/** The settings without credentials of the store. */
export function frontSettings(
  { snapshotStore, redisCaFile, redisSentinelPassword, ...settings }: Settings,
  limits: FrontLimits,
): FrontSettings {
  return { ...settings, ...limits };
}
