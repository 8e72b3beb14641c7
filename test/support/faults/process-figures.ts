/** Figures of a service's processes: ids, memory and open files by the kernel, and leases by the service's counters. */
import { readdir, readFile } from 'node:fs/promises';
import { childrenOf, waitForChild } from '../service/children.js';
import { scrape } from '../service/scrape.js';
import type { Service } from '../service/service.js';

export async function frontOf({ pid }: Pick<Service, 'pid'>): Promise<number> {
  return (await waitForChild(pid, 'front.js')).pid;
}

export async function frontsOf({ pid }: Pick<Service, 'pid'>): Promise<readonly number[]> {
  const children = await childrenOf(pid);
  return children.filter(({ script }) => script === 'front.js').map((child) => child.pid);
}

export async function descriptorsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Bytes of anonymous memory: what a client can make a process hold. */
export const anonymousBytesOf = (pid: number) => memoryOf(pid, 'Anonymous');

/** Bytes of the process's proportional share of memory, mapped files included. */
export const shareBytesOf = (pid: number) => memoryOf(pid, 'Pss');

async function memoryOf(pid: number, kind: string): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(new RegExp(`^${kind}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? NaN) * 1024;
}

/** Leases in all fronts of a service that was started with `ADMIN_PORT=0`. */
export async function leasesOf(service: Service): Promise<number> {
  return (await scrape(service)).samples.get('bura_leases') ?? NaN;
}
