/** The rows of a document to build, as text: what stands before them in the document depends on them. */
import type { Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

const CHUNK_CHARACTERS = 64 * 1024;

/** An element of `measurements`. */
export interface RowText {
  readonly json: string;
  /** Hours since the epoch; undefined where the row has none, which the reading of the document reports. */
  readonly hour: number | undefined;
}

/** What has been written of rows. */
export interface WrittenRows {
  count: number;
  /** Hours since the epoch; undefined without a row that has one. */
  newestHour: number | undefined;
}

/** Writes rows as a JSON array without its brackets; `hash` takes the same text. */
export async function writeRows(
  rows: AsyncIterable<RowText>,
  { path, hash }: { readonly path: string; readonly hash: Hash },
): Promise<Readonly<WrittenRows>> {
  const written = { count: 0, newestHour: undefined };
  const texts = async function* (): AsyncGenerator<string, void, undefined> {
    for await (const text of rowTexts(rows, written)) {
      hash.update(text);
      yield text;
    }
  };
  await pipeline(texts, createWriteStream(path));
  return written;
}

/** Some rows at a time; `written` counts them, before their text comes. */
export async function* rowTexts(
  rows: AsyncIterable<RowText>,
  written: WrittenRows,
): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const { json, hour } of rows) {
    text += `${written.count === 0 ? '\n' : ',\n'}${json}`;
    written.count += 1;
    if (hour !== undefined) written.newestHour = Math.max(hour, written.newestHour ?? hour);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text;
}
