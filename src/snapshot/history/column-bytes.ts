/** Columns of numbers as few bytes that compress well, and back: hours as stretches, values as differences of decimals. */

/** Decimal places that a column of values may have; beyond them its numbers are stored as they lie in memory. */
const PLACES_MAX = 9;

/** Instead of decimal places: the values follow as doubles. */
const AS_DOUBLES = 255;

/** The scaled values may be no larger, so that their differences are exact. */
const SCALED_MAX = 2 ** 45;

export class ColumnWriter {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param hours ascending, none before `from`: each stretch without a gap is two numbers. */
  hours(hours: Int32Array, from: number): void {
    for (let next = from, at = 0; at < hours.length;) {
      const first = hours[at] ?? 0;
      let length = 1;
      while (hours[at + length] === first + length) length += 1;
      this.#unsigned(first - next);
      this.#unsigned(length);
      next = first + length;
      at += length;
    }
  }

  /** NaN stands for null. */
  values(values: Float64Array): void {
    const places = decimalPlaces(values);
    this.#reserve(1 + 8 * values.length);
    this.#bytes[this.#length++] = places ?? AS_DOUBLES;
    if (places === undefined) {
      for (const value of values) this.#length = this.#bytes.writeDoubleLE(value, this.#length);
      return;
    }
    const scale = 10 ** places;
    let previous = 0;
    for (const value of values) {
      if (Number.isNaN(value)) {
        this.#unsigned(0);
        continue;
      }
      const scaled = Math.round(value * scale);
      const difference = scaled - previous;
      // 0 is null; then 0, -1, 1, -2, 2... (zigzag).
      this.#unsigned(1 + (difference < 0 ? -2 * difference - 1 : 2 * difference));
      previous = scaled;
    }
  }

  /** Seven bits a byte, the lowest first. */
  #unsigned(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length++] = 128 | (rest % 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length + bytes);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Reads columns in the order in which they were written. */
export class ColumnReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  hours(rows: number, from: number): Int32Array {
    const hours = new Int32Array(rows);
    for (let next = from, at = 0; at < rows;) {
      next += this.#unsigned();
      const length = this.#unsigned();
      if (length === 0) throw new RangeError('a stretch of no hours');
      for (let i = 0; i < length && at < rows; i += 1) hours[at++] = next++;
    }
    return hours;
  }

  values(rows: number): Float64Array {
    const values = new Float64Array(rows);
    const places = this.#bytes[this.#at++] ?? 0;
    if (places === AS_DOUBLES) {
      for (let at = 0; at < rows; at += 1, this.#at += 8) {
        values[at] = this.#bytes.readDoubleLE(this.#at);
      }
      return values;
    }
    const scale = 10 ** places;
    let previous = 0;
    for (let at = 0; at < rows; at += 1) {
      const coded = this.#unsigned();
      if (coded === 0) {
        values[at] = NaN;
        continue;
      }
      previous += coded % 2 === 1 ? (coded - 1) / 2 : -coded / 2;
      values[at] = previous / scale;
    }
    return values;
  }

  #unsigned(): number {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('the columns end too early');
      if (byte < 128) return value + byte * weight;
      value += (byte - 128) * weight;
    }
  }
}

/** The fewest places that give every value back exactly; undefined where there are none. */
function decimalPlaces(values: Float64Array): number | undefined {
  let places = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    while (!isExact(value, 10 ** places)) {
      places += 1;
      if (places > PLACES_MAX) return undefined;
    }
  }
  // More places for a later value may be too many for an earlier one.
  const isWhole = values.every((value) => Number.isNaN(value) || isExact(value, 10 ** places));
  return isWhole ? places : undefined;
}

function isExact(value: number, scale: number): boolean {
  const scaled = Math.round(value * scale);
  return Math.abs(scaled) <= SCALED_MAX && scaled / scale === value;
}
