/** What a process takes until it has ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { cpuSeconds, peakResidentMb } from './system.js';

const LOOK_EVERY_MS = 5;

export interface Work {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The largest resident set, in MB (10^6 bytes). */
  readonly peakMb: number;
}

/** Looks at a process until it has ended; its last milliseconds are missed. */
export async function watchWork(pid: number, isThere: () => boolean): Promise<Work> {
  const startedAt = performance.now();
  let work = { seconds: 0, cpuSeconds: 0, peakMb: 0 };
  while (isThere()) {
    const seconds = (performance.now() - startedAt) / 1000;
    const [spent, peakMb] = [cpuSeconds(pid), peakResidentMb(pid)];
    if (peakMb > 0) work = { seconds, cpuSeconds: spent, peakMb };
    await delay(LOOK_EVERY_MS);
  }
  return work;
}
