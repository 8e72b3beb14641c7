/** Checks the operator's own map before the service starts, while somebody is there to read what is wrong with it. */
import { readFile } from 'node:fs/promises';
import { parseGeoJsonMap } from '../views/pages/map/geojson-map.js';
import { UsageError } from './usage-error.js';

/** @throws {UsageError} for a file that cannot be read or is not a map. */
export async function checkBaseMap(file: string): Promise<void> {
  try {
    parseGeoJsonMap(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`BASE_MAP is ${JSON.stringify(file)}: ${reason}`, { cause: error });
  }
}
