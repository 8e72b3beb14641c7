/** `bura serve`: runs the service, after publishing the demonstration snapshot where that is asked for. */
import { assertApart, type Settings } from '../settings.js';
import { checkBaseMap } from './base-map-option.js';
import { DEMONSTRATION, publishDemonstration } from './demonstration.js';

export interface ServeArguments {
  /** A folder of CSV files, published as a snapshot where the store is empty; true: those that come with the service. */
  readonly demo?: string | true;
  /** Whether the instance that runs with this `LOCAL_DIR` is to be taken over from. */
  readonly takeOver: boolean;
}

/** Resolves with the exit code when the service has ended. */
export async function serve(
  settings: Settings,
  { demo, takeOver }: ServeArguments,
): Promise<number> {
  // Whoever is taken over from has looked, when the store's disk could be read.
  if (!takeOver) assertApart(settings);
  if (settings.baseMap !== undefined) await checkBaseMap(settings.baseMap);
  if (demo !== undefined) {
    await publishDemonstration(settings, demo === true ? DEMONSTRATION : demo);
  }
  // Imported only here, because the other commands need neither the HTTP library nor the database.
  const service = await import('../supervisor/supervisor.js').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const why = `run npm ci with the Node that runs the service, ${process.version} (${reason})`;
    throw new Error(`a library cannot be loaded; ${why}`, { cause });
  });
  return service.serve(settings, { takeOver });
}
