/** `operator.json`: the publisher and the terms (docs/translating.md, "Operator"). */
import { list, parseJson, problemsOf, text, TEXTS, type Members, type Texts } from './members.js';
import { knownLanguages, operatorTexts, readText, type LineProblem } from './text-files.js';

export const OPERATOR_FILE = 'operator.json';

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

/** @param known languages with texts. @returns an operator without members for a file with problems. */
export function parseOperator(
  text: string,
  known = knownLanguages(),
): { readonly operator: Operator; readonly problems: readonly LineProblem[] } {
  const languages = list(`some of ${known.join(', ')}, each once`, (one) => known.includes(one));
  const { value, problems } = parseJson(text, (parsed) =>
    problemsOf(parsed, { ...MEMBERS, languages }),
  );
  return { operator: problems.length === 0 && isOperator(value) ? value : {}, problems };
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
  languages: list('languages', () => true),
} satisfies Members & Record<keyof Operator, unknown>;

function isOperator(value: unknown): value is Operator {
  return problemsOf(value, MEMBERS).length === 0;
}
