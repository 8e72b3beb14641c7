/** Sums of the counters of all front processes, those that are gone included. Pure. */
import { countsOf, type FrontCounters } from './counters.js';

export const NOTHING_DONE: FrontCounters = {
  answersByClass: {},
  counts: countsOf(() => 0),
  leases: 0,
};

/** The counters of a front that is gone: its totals stay, but it holds no leases. */
export function withoutLeases(counters: FrontCounters | undefined): FrontCounters {
  return { ...(counters ?? NOTHING_DONE), leases: 0 };
}

/** The sum of all counters; undefined stands for a front that has never sent any. */
export function sumCounters(all: readonly (FrontCounters | undefined)[]): FrontCounters {
  return all.reduce<FrontCounters>(
    (sum, each) => (each === undefined ? sum : add(sum, each)),
    NOTHING_DONE,
  );
}

function add(a: FrontCounters, b: FrontCounters): FrontCounters {
  return {
    answersByClass: addByClass(a.answersByClass, b.answersByClass),
    counts: countsOf((name) => a.counts[name] + b.counts[name]),
    leases: a.leases + b.leases,
  };
}

type ByClass = FrontCounters['answersByClass'];

function addByClass(a: ByClass, b: ByClass): ByClass {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
