/** The rows of a document as JSON text, made before the document's first part, which depends on them. */
import type { Hash } from 'node:crypto';

const CHUNK_CHARACTERS = 64 * 1024;

/** An element of `measurements`. */
export interface RowText {
  readonly json: string;
  /** Hours since the epoch; undefined without a valid date and time, which the check of the document reports. */
  readonly hour: number | undefined;
}

export interface WrittenRows {
  count: number;
  /** Hours since the epoch; undefined before the first row with an hour. */
  newestHour: number | undefined;
  /** Number of rows by the minute of the hour at which they start. */
  readonly minutes: Map<number, number>;
}

export const noRows = (): WrittenRows => ({ count: 0, newestHour: undefined, minutes: new Map() });

/** The minute of the hour at which most rows start. */
export function hourMinuteOf({ minutes }: WrittenRows): number {
  const [most = [0]] = [...minutes].sort(([, a], [, b]) => b - a);
  return most[0];
}

/**
 * Rows as chunks of a JSON array without its brackets. Counts a row in `written` before its chunk is passed on.
 *
 * @param hash updated with the same text.
 */
export async function* rowTexts(
  rows: AsyncIterable<RowText>,
  written: WrittenRows,
  hash?: Hash,
): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const { json, hour } of rows) {
    text += `${written.count === 0 ? '\n' : ',\n'}${json}`;
    written.count += 1;
    if (hour !== undefined) {
      written.newestHour = Math.max(hour, written.newestHour ?? hour);
      const minute = 60 * (hour - Math.floor(hour));
      written.minutes.set(minute, (written.minutes.get(minute) ?? 0) + 1);
    }
    if (text.length < CHUNK_CHARACTERS) continue;
    hash?.update(text);
    yield text;
    text = '';
  }
  hash?.update(text);
  yield text;
}
