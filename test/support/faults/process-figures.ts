/** What a process holds, as the kernel tells, and what its service counts. */
import { readdir, readFile } from 'node:fs/promises';
import { waitForChild } from '../service/children.js';
import { get } from '../service/requests.js';
import type { Service } from '../service/service.js';

/** The process id of the service's first front. */
export async function frontOf({ pid }: Pick<Service, 'pid'>): Promise<number> {
  return (await waitForChild(pid, 'front.js')).pid;
}

export async function descriptorsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Bytes of memory that no file stands behind: what a client can make a process keep. */
export async function anonymousBytesOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Anonymous:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? NaN) * 1024;
}

/** A metric of a service that was started with `ADMIN_PORT=0`. */
export async function metricOf(service: Service, name: string): Promise<number> {
  const { port } = await service.waitForLog('metrics listening');
  const { body } = await get({ port: Number(port) }, '/metrics');
  const line = body
    .toString()
    .split('\n')
    .find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? NaN);
}
