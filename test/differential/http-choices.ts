/** Methods and header fields to draw from, by names that a kept case can repeat. */
import type { Chance } from './chance.js';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PROPFIND'] as const;

/** A range of a file by its length and two offsets in it, the first before the second or equal. */
export const RANGES = {
  none: () => '',
  first: () => 'bytes=0-0',
  middle: (_length, from, to) => `bytes=${from}-${to}`,
  'upper case': (_length, from, to) => `BYTES=${from}-${to}`,
  open: (_length, from) => `bytes=${from}-`,
  suffix: (length, from) => `bytes=-${length - from}`,
  'long suffix': (length) => `bytes=-${length + 9}`,
  whole: () => 'bytes=0-',
  last: (length) => `bytes=${length - 1}-${length - 1}`,
  clipped: (length, from) => `bytes=${from}-${length + 7}`,
  beyond: (length) => `bytes=${length}-`,
  'far beyond': () => 'bytes=99999999999999999999-',
  'empty suffix': () => 'bytes=-0',
  several: (_length, from, to) => `bytes=0-1, ${from}-${to}`,
  'several beyond': (length) => `bytes=${length}-, ${length + 1}-`,
  'other unit': () => 'items=0-9',
  backward: (_length, from, to) => `bytes=${to + 1}-${from}`,
  'no unit': () => '0-9',
  'no numbers': () => 'bytes=-',
  'three numbers': () => 'bytes=1-2-3',
  hexadecimal: () => 'bytes=0x1-0x9',
  signed: () => 'bytes=+1-9',
  words: () => 'bytes=first-last',
} as const satisfies Record<string, (length: number, from: number, to: number) => string>;

/** Values in braces stand for those of the whole answer ({@link filled}). */
const IF_RANGES = [
  '',
  '{plain}',
  '{coded}',
  'W/{plain}',
  '"another"',
  '{date}',
  '{later}',
  '{opaque}',
] as const;

/** Header fields of conditional requests (RFC 9110 §13.1). */
export const CONDITIONS = {
  none: {},
  'current tag': { 'If-None-Match': '{coded}' },
  'plain tag': { 'If-None-Match': '{plain}' },
  'weak tag': { 'If-None-Match': 'W/{quoted}' },
  'strong tag': { 'If-None-Match': '{quoted}' },
  'tag of a proxy': { 'If-None-Match': '"{opaque}-gzip"' },
  'listed tag': { 'If-None-Match': '"a, b" ,W/"", {coded},"c"' },
  'other tags': { 'If-None-Match': 'W/"another", "one", ""' },
  'any tag': { 'If-None-Match': '*' },
  'part of a tag': { 'If-None-Match': '"{opaque}x", "x{opaque}"' },
  'since now': { 'If-Modified-Since': '{date}' },
  'since later': { 'If-Modified-Since': '{later}' },
  'since earlier': { 'If-Modified-Since': '{earlier}' },
  'since an obsolete form': { 'If-Modified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' },
  'since no date': { 'If-Modified-Since': 'now' },
  'other tag since now': { 'If-None-Match': '"another"', 'If-Modified-Since': '{date}' },
  'current tag since earlier': { 'If-None-Match': '{coded}', 'If-Modified-Since': '{earlier}' },
  'match current': { 'If-Match': '{coded}' },
  'match plain': { 'If-Match': '"a", {plain}' },
  'match any': { 'If-Match': '*' },
  'match weak': { 'If-Match': 'W/{quoted}' },
  'match other': { 'If-Match': '"another", "one"' },
  'match other, current tag': { 'If-Match': '"another"', 'If-None-Match': '{coded}' },
  'match plain, plain tag': { 'If-Match': '{plain}', 'If-None-Match': '{plain}' },
  'match plain, since now': { 'If-Match': '{plain}', 'If-Modified-Since': '{date}' },
  'unmodified since now': { 'If-Unmodified-Since': '{date}' },
  'unmodified since later': { 'If-Unmodified-Since': '{later}' },
  'unmodified since earlier': { 'If-Unmodified-Since': '{earlier}' },
  'match plain, unmodified since earlier': {
    'If-Match': '{plain}',
    'If-Unmodified-Since': '{earlier}',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** Values of `Accept-Encoding`. */
const CODINGS = [
  'identity',
  'gzip',
  'GZip',
  'gzip;q=0',
  'gzip;q=0.000, *;q=1',
  '*',
  '*;q=0',
  'identity;q=0',
  'identity;q=0, gzip;q=0.001',
  'identity;q=0.5,gzip;q=0.5',
  'gzip;q=0.4,identity;q=0.6',
  'gzip;q=0.5',
  'br',
  'br, zstd, deflate',
  'br , \tgzip ; q=0.01',
  'zstd;q=1.000, gzip;Q=0.9, identity;q=0.1',
  ', gzip,, br',
  'gzipped, xgzip',
] as const;

/** Spellings of the header fields that mean the same. */
const FORMS = ['usual', 'lower', 'upper', 'mixed', 'spaced', 'repeated', 'long'] as const;

/** The choices of one exchange; offsets of a range are shares of the length. */
export interface HttpChoices {
  readonly method: (typeof METHODS)[number];
  readonly range: keyof typeof RANGES;
  readonly ifRange: (typeof IF_RANGES)[number];
  readonly condition: keyof typeof CONDITIONS;
  readonly coding: (typeof CODINGS)[number];
  readonly form: (typeof FORMS)[number];
}

/** @param isFile whether ranges have a meaning; other answers seldom get one. */
export function drawHttp(chance: Chance, isFile: boolean): HttpChoices {
  const hasRange = chance.is(isFile ? 0.7 : 0.1);
  const range = hasRange ? chance.pick(keysOf(RANGES)) : 'none';
  return {
    method: chance.is(0.7) ? 'GET' : chance.is(0.6) ? 'HEAD' : chance.pick(METHODS),
    range,
    ifRange: chance.is(range === 'none' ? 0.9 : 0.5) ? '' : chance.pick(IF_RANGES),
    condition: chance.is(0.4) ? 'none' : chance.pick(keysOf(CONDITIONS)),
    coding: chance.pick(CODINGS),
    form: chance.is(0.5) ? 'usual' : chance.pick(FORMS),
  };
}

function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
  const isKey = (key: string): key is K => key in record;
  return Object.keys(record).filter(isKey);
}

/** Writes values of the whole answer into a field: entity tags, and dates from `Last-Modified` on. */
export function filled(
  template: string,
  of: { readonly coded: string; readonly plain: string; readonly modified: string },
): string {
  const quoted = of.coded.replace(/^W\//, '');
  const modifiedMs = Date.parse(of.modified);
  const date = (ms: number): string =>
    Number.isNaN(modifiedMs) ? 'none' : new Date(modifiedMs + ms).toUTCString();
  return template
    .replaceAll('W/{plain}', `W/${of.plain.replace(/^W\//, '')}`)
    .replaceAll('{coded}', of.coded)
    .replaceAll('{plain}', of.plain)
    .replaceAll('{quoted}', quoted)
    .replaceAll('{opaque}', quoted.replaceAll('"', ''))
    .replaceAll('{date}', date(0))
    .replaceAll('{later}', date(86_400_000))
    .replaceAll('{earlier}', date(-1000));
}

const LONG_BYTES = 3000;

/** Header fields in another spelling: names in another case, a list on several lines, spaces, and longer ones. */
export function spelled(
  fields: Readonly<Record<string, string>>,
  form: HttpChoices['form'],
): Readonly<Record<string, string>> {
  const entries = Object.entries(fields);
  const renamed = (rename: (name: string) => string) =>
    Object.fromEntries(entries.map(([name, value]) => [rename(name), value]));
  switch (form) {
    case 'usual':
      return fields;
    case 'lower':
      return renamed((name) => name.toLowerCase());
    case 'upper':
      return renamed((name) => name.toUpperCase());
    case 'mixed':
      return renamed((name) =>
        name
          .replaceAll(/.(.?)/g, (two) => two.toLowerCase() + '')
          .replaceAll(/[aeiou]/g, (letter) => letter.toUpperCase()),
      );
    case 'spaced':
      return Object.fromEntries(entries.map(([name, value]) => [name, ` \t${value}\t  `]));
    case 'repeated':
      return Object.fromEntries(entries.flatMap(([name, value]) => onLines(name, value)));
    case 'long':
      return {
        'X-Before': 'a'.repeat(LONG_BYTES),
        ...fields,
        'X-After': 'b, '.repeat(LONG_BYTES / 3),
      };
  }
}

/** A list on two lines, which mean the list (RFC 9110 §5.3); other fields on one. */
function onLines(name: string, value: string): readonly (readonly [string, string])[] {
  const isList = ['Accept-Encoding', 'If-None-Match', 'If-Match'].includes(name);
  const comma = isList && !value.includes('"a, b"') ? value.lastIndexOf(',') : -1;
  if (comma < 0) return [[name, value]];
  return [
    [name, value.slice(0, comma)],
    [name.toLowerCase(), value.slice(comma + 1).trim()],
  ];
}
