/** A part of the suite `faults`: what it found, and which of it is a promise. */
import type { BenchOptions, Progress } from '../../options.js';
import type { Criterion, Table } from '../../report.js';

export interface Part {
  readonly tables: readonly Table[];
  readonly criteria: readonly Criterion[];
  readonly notes: readonly string[];
  readonly figures: unknown;
}

interface PartOptions {
  readonly options: BenchOptions;
  /** Times are multiplied by it: 1 for figures that mean something, less for a look at whether the bench runs. */
  readonly scale: number;
  readonly progress: Progress;
}

export type RunPart = (options: PartOptions) => Promise<Part>;

/** A limit that a figure must not exceed. */
export function atMost(
  promise: string,
  limit: number,
  found: number,
  text: (value: number) => string,
): Criterion {
  return { promise, wanted: `at most ${text(limit)}`, found: text(found), met: found <= limit };
}

/** Something that must not happen. */
export function none(promise: string, found: number, of: string): Criterion {
  return { promise, wanted: 'none', found: `${found} of ${of}`, met: found === 0 };
}

export const inMs = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
export const inSeconds = (value: number): string => `${value.toFixed(1)} s`;
export const times = (value: number): string => `${value.toFixed(1)} times`;
export const inMb = (value: number): string => `${value.toFixed(0)} MB`;
