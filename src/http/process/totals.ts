/** Sums of what fronts have done: of those that live, and of those that are gone. Pure. */
import type { FrontCounters } from './control.js';

export const NOTHING_DONE: FrontCounters = {
  answersByClass: {},
  notModified: 0,
  bodyBytes: 0,
  busyRejections: 0,
  leases: 0,
};

/** Of a front that is gone: it has done what it has done, but holds nothing. */
export function withoutLeases(counters: FrontCounters | undefined): FrontCounters {
  return { ...(counters ?? NOTHING_DONE), leases: 0 };
}

/** Undefined: of a front that has never told any. */
export function sumCounters(all: readonly (FrontCounters | undefined)[]): FrontCounters {
  return all.reduce<FrontCounters>(
    (sum, each) => (each === undefined ? sum : add(sum, each)),
    NOTHING_DONE,
  );
}

function add(a: FrontCounters, b: FrontCounters): FrontCounters {
  return {
    answersByClass: addByClass(a.answersByClass, b.answersByClass),
    notModified: a.notModified + b.notModified,
    bodyBytes: a.bodyBytes + b.bodyBytes,
    busyRejections: a.busyRejections + b.busyRejections,
    leases: a.leases + b.leases,
  };
}

type ByClass = FrontCounters['answersByClass'];

function addByClass(a: ByClass, b: ByClass): ByClass {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
