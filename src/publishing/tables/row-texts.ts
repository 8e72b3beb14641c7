/** The rows of a document as text, read before the document's first part, which depends on them. */
import type { Hash } from 'node:crypto';

const CHUNK_CHARACTERS = 64 * 1024;

/** An element of `measurements`. */
export interface RowText {
  readonly json: string;
  /** Hours since the epoch; undefined for a row without one, which the later check reports. */
  readonly hour: number | undefined;
}

export interface WrittenRows {
  count: number;
  /** Hours since the epoch; undefined without any. */
  newestHour: number | undefined;
}

/**
 * Rows as chunks of a JSON array without its brackets; `written` counts each row when it is read, before its chunk is
 * passed on.
 *
 * @param hash takes the same text.
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
    if (hour !== undefined) written.newestHour = Math.max(hour, written.newestHour ?? hour);
    if (text.length < CHUNK_CHARACTERS) continue;
    hash?.update(text);
    yield text;
    text = '';
  }
  hash?.update(text);
  yield text;
}
