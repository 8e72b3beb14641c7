/** Memory and CPU time of all processes of a service, an import process included. */
import type { Service } from './processes.js';
import { anonymousMb, cpuSeconds, finishedChildrenCpuSeconds } from './system.js';

/** Memory that no file backs, in MB (10^6 bytes). */
export function anonymousMbOf(service: Service): number {
  return service.allPids().reduce((sum, pid) => sum + anonymousMb(pid), 0);
}

/** CPU time of all processes that the service has and has had, in seconds. */
export function cpuSecondsOf(service: Service): number {
  return service
    .allPids()
    .reduce((sum, pid) => sum + cpuSeconds(pid) + finishedChildrenCpuSeconds(pid), 0);
}
