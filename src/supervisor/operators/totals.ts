/** Sums of the counters of all front processes, those that are gone included. Pure. */
import { CONTENT_CODINGS } from '../../http/semantics/header-block.js';
import { COUNTED_NAMES, HELD_NAMES, record, type FrontCounters } from '../../http/front/counters.js';

const NOTHING_HELD = record(HELD_NAMES, () => 0);

/** What has a meaning as a sum: the delays of two event loops have none. */
export type FrontTotals = Omit<FrontCounters, 'loopDelays'>;

export const NOTHING_DONE: FrontTotals = {
  counts: record(COUNTED_NAMES, () => 0),
  held: NOTHING_HELD,
  routes: {},
  bodyBytes: record(CONTENT_CODINGS, () => 0),
  jobs: {},
};

/** The counters of a front that is gone: its totals stay, but it holds nothing. */
export function withoutHeld(counters: FrontTotals | undefined): FrontTotals {
  return { ...(counters ?? NOTHING_DONE), held: NOTHING_HELD };
}

/** The sum of all counters; undefined stands for a front that has never sent any. */
export function sumCounters(all: readonly (FrontTotals | undefined)[]): FrontTotals {
  return all.reduce<FrontTotals>(
    (sum, each) => (each === undefined ? sum : add(sum, each)),
    NOTHING_DONE,
  );
}

function add(a: FrontTotals, b: FrontTotals): FrontTotals {
  return {
    counts: record(COUNTED_NAMES, (name) => a.counts[name] + b.counts[name]),
    held: record(HELD_NAMES, (name) => a.held[name] + b.held[name]),
    routes: merged(a.routes, b.routes, (one, other) => ({
      answers: addCells(one.answers, other.answers),
      durations: addCells(one.durations, other.durations),
    })),
    bodyBytes: record(CONTENT_CODINGS, (coding) => a.bodyBytes[coding] + b.bodyBytes[coding]),
    jobs: merged(a.jobs, b.jobs, (one, other) => ({
      queued: addCells(one.queued, other.queued),
      ran: addCells(one.ran, other.ran),
    })),
  };
}

function addCells(a: readonly number[], b: readonly number[]): readonly number[] {
  const longer = a.length > b.length ? a : b;
  return longer.map((_cell, at) => (a[at] ?? 0) + (b[at] ?? 0));
}

function merged<Value>(
  a: Readonly<Record<string, Value>>,
  b: Readonly<Record<string, Value>>,
  join: (one: Value, other: Value) => Value,
): Readonly<Record<string, Value>> {
  const both = new Map(Object.entries(a));
  for (const [name, value] of Object.entries(b)) {
    const known = both.get(name);
    both.set(name, known === undefined ? value : join(known, value));
  }
  return Object.fromEntries(both);
}
