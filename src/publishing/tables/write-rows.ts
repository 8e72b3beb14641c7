/** Writes the rows of a document to build into a temporary file: what stands before them in the document depends on them. */
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
  const written: { count: number; newestHour?: number } = { count: 0 };
  const texts = async function* (): AsyncGenerator<string, void, undefined> {
    let text = '';
    for await (const { json, hour } of rows) {
      text += `${written.count === 0 ? '\n' : ',\n'}${json}`;
      written.count += 1;
      if (hour !== undefined && hour > (written.newestHour ?? -Infinity)) written.newestHour = hour;
      if (text.length < CHUNK_CHARACTERS) continue;
      hash.update(text);
      yield text;
      text = '';
    }
    hash.update(text);
    yield text;
  };
  await pipeline(texts, createWriteStream(path));
  return { newestHour: undefined, ...written };
}
