/** What a service holds: in its own processes, and in the kernel for its sockets. */
import type { Service } from './processes.js';
import { memoryOf, openFiles, removedFilesMapped, tcpMemoryMb } from './system.js';

/** Of all processes of the service together; MB are 10^6 bytes. */
export interface Footprint {
  /** With the pages of the snapshot that are mapped. */
  readonly pssMb: number;
  /** What no file backs. */
  readonly anonymousMb: number;
  readonly openFiles: number;
  readonly removedFilesMapped: number;
}

export function footprintOf(service: Service): Footprint {
  const pids = service.pids();
  const sum = (figure: (pid: number) => number): number =>
    pids.reduce((total, pid) => total + figure(pid), 0);
  return {
    pssMb: sum((pid) => memoryOf(pid).pssMb),
    anonymousMb: sum((pid) => memoryOf(pid).anonymousMb),
    openFiles: sum(openFiles),
    removedFilesMapped: sum((pid) => removedFilesMapped(pid).length),
  };
}

/** The largest that were seen of each. */
export interface PeakMemory {
  readonly pssMb: number;
  readonly anonymousMb: number;
  /** Of the whole machine's TCP sockets. */
  readonly tcpMb: number;
}

/** The kernel walks all pages of a process for one look at it: a few milliseconds, so not more often. */
const LOOK_EVERY_MS = 200;

/** Looks at a service's memory until it is stopped. */
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
