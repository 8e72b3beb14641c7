/** Cells → numbers as JSON text, with the digits that they have. */
import { unexpected } from '../../snapshot/document/problems.js';

export type NumberCell =
  | { readonly kind: 'value'; readonly json: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly message: string };

const MISSING: NumberCell = { kind: 'missing' };
const DECIMAL_COMMA = /^[-\d]+,\d+$/;
/** JSON's own grammar (RFC 8259 §6): what is written here goes into the document as it is. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** As agencies write them besides: `+5`, `.5`, `5.` and `007`. */
const LOOSE = /^\+?(-?)0*(\d*)(?:\.(\d*))?$/;

/** Whether a text is a number as JSON writes it. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

export class NumberCells {
  readonly #missing: ReadonlySet<string>;
  readonly #missingNumbers: ReadonlySet<number>;
  readonly #decimalComma: boolean;

  constructor({
    missing = [],
    decimalComma = false,
  }: {
    /** Cells that mean that there is no value, besides empty ones: the same text, or the same number. */
    readonly missing?: readonly string[] | undefined;
    readonly decimalComma?: boolean | undefined;
  }) {
    this.#missing = new Set(missing);
    this.#missingNumbers = new Set(missing.filter(isNumber).map(Number));
    this.#decimalComma = decimalComma;
  }

  parse(cell: string): NumberCell {
    const text = cell.trim();
    if (text === '' || this.#missing.has(text)) return MISSING;
    const hasComma = DECIMAL_COMMA.test(text);
    // With decimal commas a point may stand between thousands: 1.234 would be read as a thousandth of it.
    const written = this.#decimalComma && hasComma ? text.replace(',', '.') : text;
    const json = NUMBER.test(written) ? written : normal(written);
    const isRead = json !== undefined && !(this.#decimalComma && text.includes('.'));
    if (!isRead || !Number.isFinite(Number(json))) {
      const hint = hasComma && !this.#decimalComma ? ' (--decimal-comma)' : '';
      return { kind: 'refused', message: `${unexpected('a number or nothing', text)}${hint}` };
    }
    return this.#missingNumbers.has(Number(json)) ? MISSING : { kind: 'value', json };
  }
}

function normal(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = LOOSE.exec(text) ?? [];
  if (!/\d/.test(text)) return undefined;
  return LOOSE.test(text)
    ? `${sign}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`
    : undefined;
}
