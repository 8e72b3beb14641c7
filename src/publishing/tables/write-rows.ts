/** Writes the rows of a document to build into a temporary file: what stands before them in the document depends on them. */
import type { Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

const CHUNK_CHARACTERS = 64 * 1024;

/** An element of `measurements`. */
export interface RowText {
  readonly json: string;
  /** Hours since the epoch; `undefined` where the row has none, which the reading of the document reports. */
  readonly hour: number | undefined;
}

export interface WrittenRows {
  readonly count: number;
  /** Hours since the epoch; `undefined` without a row that has one. */
  readonly newestHour: number | undefined;
}

/** Writes rows as a JSON array without its brackets; `hash` takes the same text. */
export async function writeRows(
  rows: AsyncIterable<RowText>,
  { path, hash }: { readonly path: string; readonly hash: Hash },
): Promise<WrittenRows> {
  const written = { count: 0, newestHour: -Infinity };
  await pipeline(hashed(rowTexts(rows, written), hash), createWriteStream(path));
  const { count, newestHour } = written;
  return { count, newestHour: newestHour === -Infinity ? undefined : newestHour };
}

async function* rowTexts(
  rows: AsyncIterable<RowText>,
  written: { count: number; newestHour: number },
): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const { json, hour = -Infinity } of rows) {
    text += `${written.count === 0 ? '\n' : ',\n'}${json}`;
    written.count += 1;
    if (hour > written.newestHour) written.newestHour = hour;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text;
}

async function* hashed(
  texts: AsyncIterable<string>,
  hash: Hash,
): AsyncGenerator<string, void, undefined> {
  for await (const text of texts) {
    hash.update(text);
    yield text;
  }
}
