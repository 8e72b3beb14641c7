/** Memory, open files and CPU time of all processes of a service, an import process included. */
import type { Service } from './processes.js';
import { cpuSeconds, finishedChildrenCpuSeconds, memoryOf, openFiles } from './system.js';

/** Sums over all processes of the service; MB are 10^6 bytes. */
export interface Footprint {
  /** Proportional set size, with the mapped pages of the snapshot. */
  readonly pssMb: number;
  /** Memory that no file backs. */
  readonly anonymousMb: number;
  readonly openFiles: number;
}

export function footprintOf(service: Service): Footprint {
  const pids = service.allPids();
  const sum = (figure: (pid: number) => number): number =>
    pids.reduce((total, pid) => total + figure(pid), 0);
  return {
    pssMb: sum((pid) => memoryOf(pid).pssMb),
    anonymousMb: sum((pid) => memoryOf(pid).anonymousMb),
    openFiles: sum(openFiles),
  };
}

/** CPU time of all processes that the service has and has had, in seconds. */
export function cpuSecondsOf(service: Service): number {
  return service
    .allPids()
    .reduce((sum, pid) => sum + cpuSeconds(pid) + finishedChildrenCpuSeconds(pid), 0);
}

/** One look makes the kernel walk all pages of a process, which takes a few milliseconds. */
const LOOK_EVERY_MS = 200;

/** Samples a service's memory until it is stopped, which tells the largest proportional set size. */
export function watchMemory(service: Service): { stop(): number } {
  let peakMb = 0;
  const look = (): void => {
    peakMb = Math.max(peakMb, footprintOf(service).pssMb);
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return peakMb;
    },
  };
}
