/**
 * When rows were published and updated: read as they come, and meant or not as the document's schema version says.
 *
 * Members come in any order, so the version may be known only after the last row. Until then times and what is
 * wrong with them are held back.
 */
import { parseInstant, UTC_DATE_TIME } from './dates.js';
import { memberPath, Problems, unexpected } from '../problems.js';
import { SparseColumn } from './sparse-column.js';
import { tokenValue, type Token } from '../json/tokens.js';

type TimeMember = 'published_at_utc' | 'updated_at_utc';

export class RowTimes {
  /** Epoch milliseconds, UTC, by row in document order. */
  readonly publishedAtMs = new SparseColumn();
  readonly updatedAtMs = new SparseColumn();
  readonly #problems: Problems;
  #state: 'undecided' | 'meant' | 'ignored' = 'undecided';
  /** Of rows, while it is not known whether times are meant. */
  readonly #held = new Problems();
  // Of the row that is being read; NaN for one that cannot be read, undefined for none.
  #published: number | undefined;
  #updated: number | undefined;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** The document has said whether it means times: what was held back counts from now on, or is forgotten. */
  decide(meant: boolean): void {
    this.#state = meant ? 'meant' : 'ignored';
    if (meant) this.#problems.addAll(this.#held);
    else {
      this.publishedAtMs.clear();
      this.updatedAtMs.clear();
    }
  }

  /** Takes the first token of a member of row number `row`. A null member is an absent one. */
  take(member: TimeMember, token: Token | undefined, row: number): void {
    if (this.#state === 'ignored' || token === undefined || token.name === 'nullValue') return;
    const epochMs = token.name === 'stringValue' ? parseInstant(token.value) : undefined;
    if (epochMs === undefined) {
      this.#refuse(row, member, unexpected(UTC_DATE_TIME, tokenValue(token)));
    }
    if (member === 'published_at_utc') this.#published = epochMs ?? NaN;
    else this.#updated = epochMs ?? NaN;
  }

  /**
   * Ends row number `row`, which must not contradict itself.
   *
   * A row that was never modified was updated when it was published, so none was updated
   * before: who harvests by time of update would miss it. For the same reason there is no update without a time of
   * publication: in its place stands `generated_at`, which is later than nearly every update.
   */
  endRow(row: number): void {
    const published = this.#published;
    const updated = this.#updated;
    if (published === undefined && updated === undefined) return;
    if (published === undefined) {
      this.#refuse(row, 'published_at_utc', 'missing beside updated_at_utc');
    } else this.publishedAtMs.set(row, published);
    if (updated !== undefined) {
      if (published !== undefined && updated < published) {
        this.#refuse(row, 'updated_at_utc', 'before published_at_utc');
      }
      this.updatedAtMs.set(row, updated);
    }
    this.#published = undefined;
    this.#updated = undefined;
  }

  #refuse(row: number, member: TimeMember, message: string): void {
    const path = memberPath(`measurements[${row}]`, member);
    (this.#state === 'meant' ? this.#problems : this.#held).add(path, message);
  }
}
