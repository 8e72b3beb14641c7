/** Targets of the service as suites state them, each with its limit and what was found. */
import type { Spread } from './measure/statistics.js';
import { fixed, spreadText, type Criterion } from './report.js';

/** A ratio to a reference, whose median must be at least `wanted`. */
export function atLeast(target: string, wanted: number, ratio: Spread): Criterion {
  return {
    target,
    wanted: `at least ${wanted}`,
    found: spreadText(ratio),
    met: ratio.median >= wanted,
    ratio: { ...ratio, wanted },
  };
}

/** A limit that a figure must not exceed. */
export function atMost(
  target: string,
  limit: number,
  found: number,
  text: (value: number) => string,
): Criterion {
  return { target, wanted: `at most ${text(limit)}`, found: text(found), met: found <= limit };
}

/** A latency that must not exceed a multiple of the latency without a load. */
export function atMostTimes(
  target: string,
  limit: number,
  { quietMs, busyMs }: { readonly quietMs: number; readonly busyMs: number },
): Criterion {
  const times = busyMs / quietMs;
  return {
    target,
    wanted: `at most ${limit} times`,
    found: `${fixed(times, 1)} times (${fixed(quietMs, 2)} -> ${fixed(busyMs, 2)} ms)`,
    met: times <= limit,
  };
}

/** Something that must not happen; `of` says how often it could have. */
export function none(target: string, found: number, of: string): Criterion {
  return { target, wanted: 'none', found: `${found} of ${of}`, met: found === 0 };
}

export const inMs = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
export const inSeconds = (value: number): string => `${value.toFixed(2)} s`;
export const inMb = (value: number): string => `${value.toFixed(0)} MB`;
