/** `operator.json`: the publisher and the terms (docs/translating.md, "Operator"). */
import { isLanguageTag, operatorTexts, readText } from './text-files.js';
import type { LineProblem } from './text-files.js';

export const OPERATOR_FILE = 'operator.json';

type Texts = Readonly<Record<string, string>>;

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
  readonly availability?: Texts;
  /** Advance notice of planned maintenance. */
  readonly notice?: Texts;
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

/** @returns an operator without members for a file with problems. */
export function parseOperator(text: string): {
  readonly operator: Operator;
  readonly problems: readonly LineProblem[];
} {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = `not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { operator: {}, problems: [{ line: 1, problem }] };
  }
  const problems = problemsOf(value, MEMBERS).map(([name, problem]) => {
    const at = text.indexOf(JSON.stringify(name.replace(/.*\./, '')));
    const line = at < 0 ? 1 : text.slice(0, at).split('\n').length;
    return { line, problem: `${name}: ${problem}` };
  });
  return { operator: isOperator(value) ? value : {}, problems };
}

/** A check of a member's value, and its expected form for messages. */
interface Value {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly isRequired?: boolean;
}

interface Members {
  readonly [name: string]: Value | { readonly members: Members };
}

const TEXTS: Value = {
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

function text(expected: string, fits: (text: string) => boolean): Value {
  return { expected, fits: (value) => typeof value === 'string' && fits(value) };
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
  availability: TEXTS,
  notice: TEXTS,
} satisfies Members & Record<keyof Operator, unknown>;

function isOperator(value: unknown): value is Operator {
  return problemsOf(value, MEMBERS).length === 0;
}

/** Problems of each member, by its name with the prefix. */
function problemsOf(
  value: unknown,
  members: Members,
  prefix = '',
): readonly (readonly [name: string, problem: string])[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const given = new Map<string, unknown>(isObject ? Object.entries(value) : []);
  return [
    ...(isObject ? [] : [[prefix, 'expected an object'] as const]),
    ...Object.entries(members).flatMap(([name, member]) => {
      const own = given.get(name);
      if ('members' in member)
        return own === undefined ? [] : problemsOf(own, member.members, `${prefix}${name}.`);
      if (member.fits(own) || (own === undefined && !member.isRequired)) return [];
      const actual = own === undefined ? 'nothing' : JSON.stringify(own).slice(0, 80);
      return [[prefix + name, `expected ${member.expected}, found ${actual}`] as const];
    }),
    ...[...given.keys()]
      .filter((name) => !Object.hasOwn(members, name))
      .map((name) => [prefix + name, 'no such member'] as const),
  ];
}
