/** Starts the client with an even rate, and reads figures of intervals of time from its record. */
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import { percentilesOf, quantileOf, type Percentiles } from '../measure/statistics.js';
import type { PacedOrder, PacedRecord } from './paced-process.js';

const MODULE = fileURLToPath(new URL('./paced-process.js', import.meta.url));

/** How to read the latencies of this client, for the JSON. */
export const EVEN_RATE = 'even rate, from when a request was due';

export interface PacedRun {
  /** Ends the load. */
  stop(): Promise<PacedRecord>;
}

/**
 * Starts asking at a fixed rate, until `stop` is called.
 *
 * @param niceness of the client process; one that is only a load gets a higher one, so that it does not delay others.
 */
export function startPaced(order: PacedOrder, niceness = 0): PacedRun {
  const child = forkOnCore(MODULE);
  if (child.pid !== undefined && niceness !== 0) setPriority(child.pid, niceness);
  child.send(order);
  return { stop: () => ofChild<PacedRecord>(child, 'stop') };
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
  readonly percentiles: Percentiles;
  readonly maxMs: number;
  /** Descriptions of the first failures. */
  readonly first: readonly string[];
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
    percentiles: percentilesOf(latencies),
    maxMs: quantileOf(latencies, 1),
    first: record.first,
  };
}

function isWithin(intervals: readonly Interval[], ms: number): boolean {
  return intervals.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}
