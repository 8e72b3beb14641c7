/** Folders of exports with a `bura.sql`, built by the command, and its messages about refused ones. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test } from 'tap';
import { buildDocument, type BuildOptions } from '../../src/publishing/tables/build-document.js';

export type Files = Readonly<Record<string, string | Buffer>>;

type Fields = Readonly<Record<string, unknown>>;
type Row = Fields & { readonly time: string; readonly value: number | null };
type Lists = Readonly<Record<'stations' | 'components' | 'organizations', readonly Fields[]>>;
type Built = Lists & { readonly measurements: readonly Row[]; readonly notes: readonly string[] };

export async function folderOf(t: Test, files: Files): Promise<string> {
  const folder = join(t.testdir(), 'export');
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return folder;
}

export const NAMED = { organizationName: 'Agency', organizationShortName: 'AG' };

export async function build(
  t: Test,
  files: Files,
  options: Partial<BuildOptions> = {},
): Promise<Built> {
  const from = await folderOf(t, files);
  const out = join(from, '..', 'document.json');
  const { notes } = await buildDocument({ from, out, ...NAMED, ...options });
  return { ...(JSON.parse(await readFile(out, 'utf8')) as Omit<Built, 'notes'>), notes };
}

export async function refusal(
  t: Test,
  files: Files,
  options: Partial<BuildOptions> = {},
): Promise<string> {
  const here = process.cwd();
  const message = await build(t, files, options).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  t.equal(process.cwd(), here);
  t.notMatch(message, '\n', 'one line');
  t.strictSame(await readdir(t.testdirName), ['export'], 'nothing is left');
  return message;
}

export const STATIONS = `CREATE TABLE stations AS FROM (VALUES ('A', 'Alpha'), ('B', 'Beta')) AS s(station_code, station_name);`;
export const COMPONENTS = `CREATE TABLE components AS FROM (VALUES ('NO2', 'µg/m³')) AS c(short_name, unit);`;
/** A view of one measurement, with some columns changed. */
export function measurement(changed: Readonly<Record<string, string>> = {}): string {
  const columns = {
    station_code: `'A'`,
    short_name: `'NO2'`,
    value: '1.5',
    time_start_utc: `TIMESTAMP '2026-03-01 05:00'`,
    ...changed,
  };
  const selected = Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);
  return `CREATE VIEW measurements AS SELECT ${selected.join(', ')};`;
}
export function script(changed?: Readonly<Record<string, string>>): string {
  return [STATIONS, COMPONENTS, measurement(changed)].join('\n');
}
