/** Validators and conditional requests (RFC 9110 §8.8, §13). */
import type { ModificationDate } from '../../snapshot/domain/serving-state.js';
import type { HeaderField } from './header-block.js';

/** What every answer made from one snapshot is validated by. */
export interface Validators {
  /** `W/"{snapshot_id}-{build}"` (`docs/http-api.md, "Entity tags"`). */
  readonly entityTag: string;
  /** Undefined where no date identifies the representation. */
  readonly lastModified: ModificationDate | undefined;
}

/** The fields of a request that can make it conditional; empty texts where it has none. */
export interface Conditions {
  readonly ifNoneMatch: string;
  readonly ifModifiedSince: string;
}

export function snapshotValidators(snapshot: {
  readonly snapshotId: string;
  /** What renders the snapshot's answers: another build may give others. */
  readonly build: string;
  readonly lastModified: ModificationDate | undefined;
}): Validators {
  const { snapshotId, build, lastModified } = snapshot;
  return { entityTag: `W/"${snapshotId}-${build}"`, lastModified };
}

/** Validators of an answer that depends on more than the snapshot, so that its date does not identify it. */
export function variantValidators(validators: Validators, variant: string | undefined): Validators {
  if (variant === undefined) return validators;
  const { entityTag } = validators;
  return { entityTag: `${entityTag.slice(0, -1)}.${variant}"`, lastModified: undefined };
}

/** The header field of a date, where there is one. */
export function lastModifiedField(date: Validators['lastModified']): readonly HeaderField[] {
  return date === undefined ? [] : [['Last-Modified', httpDate(date.ms)]];
}

/** `Tue, 15 Nov 1994 12:45:26 GMT` (RFC 9110 §5.6.7). */
export function httpDate(epochMs: number): string {
  return new Date(epochMs).toUTCString();
}

/**
 * Whether the client has the current representation, so that 304 is the answer.
 *
 * `If-Modified-Since` counts only without `If-None-Match` (RFC 9110 §13.1.3); a date that is none is ignored, and so is
 * an ambiguous one: whoever has it may have what was served before within the same second.
 */
export function isNotModified(
  { ifNoneMatch, ifModifiedSince }: Conditions,
  validators: Validators,
): boolean {
  if (ifNoneMatch !== '') return listsTag(ifNoneMatch, validators.entityTag);
  const { lastModified } = validators;
  if (ifModifiedSince === '' || lastModified === undefined) return false;
  const since = parseHttpDate(ifModifiedSince);
  if (since === undefined) return false;
  return lastModified.isAmbiguous ? lastModified.ms < since : lastModified.ms <= since;
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
