/**
 * Every script of `docs/exports`, and of three more cases, on its export: the values and hours that another reading
 * finds; a changed export is refused, or read right.
 */
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import t from 'tap';
import { checkGates } from '../../../src/publishing/gates.js';
import { buildDocument } from '../../../src/publishing/tables/build-document.js';
import { AGENCIES, type Reading } from '../../support/documents/agencies.js';
import { LAYOUTS, type Layout } from '../support/export-layouts.js';

const SCRIPTS = 'docs/exports';
const CASES = 'test/fixtures/exports';
const EXPORTS = 'data/exports';
const FOLDER = join(t.testdir({}), 'export');

const EXAMPLES = (await readdir(SCRIPTS)).filter((name) => name.endsWith('.sql'));

interface Export extends Omit<Layout, 'folder' | 'header' | 'read'> {
  readonly name: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** Lines of the file of measurements before its first row. */
  readonly header: number;
  readonly readings: readonly Reading[];
}

async function exportOf({ folder, read, ...layout }: Layout): Promise<Export> {
  const path = join(EXPORTS, folder);
  const files = new Map<string, Buffer>();
  for (const name of await readdir(path)) files.set(name, await readFile(join(path, name)));
  const text = textOf({ ...layout, files });
  return { ...layout, name: folder, files, readings: read(text.trimEnd().split(/\r?\n/)) };
}

/** The export of the night in which clocks are put back. */
async function exportOfAgency(name: string): Promise<Export> {
  const agency = AGENCIES.find((one) => one.name === name) ?? AGENCIES[0];
  if (agency === undefined) throw new Error('no agencies');
  const { files, readings } = await agency.write(Date.UTC(2025, 9, 24, 22), 49);
  const components = [...new Set(readings.map(({ component }) => component))];
  return {
    name,
    script: name,
    encoding: agency.encoding,
    files,
    readings,
    header: 1,
    ...(name === 'coast'
      ? { file: 'RI1_2025.csv', next: 'RI1_2026.csv', station: 'Rijeka, Čavle' }
      : { file: 'datos_horarios.csv', next: 'datos_horarios_2.csv', station: 'Peñafiel' }),
    units: Object.fromEntries(components.map((one) => [one, 'µg/m³'])),
  };
}

const ALL = [
  ...(await Promise.all(LAYOUTS.map(exportOf))),
  ...(await Promise.all(['coast', 'plain'].map(exportOfAgency))),
];

/** The text of the file of measurements. */
function textOf({ files, file, encoding = 'utf-8' }: Pick<Export, 'files' | 'file' | 'encoding'>) {
  return iconv.decode(files.get(file) ?? Buffer.alloc(0), encoding);
}

interface Built {
  readonly rows: ReadonlyMap<string, number | null>;
  readonly units: Readonly<Record<string, string>>;
  readonly stations: readonly string[];
  readonly notes: readonly string[];
}

interface BuiltDocument {
  readonly stations: readonly { station_id: number; station_code: string; station_name: string }[];
  readonly components: readonly { component_id: number; short_name: string; unit: string }[];
  readonly measurements: readonly {
    readonly station_id: number;
    readonly component_id: number;
    readonly date: string;
    readonly time: string;
    readonly value: number | null;
  }[];
}

/** The document of an export, some of whose files have other texts; or the refusal. */
async function build(
  { script, encoding, files }: Export,
  texts: Readonly<Record<string, string>> = {},
): Promise<Built | string> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER);
  for (const [name, bytes] of files) await writeFile(join(FOLDER, name), bytes);
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(FOLDER, name), iconv.encode(text, encoding ?? 'utf-8'));
  }
  const folder = EXAMPLES.includes(`${script}.sql`) ? SCRIPTS : CASES;
  await cp(join(folder, `${script}.sql`), join(FOLDER, 'bura.sql'));
  const out = join(FOLDER, 'document.json');
  try {
    const { notes } = await buildDocument({
      from: FOLDER,
      out,
      ...(encoding !== undefined && { encoding }),
      // The gates of the command, at the time of the newest hour.
      async passGates(snapshot, cut) {
        const nowMs = snapshot.header.generatedAtMs;
        const { findings } = checkGates(snapshot, {
          active: undefined,
          nowMs,
          land: { countries: [], isNear: () => true },
          cut,
        });
        if (findings[0]) throw new Error(`${findings[0].gate}: ${findings[0].message}`);
      },
    });
    const document = JSON.parse(await readFile(out, 'utf8')) as BuiltDocument;
    const codes = new Map(document.stations.map((one) => [one.station_id, one.station_code]));
    const names = new Map(document.components.map((one) => [one.component_id, one.short_name]));
    const rows = document.measurements.map((row): [string, number | null] => [
      `${codes.get(row.station_id)} ${names.get(row.component_id)} ${row.date}T${row.time}Z`,
      row.value,
    ]);
    return {
      rows: sorted(rows),
      units: Object.fromEntries(document.components.map((one) => [one.short_name, one.unit])),
      stations: document.stations.map((one) => one.station_name),
      notes,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sorted(rows: readonly [string, number | null][]): ReadonlyMap<string, number | null> {
  return new Map(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function expected(readings: readonly Reading[]): ReadonlyMap<string, number | null> {
  return sorted(
    readings.map(({ station, component, hourMs, value = null }) => {
      const hour = new Date(hourMs).toISOString().replace(':00.000Z', 'Z');
      return [`${station} ${component} ${hour}`, value];
    }),
  );
}

for (const one of ALL) {
  void t.test(`reads ${one.name}`, async (t) => {
    const built = await build(one);
    if (typeof built === 'string') return void t.fail(built);
    t.strictSame(built.rows, expected(one.readings));
    t.equal(built.rows.size, one.readings.length, 'each hour once');
    t.strictSame(built.units, one.units);
    t.ok(built.stations.includes(one.station), built.stations.join('; '));
    t.strictSame(built.notes, [], 'every file was read');
    const { header, file, next } = one;
    const lines = textOf(one).split(/(?<=\n)/);
    const half = header + Math.floor((lines.length - header) / 2);
    const title = lines.slice(0, header);
    const later = await build(one, {
      [file]: lines.slice(0, half).join(''),
      [next]: [...title, ...lines.slice(half)].join(''),
    });
    if (typeof later === 'string') return void t.fail(later);
    t.strictSame(later.rows, built.rows, "next month's file is read");
  });
}

interface Change {
  /** The pattern of a text in the file of measurements, and its replacement. */
  readonly from: string;
  readonly to: string;
  /** Whether every such text is replaced; default: the first. */
  readonly everywhere?: boolean;
  /** The pattern of the refusal. */
  readonly says: string;
}

const GONE = /do not exist|not found|no such (?:short_name|station_code)/;

/** By script: a column renamed, another unit where the file says one, and other changes. */
const CHANGES = JSON.parse(
  await readFile('test/fixtures/cases/changed-exports.json', 'utf8'),
) as Readonly<Record<string, readonly Change[]>>;

/** Agencies whose clock shows an hour twice, so that the order of rows matters. */
const LOCAL = new Set(['uba', 'windows-1251', 'coast', 'plain']);

const seen = new Set<string>();
for (const one of ALL) {
  if (seen.has(one.script)) continue;
  seen.add(one.script);
  void t.test(`what ${one.script}.sql says of a file that is not what it was`, async (t) => {
    const text = textOf(one);
    const right = expected(one.readings);
    const refused = async (
      what: string,
      changed: string,
      says: RegExp,
      empty?: string,
    ): Promise<void> => {
      if (changed === text && empty === undefined)
        return void t.fail(`${what}: nothing has changed`);
      const built = await build(one, { [one.file]: changed, ...(empty && { [empty]: '' }) });
      t.match(built, says, what);
      t.comment(`${what}: ${typeof built === 'string' ? built.slice(0, 200) : 'read'}`);
    };
    for (const { from, to, says, everywhere = false } of CHANGES[one.script] ?? []) {
      const changed = text.replace(new RegExp(from, everywhere ? 'g' : ''), to);
      await refused(JSON.stringify([from, to]), changed, new RegExp(says));
    }
    const lines = text.split(/(?<=\n)/);
    const mark = /[;,]/.exec(lines.at(-1) ?? '')?.[0] ?? ';';
    const cells = (lines[one.header]?.split(mark).length ?? 1) - 1;
    await refused('an empty file', '', GONE);
    await refused('another file that is empty', text, /^cut: |do not exist|not found/, one.next);
    await refused('a footer', `${text}Total: 7\n`, /\.csv|Total/i);
    await refused(
      'a footer in cells',
      `${text}Total${mark.repeat(cells)}\n`,
      /Total|no such|no time_start_utc|unit/,
    );
    await refused(
      'the last cell cut',
      text.trimEnd().slice(0, -1),
      /^cut: |Error when sniffing file|not a line|stat(?:e|us) {2}at/,
    );
    const [titles, rows] = [lines.slice(0, one.header), lines.slice(one.header)];
    const isRefused = async (what: string, changed: string): Promise<void> =>
      void t.type(await build(one, { [one.file]: changed }), 'string', what);
    await isRefused('every row twice', [...titles, ...rows, ...rows].join(''));
    await isRefused('a page of a web server', '<html>\n<body>502 Bad Gateway</body>\n</html>\n');
    if (!LOCAL.has(one.script)) return;
    for (const [what, left] of Object.entries({
      'no rows': [],
      'a row fewer': rows.slice(0, -1),
      'newest first': rows.toReversed(),
    })) {
      const built = await build(one, { [one.file]: [...titles, ...left].join('') });
      const read = typeof built === 'string' ? [] : [...built.rows];
      const wrong = read.filter(([row, value]) => right.get(row) !== value);
      t.strictSame(wrong, [], `nothing wrong: ${what}`);
    }
  });
}

void t.test('each script has its export, and each export its script', async (t) => {
  const scripts = [...EXAMPLES, ...(await readdir(CASES))];
  t.strictSame(new Set(scripts), new Set(ALL.map(({ script }) => `${script}.sql`)));
  const folders = await readdir(EXPORTS, { withFileTypes: true });
  t.strictSame(
    new Set(folders.filter((one) => one.isDirectory()).map(({ name }) => name)),
    new Set(LAYOUTS.map(({ folder }) => folder)),
  );
});
