/** The expected answer to a request for a bulk file with content codings, ranges and conditions (RFC 9110). */
import fc from 'fast-check';
import { SEGMENT_BYTES } from '../../../src/snapshot/local/copy-files.js';

type Fields = Readonly<Record<string, string>>;

/** Entity tags of one file; equal if the file has no gzip form. */
export interface Tags {
  readonly plain: string;
  readonly gzip: string;
}

export interface AskedFile {
  readonly name: string;
  readonly tags: Tags;
  readonly fields: Fields;
  readonly method: string;
}

/** A date before that of any test file. */
const DAY_BEFORE = 'Thu, 10 Sep 2020 00:00:00 GMT';

/** A request; its fields are often absent, so that all outcomes occur. @param date the file's `Last-Modified`. */
export function anyRequest(name: string, tags: Tags, date: string): fc.Arbitrary<AskedFile> {
  const lists = [tags.plain, tags.gzip, '"other"', `"other", ${tags.gzip}`, `W/${tags.plain}`, '*'];
  const rarely = (...values: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom(...values) },
    );
  const fields = fc.record({
    'Accept-Encoding': fc.constantFrom('', ...Object.keys(PREFERS_GZIP)),
    Range: fc.constantFrom('', '', ...Object.keys(RANGES)),
    'If-Range': fc.constantFrom('', '', tags.plain, tags.gzip, `W/${tags.plain}`, '"other"', date),
    'If-None-Match': rarely(...lists),
    'If-Modified-Since': rarely(date, DAY_BEFORE),
    'If-Match': rarely(...lists),
  });
  const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD');
  return fc.record({ fields, method }).map(({ fields, method }) => {
    const sent = Object.entries(fields).filter(([, value]) => value !== '');
    return { name, tags, fields: Object.fromEntries(sent), method };
  });
}

/** Whether a client with this `Accept-Encoding` gets gzip (RFC 9110 §12.5.3). */
const PREFERS_GZIP: Readonly<Record<string, boolean>> = {
  gzip: true,
  'gzip, deflate, br': true,
  '*': true,
  'gzip;q=0.5, identity;q=0.5': true,
  identity: false,
  br: false,
  'gzip;q=0': false,
  'gzip;q=0.5, identity;q=1': false,
  '*, gzip;q=0': false,
};

/** Outcome of each `Range` for files of 20 bytes to 100 MB; `[start, end]` are arguments of `subarray`. */
const RANGES: Readonly<Record<string, readonly [number, number?] | 'whole' | 'unsatisfiable'>> = {
  'bytes=10-19': [10, 20],
  'bytes=5-': [5],
  'bytes=-8': [-8],
  'bytes=0-0,5-9': 'whole',
  'lines=1-2': 'whole',
  'bytes=100000000-': 'unsatisfiable',
};

interface Expected {
  readonly status: number;
  readonly tag?: string;
  readonly part?: readonly [number, number?];
}

/** Outcome by RFC 9110 §13.2.2: conditions compare the selected representation's tag; ranges are of the plain file. */
export function expectedOutcome({ tags, fields, method }: Omit<AskedFile, 'name'>): Expected {
  const range = method === 'GET' ? fields['Range'] : undefined;
  const isGzip = range === undefined && PREFERS_GZIP[fields['Accept-Encoding'] ?? ''] === true;
  const tag = isGzip ? tags.gzip : tags.plain;
  const listed = (list: string): readonly string[] => list.split(',').map((item) => item.trim());
  const ifMatch = fields['If-Match'];
  if (ifMatch !== undefined && ifMatch !== '*' && !listed(ifMatch).includes(tag)) {
    return { status: 412 };
  }
  const ifNoneMatch = fields['If-None-Match'];
  if (ifNoneMatch !== undefined) {
    const known = listed(ifNoneMatch.replaceAll('W/', ''));
    if (ifNoneMatch === '*' || known.includes(tag)) return { status: 304, tag };
  } else if ((fields['If-Modified-Since'] ?? DAY_BEFORE) !== DAY_BEFORE) {
    return { status: 304, tag };
  }
  const ifRange = fields['If-Range'];
  const part = range === undefined ? 'whole' : (RANGES[range] ?? 'whole');
  if (part === 'whole' || (ifRange !== undefined && ifRange !== tag)) return { status: 200, tag };
  if (part === 'unsatisfiable') return { status: 416 };
  return { status: 206, tag, part };
}

interface AskedRange {
  readonly range: string;
  /** Byte range `[start, end)` of the file. */
  readonly start: number;
  readonly end: number;
}

/** Any satisfiable range, often with ends close to the boundaries of segments. */
export function anyRange(size: number): fc.Arbitrary<AskedRange> {
  const segments = fc
    .tuple(fc.nat(70), fc.integer({ min: -2, max: 2 }))
    .map(([segment, by]) => segment * SEGMENT_BYTES + by);
  const offset = fc
    .oneof(fc.nat(size - 1), segments, fc.nat(20))
    .filter((at) => at >= 0 && at < size);
  return fc
    .tuple(offset, offset, fc.constantFrom('both', 'open', 'suffix', 'clipped'))
    .map(([one, other, kind]) => {
      const [start, last] = one < other ? [one, other] : [other, one];
      if (kind === 'open') return { range: `bytes=${start}-`, start, end: size };
      if (kind === 'suffix') return { range: `Bytes=-${size - start}`, start, end: size };
      if (kind === 'clipped') return { range: `bytes=${start}-${size + last}`, start, end: size };
      return { range: `bytes=${start}-${last}`, start, end: last + 1 };
    });
}
