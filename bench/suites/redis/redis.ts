/**
 * What does a store in Redis cost, and what do clients notice when its master dies?
 *
 * An answer: for a snapshot of a million rows the peak resident set of its publisher, and the server's `used_memory` before,
 * after a publish and after `bura prune`; and, with a master killed under 5,000 requests a second (an open loop) beside
 * sentinels and in a cluster, the number of requests that failed, and the time from the failover until the publish that was
 * begun with the kill is visible. Good is: under 300 MB, back where it was, none, and at most 10 s.
 */
import type { BenchOptions, Progress } from '../../options.js';
import type { SuiteResult } from '../../report.js';
import { runFailover } from './failover.js';
import { runMemory } from './memory.js';

const PARTS = { memory: runMemory, failover: runFailover };

export async function runRedis(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const parts = [];
  for (const [name, run] of Object.entries(PARTS)) {
    const own = (line: string): void => {
      progress(`${name}: ${line}`);
    };
    const scale = Math.min(1, options.seconds);
    parts.push({ name, ...(await run({ options, scale, progress: own })) });
  }
  return {
    suite: 'redis',
    question: 'what does a store in Redis cost, and what do clients notice when its master dies?',
    tables: parts.flatMap(({ tables }) => tables),
    criteria: parts.flatMap(({ criteria }) => criteria),
    notes: parts.flatMap(({ notes }) => notes),
    figures: Object.fromEntries(parts.map(({ name, figures }) => [name, figures])),
  };
}
