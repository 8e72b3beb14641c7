/** Cells of a wide table → values as JSON text, with the digits that they have. */
import { isNumber } from '../cells.js';
import { unexpected } from '../../../snapshot/document/problems.js';
import type { WideLayout } from './wide-layout.js';

export type WideValue =
  | { readonly kind: 'value'; readonly json: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly message: string };

const MISSING: WideValue = { kind: 'missing' };
const DECIMAL_COMMA = /^[-\d]+,\d+$/;

export class WideValues {
  readonly #missing: ReadonlySet<string>;
  readonly #missingNumbers: ReadonlySet<number>;
  readonly #decimalComma: boolean;

  constructor({ missing, decimalComma = false }: Pick<WideLayout, 'missing' | 'decimalComma'>) {
    this.#missing = new Set(missing);
    this.#missingNumbers = new Set(missing.filter(isNumber).map(Number));
    this.#decimalComma = decimalComma;
  }

  parse(cell: string): WideValue {
    const text = cell.trim();
    if (text === '' || this.#missing.has(text)) return MISSING;
    const hasComma = DECIMAL_COMMA.test(text);
    // With decimal commas a point may stand between thousands: 1.234 would be read as a thousandth of it.
    const json = this.#decimalComma && hasComma ? text.replace(',', '.') : text;
    const isRead = isNumber(json) && !(this.#decimalComma && text.includes('.'));
    if (!isRead || !Number.isFinite(Number(json))) {
      const hint = hasComma && !this.#decimalComma ? ' (--decimal-comma)' : '';
      return { kind: 'refused', message: `${unexpected('a number or nothing', text)}${hint}` };
    }
    return this.#missingNumbers.has(Number(json)) ? MISSING : { kind: 'value', json };
  }
}
