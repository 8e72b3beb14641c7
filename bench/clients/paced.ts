/** Starts the client with a fixed rate, and reads figures of intervals of time from its record. */
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import { quantileOf } from '../measure/statistics.js';
import type { PacedOrder, PacedRecord, ToPaced } from './paced-process.js';

const MODULE = fileURLToPath(new URL('./paced-process.js', import.meta.url));

export interface PacedRun {
  /** Ends the load. */
  stop(): Promise<PacedRecord>;
}

/**
 * Starts asking at a fixed rate, until `stop` is called.
 *
 * @param niceness of the client: one of several that share two cores is not to wait for the others, but for the server.
 */
export function startPaced(order: PacedOrder, niceness = 0): PacedRun {
  const child = forkOnCore(MODULE);
  if (child.pid !== undefined && niceness !== 0) setPriority(child.pid, niceness);
  child.send({ kind: 'start', order } satisfies ToPaced);
  return { stop: () => ofChild<PacedRecord>(child, { kind: 'stop' } satisfies ToPaced) };
}

/** A half-open interval of time in epoch milliseconds. */
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface IntervalFigures {
  readonly answers: number;
  /** Failures that were noticed within the intervals. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

/** The latencies of the requests that began within any of the intervals. */
export function figuresOf(record: PacedRecord, intervals: readonly Interval[]): IntervalFigures {
  const latencies: number[] = [];
  for (const [at, startedMs] of record.startedMs.entries()) {
    if (isWithin(intervals, startedMs)) latencies.push(record.latencyMs[at] ?? Number.NaN);
  }
  return {
    answers: latencies.length,
    failures: record.failedMs.filter((failedMs) => isWithin(intervals, failedMs)).length,
    p50Ms: quantileOf(latencies, 0.5),
    p99Ms: quantileOf(latencies, 0.99),
    p999Ms: quantileOf(latencies, 0.999),
    maxMs: quantileOf(latencies, 1),
  };
}

/**
 * The longest time between two answers of which either came within the interval, in milliseconds: for how long nobody
 * got an answer.
 */
export function longestGapMs(record: PacedRecord, { fromMs, toMs }: Interval): number {
  const ends = record.startedMs.map((startedMs, at) => startedMs + (record.latencyMs[at] ?? 0));
  let longest = 0;
  let last = -Infinity;
  for (const endMs of ends.toSorted()) {
    if (endMs >= fromMs && last < toMs && last > -Infinity) {
      longest = Math.max(longest, endMs - last);
    }
    last = endMs;
  }
  return longest;
}

function isWithin(intervals: readonly Interval[], ms: number): boolean {
  return intervals.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}
