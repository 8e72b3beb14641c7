/** Methods and header fields to draw from. A kept case has them as templates, so that it fits a smaller network too. */
import type { Chance } from './chance.js';

/** Values of header fields, separated by `|`; an empty one means no field. Words in braces are about the whole answer. */
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

export const FIELD_NAMES = Object.keys(FIELDS).filter((name): name is FieldName => name in FIELDS);

export interface HttpChoices extends Readonly<Record<FieldName, string>> {
  readonly method: string;
  readonly form: keyof typeof FORMS;
}

/** @param isFile whether ranges and `If-Match` have a meaning; other requests seldom have them. */
export function drawHttp(chance: Chance, isFile: boolean): HttpChoices {
  const some = (name: FieldName, share: number): string =>
    chance.is(share) ? chance.pick(FIELDS[name].split('|')) : '';
  return {
    method: chance.is(0.9)
      ? chance.pick(['GET', 'GET', 'HEAD'])
      : chance.pick(['OPTIONS', 'POST', 'DELETE', 'PROPFIND']),
    form: chance.is(0.5) ? 'usual' : chance.pick(FORM_NAMES),
    'Accept-Encoding': some('Accept-Encoding', 1),
    'If-Match': some('If-Match', isFile ? 0.3 : 0.1),
    'If-Unmodified-Since': some('If-Unmodified-Since', isFile ? 0.2 : 0.1),
    'If-None-Match': some('If-None-Match', 0.4),
    'If-Modified-Since': some('If-Modified-Since', 0.3),
    'If-Range': some('If-Range', isFile ? 0.4 : 0.1),
    Range: some('Range', isFile ? 0.8 : 0.1),
  };
}

export function filled(
  template: string,
  values: Readonly<Record<string, string | number>>,
): string {
  return template.replaceAll(/\{(\w+)\}/g, (_braces, word: string) => `${values[word] ?? ''}`);
}

export function spelled(fields: Fields, form: HttpChoices['form']): Fields {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.flatMap(([name, value]) => FORMS[form](name, value)));
}

type Fields = Readonly<Record<string, string>>;

type Spell = (name: string, value: string) => readonly (readonly [string, string])[];

const LONG = 'a, '.repeat(1000);

const FORM_NAMES = ['usual', 'lower', 'spaced', 'repeated', 'long'] as const;

/** Spellings of header fields that mean the same. */
const FORMS: Readonly<Record<(typeof FORM_NAMES)[number], Spell>> = {
  usual: (name, value) => [[name, value]],
  lower: (name, value) => [[name.toLowerCase(), value]],
  spaced: (name, value) => [[name, ` \t${value}\t  `]],
  repeated: onLines,
  long: (name, value) => Object.entries({ 'X-Before': LONG, [name]: value, 'X-After': LONG }),
};

/** A list on two lines (RFC 9110 §5.3); other fields on one. */
function onLines(name: string, value: string): ReturnType<Spell> {
  const isList = !['Range', 'If-Range', 'If-Modified-Since', 'If-Unmodified-Since'].includes(name);
  const comma = isList ? value.lastIndexOf(',') : -1;
  if (comma < 0) return [[name, value]];
  return [
    [name, value.slice(0, comma)],
    [name.toLowerCase(), value.slice(comma + 1).trim()],
  ];
}
