/** `bura serve`: runs the service, after publishing the demonstration snapshot where that is asked for. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Defaults, serve as run } from '../../supervisor/supervisor.js';
import { readRegularFile } from '../../files/regular-file.js';
import { parseGeoJsonMap } from '../../views/pages/map/geojson-map.js';
import { assertApart, DEFAULT_ZONE, type Settings } from '../../settings.js';
import { text, UsageError, type Flags } from '../command.js';

/** Resolves when the service has ended, whose exit code becomes that of the process. */
export async function serve(settings: Settings, flags: Flags): Promise<void> {
  const takeOver = flags['takeOver'] === true;
  const otherStore = flags['otherStore'] === true;
  // Whoever is taken over from has looked, when the store's disk could be read.
  if (!takeOver || otherStore) assertApart(settings);
  if (settings.baseMap !== undefined) await checkBaseMap(settings.baseMap);
  const demonstration = flags['demo'] === undefined ? undefined : await publish(settings, flags);
  // For the fronts, before anything has a link.
  process.env['PUBLIC_BASE_URL'] = settings.publicBaseUrl ?? '';
  const served = {
    ...(await useTexts(settings, demonstration?.folder)),
    timeZone: settings.timeZone ?? demonstration?.timeZone ?? DEFAULT_ZONE,
  };
  // It loads its libraries while this process loads its own.
  const { startFrontProcess } = await import('../../supervisor/front-process.js');
  const front = startFrontProcess();
  try {
    const service = await loadService();
    const defaults =
      demonstration === undefined ? await statedByDefault(served.timeZone) : undefined;
    process.exitCode = await service.serve(served, { takeOver, otherStore, defaults, front });
  } finally {
    front.kill();
  }
}

/** Only where a service is to run, because the other commands need neither the HTTP library nor the database. */
async function loadService(): Promise<{ readonly serve: typeof run }> {
  return await import('../../supervisor/supervisor.js').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const why = `run npm ci with the Node that runs the service, ${process.version} (${reason})`;
    throw new Error(`a library cannot be loaded; ${why}`, { cause });
  });
}

/** The demonstration that is the active snapshot, and where its stations stand, if that is known; undefined where another one is active. */
async function publish(
  settings: Settings,
  flags: Flags,
): Promise<{ readonly folder: string; readonly timeZone?: string } | undefined> {
  const { DEMONSTRATION, publishDemonstration } = await import('./demonstration.js');
  const folder = text(flags, 'demo').demo ?? DEMONSTRATION.folder;
  if (!(await publishDemonstration(settings, folder))) return undefined;
  return folder === DEMONSTRATION.folder ? DEMONSTRATION : { folder };
}

/** Under whose name, law and clock pages stand where no `operator.json` says so: an operator is not to find out later. */
async function statedByDefault(clock: string): Promise<Defaults | undefined> {
  // Only now: texts are read from the folder that was named before.
  const { statedOperator } = await import('../../texts/operator.js');
  const { DEFAULT_LICENSE } = await import('../../views/operator.js');
  if (statedOperator() !== undefined) return undefined;
  return {
    name: 'that of the organization in the snapshot',
    law: `the Serbian one: ${DEFAULT_LICENSE}`,
    clock,
    set_by: 'operator.json in TEXTS_DIR, and TIME_ZONE (docs/from-your-export.md)',
  };
}

/**
 * Has this process, and those that it starts, read the texts of `TEXTS_DIR`: for a demonstration without such a folder
 * those that lie beside its tables, and in English.
 */
async function useTexts(settings: Settings, demonstration: string | undefined): Promise<Settings> {
  const beside = demonstration === undefined ? undefined : join(demonstration, 'texts');
  const textsDir =
    settings.textsDir ?? (beside !== undefined && existsSync(beside) ? beside : undefined);
  if (textsDir !== undefined) (await import('./texts.js')).assertTexts(textsDir);
  // Before anything reads a text.
  process.env['TEXTS_DIR'] = textsDir === undefined ? '' : resolve(textsDir);
  const { LANGUAGES } = await import('../../texts/texts.js');
  const { defaultLanguage = demonstration === undefined ? 'sr-Latn' : 'en' } = settings;
  if (!LANGUAGES.includes(defaultLanguage)) {
    const given = JSON.stringify(defaultLanguage);
    throw new UsageError(`DEFAULT_LANGUAGE is ${given}: expected one of ${LANGUAGES.join(', ')}`);
  }
  return { ...settings, textsDir, defaultLanguage };
}

/** Before the service starts, while somebody is there to read what is wrong with the operator's map. */
async function checkBaseMap(file: string): Promise<void> {
  try {
    parseGeoJsonMap((await readRegularFile(file)).toString());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`BASE_MAP is ${JSON.stringify(file)}: ${reason}`, { cause: error });
  }
}
