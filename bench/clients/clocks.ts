/** The clocks that a client process reads before and after it measures. */
import { performance } from 'node:perf_hooks';
import { cpuSeconds } from '../harness/system.js';

/** All in seconds; `client` is the CPU time of this process. */
export interface Clocks {
  readonly seconds: number;
  readonly server: number;
  readonly client: number;
}

export function readClocks(serverPids: readonly number[]): Clocks {
  const { user, system } = process.cpuUsage();
  return {
    seconds: performance.now() / 1000,
    server: serverPids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    client: (user + system) / 1e6,
  };
}
