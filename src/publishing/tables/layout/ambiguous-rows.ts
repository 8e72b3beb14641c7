/** Decides which hour of UTC a row means where clocks were put back: by the rows of the same station around it. */
import type { AmbiguousHours } from './table-layout.js';

/** An hour that a row can mean; `first` and `second` are the same where there is no doubt. */
export interface DatedRow<Row> {
  readonly row: Row;
  readonly first: number;
  readonly second: number;
}

export type DecidedRow<Row> =
  { readonly row: Row; readonly hour: number } | { readonly row: Row; readonly message: string };

/**
 * The rows of one station in the order of the table.
 *
 * Rows that can mean two hours wait for the next one that cannot: a local time that is there twice, among hours that
 * all rise or all fall, means both.
 */
export class AmbiguousRows<Row> {
  readonly #alone: AmbiguousHours;
  readonly #waiting: DatedRow<Row>[] = [];
  #previous: number | undefined;

  constructor(alone: AmbiguousHours) {
    this.#alone = alone;
  }

  /** Takes the next row, and answers those that are decided now. */
  take(dated: DatedRow<Row>): readonly DecidedRow<Row>[] {
    const { row, first, second } = dated;
    if (first === second) {
      const decided = this.#waiting.length === 0 ? [] : this.#decide(first);
      this.#previous = first;
      return [...decided, { row, hour: first }];
    }
    if (this.#waiting.filter((one) => one.first === first).length === 2) {
      return [{ row, message: 'there is this hour twice, and here it is a third time' }];
    }
    this.#waiting.push(dated);
    return [];
  }

  /** Answers what still waits after the last row. */
  finish(): readonly DecidedRow<Row>[] {
    return this.#decide(undefined);
  }

  #decide(next: number | undefined): readonly DecidedRow<Row>[] {
    const waiting = this.#waiting.splice(0);
    const pairs = waiting.filter((one) => waiting.some((other) => isPair(one, other)));
    const rising = inOrder(pairs, { turn: 1, ends: [this.#previous, next] });
    const falling = inOrder(pairs, { turn: -1, ends: [this.#previous, next] });
    // Both fit where nothing stands before or after.
    const hours = rising === undefined || falling === undefined ? (rising ?? falling) : undefined;
    return waiting.map((one) => {
      const at = pairs.indexOf(one);
      return at === -1 ? this.#lone(one) : decided(one.row, hours?.[at]);
    });
  }

  #lone({ row, first, second }: DatedRow<Row>): DecidedRow<Row> {
    if (this.#alone !== 'refuse') return { row, hour: this.#alone === 'first' ? first : second };
    const message =
      'clocks were put back over this hour, and the table has it once: say --ambiguous-hours first or second';
    return { row, message };
  }
}

function isPair(one: DatedRow<unknown>, other: DatedRow<unknown>): boolean {
  return one !== other && one.first === other.first;
}

/** The hours of rows that come in pairs, if the earlier ones come first (`turn` 1) or last (-1) and all are in order. */
function inOrder(
  pairs: readonly DatedRow<unknown>[],
  { turn, ends: [before, after] }: { turn: 1 | -1; ends: readonly (number | undefined)[] },
): readonly number[] | undefined {
  const hours = pairs.map((one, at) => {
    const isFirst = pairs.findIndex((other) => other.first === one.first) === at;
    return isFirst === (turn === 1) ? one.first : one.second;
  });
  const all = [before, ...hours, after].filter((hour) => hour !== undefined);
  const isInOrder = all.every((hour, at) => at === 0 || (hour - (all[at - 1] ?? 0)) * turn > 0);
  return isInOrder ? hours : undefined;
}

function decided<Row>(row: Row, hour: number | undefined): DecidedRow<Row> {
  if (hour !== undefined) return { row, hour };
  const message =
    'clocks were put back over this hour, and the rows around it are not in the order of time, so nothing says which is which';
  return { row, message };
}
