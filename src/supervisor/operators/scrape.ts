/** One scrape: asks all fronts what they have counted, reads what the system says, and renders all of it. */
import type { Follower } from '../../snapshot/follow/follow.js';
import type { Fronts } from '../fronts.js';
import { readDiskUsage } from './disk-usage.js';
import { Distribution, DELAY_BUCKETS } from '../../ipc/distribution.js';
import { frontMetrics } from './front-metrics.js';
import { LoopDelay } from '../../ipc/loop-delay.js';
import type { Metrics } from './metrics.js';
import { readProcessUsage } from './process-usage.js';
import { readMetrics, type ProcessReadings } from './readings.js';

export interface ScrapeOptions {
  readonly metrics: Metrics;
  readonly fronts: Fronts;
  /** Undefined before the pointer is followed. */
  readonly follower: () => Pick<Follower, 'graceLeftSeconds'> | undefined;
  /** The process of the import that runs; its id changes. */
  readonly importing: { readonly pid: number | undefined };
  /** The process that looks at the store, where there is one. */
  readonly store: { readonly pid?: number | undefined };
  /** Of the local copies. */
  readonly directory: string;
  readonly graceSeconds: number;
  readonly limits: {
    readonly fronts: number;
    /** Of each front. */
    readonly connectionsMax: number;
    readonly largeBodiesMax: number;
  };
}

const DELAY_MS = 1000;

/** What renders a scrape; it waits for a front that hangs no longer than half a second. */
export function createScrape(options: ScrapeOptions): () => Promise<string> {
  const { metrics, fronts, directory, limits, graceSeconds, follower, importing, store } = options;
  const loopDelay = new LoopDelay();
  const loopDelays = new Distribution(DELAY_BUCKETS);
  setInterval(() => {
    loopDelays.observe(loopDelay.take());
  }, DELAY_MS).unref();
  return async () => {
    const counters = await fronts.counters();
    const { serving, generatedAtMs } = fronts;
    const copy = serving?.kind === 'snapshot' ? serving : undefined;
    const [disk, processes] = await Promise.all([
      readDiskUsage(directory, copy?.directory),
      Promise.all([
        usageOf({ process: 'supervisor', pid: process.pid, loopDelays: loopDelays.cells }),
        ...fronts.processes.map(usageOf),
        usageOf({ process: 'store', pid: store.pid }),
        usageOf({ process: 'import', pid: importing.pid }),
      ]),
    ]);
    const readings = {
      served: generatedAtMs === undefined ? 0 : 1,
      generatedAtSeconds: seconds(generatedAtMs),
      activatedAtSeconds: seconds(copy?.lastModified?.ms),
      ageSeconds: generatedAtMs === undefined ? undefined : seconds(Date.now() - generatedAtMs),
      graceSeconds,
      graceLeftSeconds: Math.min(graceSeconds, follower()?.graceLeftSeconds ?? Infinity),
      importing: importing.pid === undefined ? 0 : 1,
      diskSizeBytes: disk?.sizeBytes,
      diskFreeBytes: disk?.freeBytes,
      copyBytes: disk?.copyBytes,
      fronts: limits.fronts,
      frontsAlive: fronts.alive,
      frontsReplaced: fronts.replaced,
      frontsHung: fronts.hung,
      connectionsMax: limits.connectionsMax * limits.fronts,
      largeAnswersMax: limits.largeBodiesMax * limits.fronts,
    };
    return await metrics.render([...frontMetrics(counters), ...readMetrics(readings, processes)]);
  };
}

async function usageOf({
  pid,
  ...known
}: Omit<ProcessReadings, 'usage'> & {
  readonly pid: number | undefined;
}): Promise<ProcessReadings> {
  return { ...known, usage: pid === undefined ? undefined : await readProcessUsage(pid) };
}

function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
