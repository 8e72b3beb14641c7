/** A file as an HTTP answer, whole or in part (docs/http-api/files.md, "Ranges"). */
import type { Digest } from '../../snapshot/domain/digest.js';
import type { Answer } from '../semantics/answer.js';
import { CROSS_ORIGIN, linkField } from '../semantics/common-headers.js';
import { errorAnswer, uncachedJson } from '../semantics/error-answers.js';
import {
  blockOf,
  fieldLines,
  headerBlock,
  type FieldLines,
  type HeaderBlock,
  type HeaderField,
} from '../semantics/header-block.js';
import { outcomeOf, type FileRequest } from '../semantics/range.js';
import {
  lastModifiedField,
  type Preferences,
  type Validators,
} from '../semantics/representation.js';

/** A request for a file, with the client's preference for gzip. */
export interface BulkRequest extends FileRequest, Preferences {}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A file in one content coding, with its own strong entity tag. */
export interface FileVariant {
  readonly validators: Validators;
  readonly sizeBytes: number;
  readonly lines: FieldLines;
  readonly headers: HeaderBlock;
  readonly notModified: Answer;
}

/** @param digest of the bytes that are sent; `file.sha256`: digest of the plain file; `file.fields` come first. */
export function fileVariant(
  { sizeBytes, sha256 }: Digest,
  file: {
    readonly sha256: string;
    readonly lastModified: Validators['lastModified'];
    readonly fields: readonly HeaderField[];
    /** Path of the list of files. */
    readonly list: string;
  },
): FileVariant {
  const fields: readonly HeaderField[] = [
    ...file.fields,
    ['ETag', `"${sha256}"`],
    ...lastModifiedField(file.lastModified),
    ['Accept-Ranges', 'bytes'],
    ['X-Content-SHA256', file.sha256],
    // Digest of the representation with its content coding (RFC 9530 §3).
    ['Repr-Digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`],
    linkField([['collection', file.list, 'application/json']]),
    ...CROSS_ORIGIN,
  ];
  const lines = fieldLines(fields);
  return {
    validators: { entityTag: `"${sha256}"`, lastModified: file.lastModified },
    sizeBytes,
    lines,
    headers: blockOf(lines),
    notModified: {
      status: 304,
      headers: headerBlock(fields.filter(([name]) => !isContent(name))),
    },
  };
}

/** @param bodyOf makes the body of a range; its errors reach the caller. */
export function fileAnswer(
  variant: FileVariant,
  request: FileRequest,
  bodyOf: (part: ByteRange) => NonNullable<Answer['body']>,
): Answer {
  const { sizeBytes, lines, headers } = variant;
  const outcome = outcomeOf(request, variant);
  switch (outcome.kind) {
    case 'whole':
      return { status: 200, headers, body: bodyOf({ offset: 0, length: sizeBytes }) };
    case 'part': {
      const { offset, length } = outcome;
      const range = `bytes ${offset}-${offset + length - 1}/${sizeBytes}`;
      return {
        status: 206,
        headers: blockOf(lines, fieldLines([['Content-Range', range]])),
        body: bodyOf(outcome),
      };
    }
    case 'unsatisfiable':
      return uncachedJson(416, { detail: 'Range Not Satisfiable' }, [
        ['Content-Range', `bytes */${sizeBytes}`],
      ]);
    case 'not_modified':
      return variant.notModified;
    case 'precondition_failed':
      return errorAnswer('precondition_failed');
  }
}

/** Whether a field describes content: a 304 has no such field but `Content-Location` (RFC 9110 §15.4.5). */
function isContent(name: string): boolean {
  return /^(?:Content-(?!Location)|X-Content-SHA256|Repr-Digest)/.test(name);
}
