/** `bura serve`: runs the service, after publishing the demonstration snapshot where that is asked for. */
import { readFile } from 'node:fs/promises';
import { parseGeoJsonMap } from '../../views/pages/map/geojson-map.js';
import { assertApart, type Settings } from '../../settings.js';
import { text, UsageError, type Flags } from '../command.js';
import { DEMONSTRATION, publishDemonstration } from './demonstration.js';

/** Resolves when the service has ended, whose exit code becomes that of the process. */
export async function serve(settings: Settings, flags: Flags): Promise<void> {
  const takeOver = flags['takeOver'] === true;
  // Whoever is taken over from has looked, when the store's disk could be read.
  if (!takeOver) assertApart(settings);
  if (settings.baseMap !== undefined) await checkBaseMap(settings.baseMap);
  if (flags['demo'] !== undefined) {
    await publishDemonstration(settings, text(flags, 'demo').demo ?? DEMONSTRATION);
  }
  // Imported only here, because the other commands need neither the HTTP library nor the database.
  const service = await import('../../supervisor/supervisor.js').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const why = `run npm ci with the Node that runs the service, ${process.version} (${reason})`;
    throw new Error(`a library cannot be loaded; ${why}`, { cause });
  });
  process.exitCode = await service.serve(settings, { takeOver });
}

/** Before the service starts, while somebody is there to read what is wrong with the operator's map. */
async function checkBaseMap(file: string): Promise<void> {
  try {
    parseGeoJsonMap(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`BASE_MAP is ${JSON.stringify(file)}: ${reason}`, { cause: error });
  }
}
