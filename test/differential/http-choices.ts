/** Methods and header fields to draw from. A kept case has them as templates, so that it fits a smaller network too. */
import type { Chance } from './chance.js';

/**
 * Values of header fields, separated by `|`; an empty one means no field. Words in braces stand for values of the whole
 * answer ({@link valuesOf}).
 */
const FIELDS = {
  'Accept-Encoding':
    'identity|gzip|GZip|x-gzip|gzip;q=0|gzip;q=0.000, *;q=1|*|*;q=0|identity;q=0|identity;q=0, gzip;q=0.001|identity;q=0.5,gzip;q=0.5|gzip;q=0.5, *;q=0.8|gzip;q=0.4,identity;q=0.6|gzip;q=0.5|br|br, zstd, deflate|br , \tgzip ; q=0.01|zstd;q=1.000, gzip;Q=0.9, identity;q=0.1|, gzip,, br|gzipped, xgzip',
  'If-Match': '|*|{coded}|"a", {plain}|W/{quoted}|"another", "one"|"{opaque}-gzip"',
  'If-Unmodified-Since': '|{date}|{later}|{earlier}|Sunday, 06-Nov-94 08:49:37 GMT|now',
  'If-None-Match':
    '|*|{coded}|{plain}|W/{quoted}|{quoted}|"{opaque}-gzip"|"a, b" ,W/"", {coded},"c"|W/"another", "one", ""|"{opaque}x", "x{opaque}"',
  'If-Modified-Since': '|{date}|{later}|{earlier}|Sunday, 06-Nov-94 08:49:37 GMT|now',
  'If-Range': '|{plain}|{coded}|W/{plain}|"another"|{date}|{later}|{opaque}',
  Range:
    '|bytes=0-0|bytes={from}-{to}|BYTES={from}-{to}|bytes={from}-|bytes=-{rest}|bytes=-{beyond}|bytes=0-|bytes={last}-{last}|bytes={from}-{beyond}|bytes={length}-|bytes=99999999999999999999-|bytes=-0|bytes=0-1, {from}-{to}|bytes={length}-, {beyond}-|items=0-9|bytes={last}-0|0-9|bytes=-|bytes=1-2-3|bytes=0x1-0x9|bytes=+1-9|bytes=first-last',
} as const;

type FieldName = keyof typeof FIELDS;

export const FIELD_NAMES = [
  'Accept-Encoding',
  'If-Match',
  'If-Unmodified-Since',
  'If-None-Match',
  'If-Modified-Since',
  'If-Range',
  'Range',
] as const satisfies readonly FieldName[];

/** Spellings of header fields that mean the same. */
const FORMS = ['usual', 'lower', 'spaced', 'repeated', 'long'] as const;

export interface HttpChoices extends Readonly<Record<FieldName, string>> {
  readonly method: string;
  readonly form: (typeof FORMS)[number];
}

/** @param isFile whether ranges and `If-Match` have a meaning; other requests seldom have them. */
export function drawHttp(chance: Chance, isFile: boolean): HttpChoices {
  const some = (name: FieldName, share: number): string =>
    chance.is(share) ? chance.pick(FIELDS[name].split('|')) : '';
  return {
    method: chance.is(0.9)
      ? chance.pick(['GET', 'GET', 'HEAD'])
      : chance.pick(['OPTIONS', 'POST', 'DELETE', 'PROPFIND']),
    form: chance.is(0.5) ? 'usual' : chance.pick(FORMS),
    'Accept-Encoding': some('Accept-Encoding', 1),
    'If-Match': some('If-Match', isFile ? 0.3 : 0.1),
    'If-Unmodified-Since': some('If-Unmodified-Since', isFile ? 0.2 : 0.1),
    'If-None-Match': some('If-None-Match', 0.4),
    'If-Modified-Since': some('If-Modified-Since', 0.3),
    'If-Range': some('If-Range', isFile ? 0.4 : 0.1),
    Range: some('Range', isFile ? 0.8 : 0.1),
  };
}

/** Values of the words in braces. */
export function valuesOf(of: {
  /** Entity tags of the whole answer in the accepted coding and without a coding. */
  readonly coded: string;
  readonly plain: string;
  /** `Last-Modified`. */
  readonly modified: string;
  /** Length of the body without a coding, in bytes. */
  readonly length: number;
  /** Where a range begins and ends, in [0, 1). */
  readonly shares: readonly [number, number];
}): ReadonlyMap<string, string> {
  const { coded, plain, modified, length } = of;
  const [from, to] = of.shares.map((share) => Math.floor(share * length));
  const quoted = coded.replace(/^W\//, '');
  const date = (ms: number): string => new Date(Date.parse(modified) + ms).toUTCString();
  return new Map(
    Object.entries({
      coded,
      plain,
      quoted,
      opaque: quoted.replaceAll('"', ''),
      date: date(0),
      later: date(86_400_000),
      earlier: date(-1000),
      from: `${from}`,
      to: `${to}`,
      length: `${length}`,
      last: `${length - 1}`,
      beyond: `${length + 7}`,
      rest: `${length - (from ?? 0)}`,
    }),
  );
}

const LONG = 'a, '.repeat(1000);

/** Header fields in another spelling. */
export function spelled(
  fields: Readonly<Record<string, string>>,
  form: HttpChoices['form'],
): Readonly<Record<string, string>> {
  const entries = Object.entries(fields);
  switch (form) {
    case 'usual':
      return fields;
    case 'lower':
      return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
    case 'spaced':
      return Object.fromEntries(entries.map(([name, value]) => [name, ` \t${value}\t  `]));
    case 'repeated':
      return Object.fromEntries(entries.flatMap(([name, value]) => onLines(name, value)));
    case 'long':
      return { 'X-Before': LONG, ...fields, 'X-After': LONG };
  }
}

/** A list on two lines (RFC 9110 §5.3); other fields on one. */
function onLines(name: string, value: string): readonly (readonly [string, string])[] {
  const isList = !['Range', 'If-Range', 'If-Modified-Since', 'If-Unmodified-Since'].includes(name);
  const comma = isList ? value.lastIndexOf(',') : -1;
  if (comma < 0) return [[name, value]];
  return [
    [name, value.slice(0, comma)],
    [name.toLowerCase(), value.slice(comma + 1).trim()],
  ];
}
