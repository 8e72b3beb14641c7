/** Reads CSV strictly (RFC 4180). */
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';

export function cellsOf(csv: string): readonly (readonly string[])[] {
  assert.ok(csv.endsWith('\r\n'));
  return parse(csv, { record_delimiter: '\r\n' });
}
