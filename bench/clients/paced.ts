/** The asking side of the paced client, and what its record says about a stretch of time. */
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../processes.js';
import { quantileOf } from '../statistics.js';
import type { PacedOrder, PacedRecord, ToPaced } from './paced-process.js';

const MODULE = fileURLToPath(new URL('./paced-process.js', import.meta.url));

export interface PacedRun {
  /** Ends the load. */
  stop(): Promise<PacedRecord>;
}

/** Begins to ask at a fixed rate, and goes on until it is stopped. */
export function startPaced(order: PacedOrder): PacedRun {
  const child = forkOnCore(MODULE);
  child.send({ kind: 'start', order } satisfies ToPaced);
  return { stop: () => ofChild<PacedRecord>(child, { kind: 'stop' } satisfies ToPaced) };
}

/** Half-open, epoch milliseconds. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface StretchFigures {
  readonly answers: number;
  /** Noticed within the stretches. */
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** The latencies of the requests that began within any of the stretches. */
export function figuresOf(record: PacedRecord, stretches: readonly Stretch[]): StretchFigures {
  const latencies: number[] = [];
  for (const [at, startedMs] of record.startedMs.entries()) {
    if (isWithin(stretches, startedMs)) latencies.push(record.latencyMs[at] ?? Number.NaN);
  }
  return {
    answers: latencies.length,
    failures: record.failedMs.filter((failedMs) => isWithin(stretches, failedMs)).length,
    p50Ms: quantileOf(latencies, 0.5),
    p99Ms: quantileOf(latencies, 0.99),
    maxMs: quantileOf(latencies, 1),
  };
}

function isWithin(stretches: readonly Stretch[], ms: number): boolean {
  return stretches.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
}
