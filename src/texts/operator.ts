/** `operator.json` of the operator's folder: who publishes the data, and under which terms (docs/translating.md, "Operator"). */
import { isLanguageTag, operatorTexts, readText } from './files.js';
import type { Problem } from './files.js';

export const OPERATOR_FILE = 'operator.json';

/** By language tag. */
type Texts = Readonly<Record<string, string>>;

/** What the operator says; what it does not say is undefined. */
export interface Operator {
  readonly name?: Texts;
  readonly shortName?: string;
  readonly homepage?: string;
  readonly email?: string;
  readonly license?: {
    readonly name: Texts;
    readonly url: string;
    /** Of the EU's list of licences. */
    readonly uri?: string;
  };
  readonly legalBasis?: Texts;
  /** A code of the EU's list of frequencies, such as `HOURLY`. */
  readonly accrualPeriodicity?: string;
  /** A code of the EU's list of countries, such as `ESP`. */
  readonly country?: string;
  /** What is promised of the service. */
  readonly availability?: Texts;
  /** How long before planned maintenance it is announced. */
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

/** Undefined where the operator's folder has no `operator.json`: then all is said as the specification has it. */
export function statedOperator(): Operator | undefined {
  if (read === undefined) {
    const text = readText([operatorTexts()], OPERATOR_FILE);
    read = { operator: text === undefined ? undefined : parseOperator(text).operator };
  }
  return read.operator;
}

/** Whether reuse needs no more than that the source is named: so the specification has it, and so CC BY does. */
export function needsAttributionOnly(operator: Operator | undefined): boolean {
  if (operator === undefined) return true;
  return /^CC_BY(?:_\d_\d)?$/.test(operator.license?.uri?.slice(LICENSES.length) ?? '');
}

/** @returns what could be read, and everything that is wrong. */
export function parseOperator(text: string): {
  readonly operator: Operator;
  readonly problems: readonly Problem[];
} {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = `not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { operator: {}, problems: [{ line: 1, problem }] };
  }
  const problems: Problem[] = [];
  const wrong = (name: string, problem: string): void => {
    const at = text.indexOf(JSON.stringify(name.replace(/.*\./, '')));
    problems.push({
      line: at < 0 ? 1 : text.slice(0, at).split('\n').length,
      problem: `${name}: ${problem}`,
    });
  };
  const members = new Members(value, '', wrong);
  const license = members.object('license');
  const operator = {
    name: members.texts('name'),
    shortName: members.text('short_name', /\S/, 'a text'),
    homepage: members.text(
      'homepage',
      /^https?:\/\/\S+$/,
      'an address such as https://example.org/',
    ),
    email: members.text('email', /^[\w.%+-]{1,64}@[A-Za-z0-9.-]{1,255}$/, 'an e-mail address'),
    license: license && readLicense(license),
    legalBasis: members.texts('legal_basis'),
    accrualPeriodicity: members.text(
      'accrual_periodicity',
      (code) => FREQUENCIES.has(code),
      "a code of the EU's list of frequencies, such as HOURLY",
    ),
    country: members.text(
      'country',
      /^[A-Z]{3}$/,
      "a code of the EU's list of countries, such as ESP",
    ),
    availability: members.texts('availability'),
    notice: members.texts('notice'),
  };
  members.refuseOthers();
  const known = Object.entries(operator).filter(([, one]) => one !== undefined);
  return { operator: Object.fromEntries(known), problems };
}

function readLicense(license: Members): Operator['license'] {
  const name = license.texts('name', true);
  const url = license.text(
    'url',
    /^https?:\/\/\S+$/,
    'the address of the licence, with https://',
    true,
  );
  const uri = license.text(
    'uri',
    (one) => one.startsWith(LICENSES),
    `an address below ${LICENSES}`,
  );
  license.refuseOthers();
  return name && url !== undefined ? { name, url, ...(uri !== undefined && { uri }) } : undefined;
}

/** Members of an object of unknown shape. */
class Members {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #prefix: string;
  readonly #wrong: (name: string, problem: string) => void;
  readonly #asked = new Set<string>();

  constructor(value: unknown, prefix: string, wrong: (name: string, problem: string) => void) {
    this.#prefix = prefix;
    this.#wrong = wrong;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) wrong(prefix, 'expected an object');
    this.#members = isObject ? { ...value } : {};
  }

  object(name: string): Members | undefined {
    const value = this.#take(name);
    return value === undefined
      ? undefined
      : new Members(value, `${this.#prefix}${name}.`, this.#wrong);
  }

  text(
    name: string,
    expected: RegExp | ((text: string) => boolean),
    words: string,
    isRequired = false,
  ): string | undefined {
    const value = this.#take(name);
    if (value === undefined && !isRequired) return undefined;
    const isFit =
      typeof value === 'string' &&
      (expected instanceof RegExp ? expected.test(value) : expected(value));
    if (isFit) return value;
    this.#refuse(name, value, words);
    return undefined;
  }

  /** Texts by language. */
  texts(name: string, isRequired = false): Texts | undefined {
    const words = 'texts by language, such as {"en": "..."}';
    const value = this.#take(name);
    if (value === undefined && !isRequired) return undefined;
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const isFit = entries.every(
      ([language, text]) =>
        isLanguageTag(language) && typeof text === 'string' && text.trim() !== '',
    );
    if (entries.length === 0 || !isFit) {
      this.#refuse(name, value, words);
      return undefined;
    }
    return Object.fromEntries(entries.map(([language, text]) => [language, String(text)]));
  }

  refuseOthers(): void {
    for (const name of Object.keys(this.#members)) {
      if (!this.#asked.has(name)) this.#wrong(this.#prefix + name, 'no such member');
    }
  }

  #take(name: string): unknown {
    this.#asked.add(name);
    return this.#members[name];
  }

  #refuse(name: string, value: unknown, words: string): void {
    const given = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
    this.#wrong(this.#prefix + name, `expected ${words}, found ${given}`);
  }
}
