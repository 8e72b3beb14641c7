/**
 * A document with names that spreadsheets, XML or CSV could misread. Station 12 and component 7 are hidden; component 8
 * has only nulls, 9 no value in the last day; there is no window 14d.
 */
import { readFileSync } from 'node:fs';
import { snapshotDocument, type PlainDocument } from './documents.js';

export function oddDocument(): PlainDocument {
  const text = readFileSync('test/fixtures/odd-document.json', 'utf8');
  return snapshotDocument(JSON.parse(text) as PlainDocument);
}
