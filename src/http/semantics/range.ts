/** Byte ranges of files and their conditions (RFC 9110 §13.1.1, §13.1.4, §13.1.5, §14). */
import {
  isNotModified,
  parseHttpDate,
  type Conditions,
  type Validators,
} from './representation.js';

/** A request for one file; missing fields are empty. */
export interface FileRequest extends Conditions {
  readonly ifMatch: string;
  readonly ifUnmodifiedSince: string;
  readonly ifRange: string;
  readonly range: string;
}

export type FileOutcome =
  | { readonly kind: 'part'; readonly offset: number; readonly length: number }
  | { readonly kind: 'whole' | 'unsatisfiable' | 'not_modified' | 'precondition_failed' };

/** Evaluates conditions in the order of RFC 9110 §13.2.2; the file's entity tag is strong. */
export function outcomeOf(
  request: FileRequest,
  file: { readonly validators: Validators; readonly sizeBytes: number },
): FileOutcome {
  const { validators, sizeBytes } = file;
  if (isChanged(request, validators)) return { kind: 'precondition_failed' };
  if (isNotModified(request, validators)) return { kind: 'not_modified' };
  if (request.range === '' || !isSame(request.ifRange, validators)) return { kind: 'whole' };
  return parseRange(request.range, sizeBytes);
}

/** Whether the file is not the one that the client means: a malformed date is ignored, and so is any beside `If-Match`. */
function isChanged(
  { ifMatch, ifUnmodifiedSince }: FileRequest,
  { entityTag, lastModified }: Validators,
): boolean {
  if (ifMatch !== '') return !listsStrongTag(ifMatch, entityTag);
  const since = ifUnmodifiedSince === '' ? undefined : parseHttpDate(ifUnmodifiedSince);
  return since !== undefined && lastModified !== undefined && lastModified > since;
}

/** Parses one range: `bytes=0-99`, `bytes=100-`, `bytes=-8`. Other texts mean the whole file (RFC 9110 §14.2). */
function parseRange(text: string, sizeBytes: number): FileOutcome {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(text.trim());
  if (match === null) return { kind: 'whole' };
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return { kind: 'whole' };
    const length = Math.min(Number(last), sizeBytes);
    return length === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'part', offset: sizeBytes - length, length };
  }
  const offset = Number(first);
  if (last !== '' && Number(last) < offset) return { kind: 'whole' };
  if (offset >= sizeBytes) return { kind: 'unsatisfiable' };
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  return { kind: 'part', offset, length: end - offset };
}

/**
 * Whether `If-Range` is absent, or is the current entity tag. A date never matches: the pointer may move twice within a
 * second, so dates are weak validators (RFC 9110 §8.8.2.2), which `If-Range` does not allow (§13.1.5).
 */
function isSame(ifRange: string, { entityTag }: Validators): boolean {
  return ifRange === '' || ifRange === entityTag;
}

function listsStrongTag(header: string, entityTag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((item) => item.trim() === entityTag);
}
