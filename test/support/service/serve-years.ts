/**
 * A running service with years of its stations in the archive: gaps, ties, amounts, and values that are hard to format.
 */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { objectsOf, snapshotDocument } from '../documents/documents.js';
import { serveArchive } from './serve-archive.js';

const FOLDER = 'test/fixtures/archive';

/** Components of the snapshot; the archive has all but the last one. */
export const COMPONENTS = { no2: 1, ozone: 8, xylene: 12, rain: 20, direction: 30, lead: 40 };

const components: unknown = JSON.parse(readFileSync(`${FOLDER}/components.json`, 'utf8'));

const OF_2025 = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}`);

const CHANGES = readFileSync(`${FOLDER}/years.sql`, 'utf8');

/** Serves stations 1, 2 and 7, of which the archive lacks the last; station 9 is not public. */
export async function serveYears(t: Test, options: Parameters<typeof serveArchive>[1] = {}) {
  const stations = objectsOf(snapshotDocument(), 'stations');
  const document = snapshotDocument({
    components,
    stations: stations.map((one) => ({ ...one, component_ids: Object.values(COMPONENTS) })),
  });
  const archive = { months: ['2024-02', ...OF_2025, '2026-01'], stations: 3, changes: CHANGES };
  return await serveArchive(t, options, archive, document);
}
