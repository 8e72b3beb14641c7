/**
 * The date of what is served, for `Last-Modified` (`docs/http-api/answers.md, "Caching"`): when the pointer was moved to it, never in the
 * future, and never earlier than what this instance gave before. Pure; `store-status.ts` keeps it over a restart.
 */
import type { ModificationDate } from '../domain/serving-state.js';

/** What a date is given to. */
export interface Dated {
  readonly snapshotId: string;
  /** What renders its answers: another build's differ. */
  readonly build: string;
  /** The pointer's: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
}

/** The date that was given last, and to what. */
export interface GivenDate extends Dated, ModificationDate {}

/**
 * The date of `dated`, where `last` was given before.
 *
 * A pointer of the future gets the time at which it was first seen, and its own once that has come; so two dates at
 * most, however often it is looked at.
 */
export function nextDate(last: GivenDate | undefined, dated: Dated, nowMs: number): GivenDate {
  const { snapshotId, build, activatedAtMs } = dated;
  const isSame = last?.snapshotId === snapshotId && last.build === build;
  if (isSame && last.activatedAtMs === activatedAtMs && activatedAtMs > nowMs) return last;
  const own = Math.floor(Math.min(activatedAtMs, nowMs) / 1000) * 1000;
  const ms = Math.max(own, last?.ms ?? -Infinity);
  const isAmbiguous = ms === last?.ms && (!isSame || last.isAmbiguous);
  return { snapshotId, build, activatedAtMs, ms, isAmbiguous };
}
