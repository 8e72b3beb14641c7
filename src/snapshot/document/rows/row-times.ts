/**
 * Times of publication and update of rows. Their meaning depends on the document's schema version, which may come after
 * the last row: until then times and their faults are held back.
 */
import { INSTANT, type JsonObject } from '../member-types.js';
import { memberPath, Problems, unexpected } from '../problems.js';
import { GrowingColumn } from './growing-column.js';

type TimeMember = 'published_at_utc' | 'updated_at_utc';

export class RowTimes {
  /** Epoch milliseconds, UTC, by row in document order. */
  readonly publishedAtMs = new GrowingColumn(Float64Array);
  readonly updatedAtMs = new GrowingColumn(Float64Array);
  readonly #problems: Problems;
  #state: 'undecided' | 'meant' | 'ignored' = 'undecided';
  /** Problems of rows that are held back until the schema version is known. */
  readonly #held = new Problems();

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** The schema version is known: counts or drops the problems held back. */
  decide(meant: boolean): void {
    this.#state = meant ? 'meant' : 'ignored';
    if (meant) this.#problems.addAll(this.#held);
    else {
      this.publishedAtMs.clear();
      this.updatedAtMs.clear();
    }
  }

  /**
   * Takes the times of row number `number`, which must be consistent.
   *
   * A row that was never modified was updated when it was published, so that harvesters by time of update find it. An
   * update without a time of publication is refused for the same reason; `generated_at` stands in, which is later than
   * nearly every update.
   */
  take(row: JsonObject, number: number): void {
    if (this.#state === 'ignored') return;
    const published = this.#read(row, 'published_at_utc', number);
    const updated = this.#read(row, 'updated_at_utc', number);
    if (published !== undefined) this.publishedAtMs.set(number, published);
    if (updated === undefined) return;
    this.updatedAtMs.set(number, updated);
    if (published === undefined) {
      this.#refuse(number, 'published_at_utc', 'missing beside updated_at_utc');
    } else if (updated < published) {
      this.#refuse(number, 'updated_at_utc', 'before published_at_utc');
    }
  }

  /** NaN for an unreadable time, undefined for an absent or null one. */
  #read(row: JsonObject, member: TimeMember, number: number): number | undefined {
    const value = row[member];
    if (value === undefined || value === null) return undefined;
    const epochMs = INSTANT.parse(value);
    if (epochMs === undefined) this.#refuse(number, member, unexpected(INSTANT.expected, value));
    return epochMs ?? NaN;
  }

  #refuse(number: number, member: TimeMember, message: string): void {
    const path = memberPath(`measurements[${number}]`, member);
    (this.#state === 'meant' ? this.#problems : this.#held).add(path, message);
  }
}
