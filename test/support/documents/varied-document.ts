/**
 * The document of tests that only read (`test/service/all-reads.test.ts`): stations with different members for filters,
 * close together near zero, as a map of half the Earth takes seconds; codes that need escapes, two of which differ in case;
 * nine days of one series; forbidden names wherever a document may have additional members.
 */
import { readFileSync } from 'node:fs';
import { snapshotDocument, type PlainDocument } from './documents.js';

const LISTS = readFileSync('test/fixtures/varied-document.json', 'utf8');

/** Codes of the components that station 6 measures. */
export const ODD_CODES = ['PM10', 'pm10', 'a/b&c=d+e%2B"\n?#', '🌬'];

export function variedDocument(overrides: PlainDocument = {}): PlainDocument {
  return snapshotDocument({ ...(JSON.parse(LISTS) as PlainDocument), ...overrides });
}
