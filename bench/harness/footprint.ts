/** Memory and open files of all processes of a service, an import process included, and the kernel's memory for sockets. */
import type { Service } from './processes.js';
import {
  cpuSeconds,
  finishedChildrenCpuSeconds,
  memoryOf,
  openFiles,
  removedFilesMapped,
  tcpMemoryMb,
} from './system.js';

/** Sums over all processes of the service; MB are 10^6 bytes. */
export interface Footprint {
  /** Proportional set size, with the mapped pages of the snapshot. */
  readonly pssMb: number;
  /** Memory that no file backs. */
  readonly anonymousMb: number;
  readonly openFiles: number;
  readonly removedFilesMapped: number;
}

export function footprintOf(service: Service): Footprint {
  const pids = service.allPids();
  const sum = (figure: (pid: number) => number): number =>
    pids.reduce((total, pid) => total + figure(pid), 0);
  return {
    pssMb: sum((pid) => memoryOf(pid).pssMb),
    anonymousMb: sum((pid) => memoryOf(pid).anonymousMb),
    openFiles: sum(openFiles),
    removedFilesMapped: sum((pid) => removedFilesMapped(pid).length),
  };
}

/** CPU time of all processes that the service has and has had, in seconds. */
export function cpuSecondsOf(service: Service): number {
  return service
    .allPids()
    .reduce((sum, pid) => sum + cpuSeconds(pid) + finishedChildrenCpuSeconds(pid), 0);
}

/** The largest value of each figure. */
export interface PeakMemory {
  readonly pssMb: number;
  readonly anonymousMb: number;
  /** Memory of the whole machine's TCP sockets. */
  readonly tcpMb: number;
}

/** One look makes the kernel walk all pages of a process, which takes a few milliseconds. */
const LOOK_EVERY_MS = 200;

/** Samples a service's memory until it is stopped. */
export function watchMemory(service: Service): { stop(): PeakMemory } {
  let peak: PeakMemory = { pssMb: 0, anonymousMb: 0, tcpMb: 0 };
  const look = (): void => {
    const { pssMb, anonymousMb } = footprintOf(service);
    peak = {
      pssMb: Math.max(peak.pssMb, pssMb),
      anonymousMb: Math.max(peak.anonymousMb, anonymousMb),
      tcpMb: Math.max(peak.tcpMb, tcpMemoryMb()),
    };
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return peak;
    },
  };
}
