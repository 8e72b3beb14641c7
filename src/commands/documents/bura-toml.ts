/** `bura.toml` beside the tables: the flags of `bura build` by their names, so that a timer needs to say only where they are. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { parse, TomlError } from 'smol-toml';
import { FileError, systemCode } from '../../snapshot/document/file-error.js';
import { isRepeatable, ownOptions, UsageError, type Flags } from '../command.js';

export const SETTINGS_FILE = 'bura.toml';

/**
 * The flags of a folder's `bura.toml`; none where there is no such file.
 *
 * Those that were given on the command line are left out. Flags that may be repeated are arrays; those of the form `a=b` may be tables. `out` is a path from the folder.
 *
 * @throws {UsageError} naming the file, and what no flag takes.
 */
export async function readSettingsFile(folder: string, command: Command): Promise<Flags> {
  const path = join(folder, SETTINGS_FILE);
  const source = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return '';
    throw new FileError(`read ${path}`, error);
  });
  const flags: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parseToml(source))) {
    const option = ownOptions(command).find(({ long }) => long === `--${key}`);
    const refuse = (expected: string): never => {
      throw new UsageError(`${SETTINGS_FILE}: ${key}: expected ${expected}`);
    };
    if (option === undefined || key === 'from' || key === 'explain') {
      throw new UsageError(`${SETTINGS_FILE}: there is no flag --${key} of bura build`);
    }
    const name = option.attributeName();
    if (command.getOptionValueSource(name) === 'cli') continue;
    const isList = isRepeatable(option);
    if (option.isBoolean())
      flags[name] = value === true || value === false ? value : refuse('true or false');
    else if (isList) flags[name] = listOf(value) ?? refuse('an array of texts, or a table of them');
    else if (typeof value !== 'string' && typeof value !== 'number') refuse('a text');
    else if (option.argChoices?.includes(String(value)) === false)
      refuse(`one of ${option.argChoices.join(', ')}`);
    else flags[name] = key === 'out' ? resolve(folder, String(value)) : String(value);
  }
  return flags;
}

function parseToml(source: string): Record<string, unknown> {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.split('\n');
    throw new UsageError(`${SETTINGS_FILE}, line ${error.line}: ${what}`, { cause: error });
  }
}

/** `["a=b"]` and `{ a = "b" }` → `a=b`; undefined for anything else. */
function listOf(value: unknown): readonly string[] | undefined {
  const isPlain = (one: unknown) => typeof one === 'string' || typeof one === 'number';
  if (isPlain(value)) return [String(value)];
  if (Array.isArray(value)) return value.every(isPlain) ? value.map(String) : undefined;
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined;
  const members = Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    // `[column.stations]`
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.entries(one).map(([name, inner]): [string, unknown] => [`${key}.${name}`, inner])
      : [[key, Array.isArray(one) ? one.join(',') : one] as [string, unknown]],
  );
  return members.every(([, one]) => isPlain(one))
    ? members.map(([key, one]) => `${key}=${String(one)}`)
    : undefined;
}
