/** `bura serve`: runs the service, after publishing the demonstration where requested. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorFiles } from '../../supervisor/operator-files.js';
import type { Defaults, serve as run } from '../../supervisor/supervisor.js';
import { systemCode } from '../../files/file-error.js';
import { readRegularFile } from '../../files/regular-file.js';
import { TEXTS_COPY } from '../../texts/text-files.js';
import { parseGeoJsonMap } from '../../views/pages/map/geojson-map.js';
import { assertApart, type Settings } from '../../settings.js';
import { text, UsageError, type Flags } from '../command.js';
import { timeZoneOf } from '../time-zone.js';
import { messageOf } from '../../snapshot/domain/snapshot-error.js';

/** Resolves with the exit code when the service has ended. */
export async function serve(settings: Settings, flags: Flags): Promise<void> {
  assertApart(settings);
  const files = new OperatorFiles(join(resolve(settings.localDir), settings.keyPrefix));
  const mapCopy = settings.baseMap && (await readBaseMap(settings.baseMap, files));
  const demonstration = flags['demo'] === undefined ? undefined : await publish(settings, flags);
  // Set for the fronts, before links are made.
  process.env['PUBLIC_BASE_URL'] = settings.publicBaseUrl ?? '';
  const used = await useFiles(settings, { files, mapCopy }, demonstration?.folder);
  const served = { ...used, timeZone: await timeZoneOf(used, demonstration?.timeZone) };
  // The front loads its libraries in parallel with this process.
  const { startFrontProcess } = await import('../../supervisor/front-process.js');
  const front = startFrontProcess();
  try {
    const service = await loadService();
    const defaults =
      demonstration === undefined ? await statedByDefault(served.timeZone) : undefined;
    process.exitCode = await service.serve(served, { defaults, front });
  } finally {
    front.process.kill();
  }
}

/** Loaded for a service only: other commands need neither HTTP library nor database. */
async function loadService(): Promise<{ readonly serve: typeof run }> {
  return await import('../../supervisor/supervisor.js').catch((cause: unknown) => {
    const reason = messageOf(cause);
    const why = `run npm ci with the Node that runs the service, ${process.version} (${reason})`;
    throw new Error(`a library cannot be loaded; ${why}`, { cause });
  });
}

/** Publishes the demonstration. @returns its folder and time zone if known; undefined if no demonstration is active. */
async function publish(
  settings: Settings,
  flags: Flags,
): Promise<{ readonly folder: string; readonly timeZone?: string } | undefined> {
  const { DEMONSTRATION, publishDemonstration } = await import('./demonstration.js');
  const folder = text(flags, 'demo').demo ?? DEMONSTRATION.folder;
  if (!(await publishDemonstration(settings, folder))) return undefined;
  return folder === DEMONSTRATION.folder ? DEMONSTRATION : { folder };
}

/** The name, law and clock of pages without an `operator.json`, for the log. */
async function statedByDefault(clock: string): Promise<Defaults | undefined> {
  // Loaded only now, as the module reads texts from the folder that `useFiles` has set.
  const { statedOperator } = await import('../../texts/operator.js');
  const { DEFAULT_LICENSE } = await import('../../views/operator-links.js');
  if (statedOperator() !== undefined) return undefined;
  return {
    name: 'that of the organization in the snapshot',
    law: `the Serbian one: ${DEFAULT_LICENSE}`,
    clock,
    set_by: 'operator.json in TEXTS_DIR, and TIME_ZONE (docs/from-your-export.md)',
  };
}

/** Copies texts and base map for this process and its children. A demonstration may have texts beside its tables. */
async function useFiles(
  settings: Settings,
  { files, mapCopy }: { readonly files: OperatorFiles; readonly mapCopy: string | undefined },
  demonstration: string | undefined,
): Promise<Settings> {
  const beside = demonstration === undefined ? undefined : join(demonstration, 'texts');
  const textsDir =
    settings.textsDir ?? (beside !== undefined && existsSync(beside) ? beside : undefined);
  const textsCopy = textsDir && takeFolder(textsDir, files);
  // An unwritable directory is reported by the lock later; with a full disk the service starts.
  const isCopied = await files.write().then(
    () => true,
    () => false,
  );
  const folder = isCopied ? (textsCopy ?? textsDir) : textsDir;
  process.env[TEXTS_COPY] = folder === undefined ? '' : resolve(folder);
  if (textsDir !== undefined) (await import('./texts-command.js')).assertTexts(textsDir, folder);
  const baseMap = isCopied ? mapCopy : settings.baseMap;
  const { LANGUAGES, offered } = await import('../../texts/texts.js');
  const { defaultLanguage = offered(demonstration === undefined ? 'sr-Latn' : 'en') } = settings;
  if (!LANGUAGES.includes(defaultLanguage)) {
    const given = JSON.stringify(defaultLanguage);
    throw new UsageError(`DEFAULT_LANGUAGE is ${given}: expected one of ${LANGUAGES.join(', ')}`);
  }
  return { ...settings, textsDir, baseMap, defaultLanguage };
}

/** Path of the folder's copy; undefined where the check of the folder will report its fault. */
function takeFolder(folder: string, files: OperatorFiles): string | undefined {
  try {
    return files.takeFolder(folder);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Checks the operator's base map before the service starts. @returns the path of its copy. */
async function readBaseMap(file: string, files: OperatorFiles): Promise<string> {
  try {
    const bytes = await readRegularFile(file);
    parseGeoJsonMap(bytes.toString());
    return files.takeFile(bytes);
  } catch (error) {
    const reason = messageOf(error);
    throw new UsageError(`BASE_MAP is ${JSON.stringify(file)}: ${reason}`, { cause: error });
  }
}
