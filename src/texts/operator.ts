/** `operator.json`: the publisher and the terms (docs/translating.md, "Operator"). */
import {
  isLanguageTag,
  isTimeZone,
  knownLanguages,
  operatorTexts,
  readText,
  type LineProblem,
} from './text-files.js';

export const OPERATOR_FILE = 'operator.json';

export type Texts = Readonly<Record<string, string>>;

/** The operator's statements, by the file's members. */
export interface Operator {
  readonly name?: Texts;
  readonly short_name?: string;
  readonly homepage?: string;
  readonly email?: string;
  readonly license?: {
    readonly name: Texts;
    readonly url: string;
    /** Address in the EU's list of licences. */
    readonly uri?: string;
  };
  readonly legal_basis?: Texts;
  /** A code of the EU's list of frequencies, such as `HOURLY`. */
  readonly accrual_periodicity?: string;
  /** A code of the EU's list of countries, such as `ESP`. */
  readonly country?: string;
  /** IANA name of the clock of pages, days and months, unless `TIME_ZONE` is set. */
  readonly time_zone?: string;
  readonly availability?: Texts;
  /** Advance notice of planned maintenance. */
  readonly notice?: Texts;
  /** The offered languages, in the order of the menu; default: all. */
  readonly languages?: readonly string[];
}

const LICENSES = 'http://publications.europa.eu/resource/authority/licence/';

/** The EU's list of frequencies, http://publications.europa.eu/resource/authority/frequency. */
const FREQUENCIES = new Set(
  [
    '1MIN 5MIN 10MIN 15MIN 30MIN HOURLY BIHOURLY TRIHOURLY 12HRS CONT UPDATE_CONT DAILY DAILY_2',
    'WEEKLY WEEKLY_2 WEEKLY_3 WEEKLY_5 BIWEEKLY MONTHLY MONTHLY_2 MONTHLY_3 BIMONTHLY QUARTERLY',
    'ANNUAL ANNUAL_2 ANNUAL_3 BIENNIAL TRIENNIAL QUADRENNIAL QUINQUENNIAL DECENNIAL BIDECENNIAL',
    'TRIDECENNIAL IRREG AS_NEEDED NEVER NOT_PLANNED OP_DATPRO OTHER UNKNOWN',
  ].flatMap((line) => line.split(' ')),
);

let read: { readonly operator: Operator | undefined } | undefined;

/** Undefined without `operator.json`: the specification's statements apply. */
export function statedOperator(): Operator | undefined {
  if (read === undefined) {
    const text = readText([operatorTexts()], OPERATOR_FILE);
    read = { operator: text === undefined ? undefined : parseOperator(text).operator };
  }
  return read.operator;
}

/** Whether reuse needs attribution only, as by the specification and CC BY. */
export function needsAttributionOnly(operator: Operator | undefined): boolean {
  if (operator === undefined) return true;
  return /^CC_BY(?:_\d_\d)?$/.test(operator.license?.uri?.slice(LICENSES.length) ?? '');
}

/** @param folder of texts. @returns an operator without members for a file with problems. */
export function parseOperator(text: string, folder = operatorTexts()) {
  const known = knownLanguages(folder);
  const languages = list(`some of ${known.join(', ')}, each once`, (one) => known.includes(one));
  const { value, problems } = parseJson(text, (one) => problemsOf(one, { ...MEMBERS, languages }));
  return { operator: problems.length === 0 && isOperator(value) ? value : {}, problems };
}

/** The value of a file; undefined unless it is JSON. */
export function parseJson(text: string, check: (value: unknown) => readonly Problem[]) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = `not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { value, problems: [{ line: 1, problem }] };
  }
  const problems = check(value).map(([name, problem, found]): LineProblem => {
    const member = JSON.stringify(name.replace(/.*\./, ''));
    const at = Math.max(text.indexOf(`${member}: ${JSON.stringify(found)}`), text.indexOf(member));
    const line = at < 0 ? 1 : text.slice(0, at).split('\n').length;
    return { line, problem: `${name}: ${problem}` };
  });
  return { value, problems };
}

/** A check of a member's value, and its expected form for messages. */
interface Value {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly isRequired?: boolean;
}

export interface Members {
  readonly [name: string]: Value | { readonly members: Members } | { readonly items: Members };
}

/** The member's name is such as `[0].steps[2].color`. */
export type Problem = readonly [name: string, problem: string, found?: unknown];

export const TEXTS: Value = {
  expected: 'texts by language, such as {"en": "..."}',
  fits: (value) => {
    const texts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const isFit = texts.every(
      ([language, text]) =>
        isLanguageTag(language) && typeof text === 'string' && text.trim() !== '',
    );
    return isFit && texts.length > 0;
  },
};

export function text(expected: string, fits: (text: string) => boolean): Value {
  return { expected, fits: (value) => typeof value === 'string' && fits(value) };
}

/** A list of different texts, at least one. */
export function list(expected: string, fits: (text: string) => boolean): Value {
  const isFit = (value: unknown, at: number, all: readonly unknown[]): boolean =>
    typeof value === 'string' && fits(value) && all.indexOf(value) === at;
  return { expected, fits: (all) => Array.isArray(all) && all.length > 0 && all.every(isFit) };
}

function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text);
}

const LICENSE = {
  name: { ...TEXTS, isRequired: true },
  url: { ...text('the address of the licence, with https://', isAddress), isRequired: true },
  uri: text(`an address below ${LICENSES}`, (uri) => uri.startsWith(LICENSES)),
} satisfies Members & Record<keyof NonNullable<Operator['license']>, unknown>;

const MEMBERS = {
  name: TEXTS,
  short_name: text('a text', (name) => name.trim() !== ''),
  homepage: text('an address such as https://example.org/', isAddress),
  email: text('an e-mail address', (email) => /^[\w.%+-]{1,64}@[A-Za-z0-9.-]{1,255}$/.test(email)),
  license: { members: LICENSE },
  legal_basis: TEXTS,
  accrual_periodicity: text("a code of the EU's list of frequencies, such as HOURLY", (code) =>
    FREQUENCIES.has(code),
  ),
  country: text("a code of the EU's list of countries, such as ESP", (code) =>
    /^[A-Z]{3}$/.test(code),
  ),
  time_zone: text('a time zone such as Europe/Madrid', isTimeZone),
  availability: TEXTS,
  notice: TEXTS,
  languages: list('languages', () => true),
} satisfies Members & Record<keyof Operator, unknown>;

function isOperator(value: unknown): value is Operator {
  return problemsOf(value, MEMBERS).length === 0;
}

/** Problems of each member, by its name with the prefix. */
export function problemsOf(value: unknown, members: Members, prefix = ''): readonly Problem[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const given = new Map<string, unknown>(isObject ? Object.entries(value) : []);
  return [
    ...(isObject ? [] : [[prefix, 'expected an object'] as const]),
    ...Object.entries(members).flatMap(([name, member]): readonly Problem[] => {
      const own = given.get(name);
      const found = own === undefined ? 'nothing' : JSON.stringify(own).slice(0, 80);
      if ('members' in member)
        return own === undefined ? [] : problemsOf(own, member.members, `${prefix}${name}.`);
      if ('items' in member)
        return Array.isArray(own) && own.length > 0 && own.length <= 30
          ? own.flatMap((item, at) => problemsOf(item, member.items, `${prefix}${name}[${at}].`))
          : [[prefix + name, `expected a list of 1 to 30 objects, found ${found}`]];
      if (member.fits(own) || (own === undefined && !member.isRequired)) return [];
      return [[prefix + name, `expected ${member.expected}, found ${found}`, own]];
    }),
    ...[...given.keys()]
      .filter((name) => !Object.hasOwn(members, name))
      .map((name) => [prefix + name, 'no such member'] as const),
  ];
}
