/** Validators and conditional requests (RFC 9110 §8.8, §13). */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';

/** What every answer made from one snapshot is validated by. */
export interface Validators {
  /** `W/"{snapshot_id}-{build}"` (`docs/http-api.md, "Entity tags"`). */
  readonly entityTag: string;
  /** `generated_at`, whole seconds, epoch milliseconds; infinite where no date identifies the representation. */
  readonly lastModifiedMs: number;
}

/** The fields of a request that can make it conditional; empty texts where it has none. */
export interface Conditions {
  readonly ifNoneMatch: string;
  readonly ifModifiedSince: string;
}

/** @param build what renders the snapshot's answers: another build may give others. */
export function snapshotValidators(header: SnapshotHeader, build: string): Validators {
  return {
    entityTag: `W/"${header.snapshotId}-${build}"`,
    lastModifiedMs: Math.floor(header.generatedAtMs / 1000) * 1000,
  };
}

/** Validators of an answer that depends on more than the snapshot, so that its date does not identify it. */
export function variantValidators(validators: Validators, variant: string | undefined): Validators {
  if (variant === undefined) return validators;
  const { entityTag } = validators;
  return { entityTag: `${entityTag.slice(0, -1)}.${variant}"`, lastModifiedMs: Infinity };
}

/** `Tue, 15 Nov 1994 12:45:26 GMT` (RFC 9110 §5.6.7). */
export function httpDate(epochMs: number): string {
  return new Date(epochMs).toUTCString();
}

/**
 * Whether the client has the current representation, so that 304 is the answer.
 *
 * `If-Modified-Since` counts only without `If-None-Match` (RFC 9110 §13.1.3); a date that is none is ignored.
 */
export function isNotModified(
  { ifNoneMatch, ifModifiedSince }: Conditions,
  validators: Validators,
): boolean {
  if (ifNoneMatch !== '') return listsTag(ifNoneMatch, validators.entityTag);
  if (ifModifiedSince === '') return false;
  const since = parseHttpDate(ifModifiedSince);
  return since !== undefined && validators.lastModifiedMs <= since;
}

/** Weak comparison against a list (RFC 9110 §13.1.2); some proxies mark their own encoding by `-gzip`. */
function listsTag(header: string, entityTag: string): boolean {
  if (header === entityTag) return true;
  if (header.trim() === '*') return true;
  const wanted = opaque(entityTag);
  for (const [, tag] of header.matchAll(/(?:W\/)?"([^"]*)"/g)) {
    if (tag === wanted || tag === `${wanted}-gzip`) return true;
  }
  return false;
}

function opaque(entityTag: string): string {
  return entityTag.slice(entityTag.indexOf('"') + 1, -1);
}

/** The one form that clients send today; the two obsolete ones are ignored, as an invalid date is. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = Date.parse(text);
  // What can be written back as it stands has that form, and names a day that there is.
  return !Number.isNaN(epochMs) && httpDate(epochMs) === text ? epochMs : undefined;
}
