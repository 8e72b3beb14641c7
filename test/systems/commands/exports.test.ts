/** Every script of `docs/exports`, and of three more cases: the values that another reading finds; changes are refused. */
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import t from 'tap';
import { checkGates } from '../../../src/publishing/gates.js';
import { buildDocument } from '../../../src/publishing/tables/build-document.js';
import { AGENCIES, type Reading } from '../../support/documents/agencies.js';

const SCRIPTS = 'docs/exports';
const CASES = 'test/fixtures/exports';
const EXPORTS = 'data/exports';
const READINGS = 'test/fixtures/export-readings';
const FOLDER = join(t.testdir({}), 'export');
const EXAMPLES = (await readdir(SCRIPTS)).filter((name) => name.endsWith('.sql'));

interface Export {
  /** A folder in `data/exports`, or an agency. */
  readonly name: string;
  /** Name of the script in `docs/exports` or `test/fixtures/exports`. */
  readonly script: string;
  readonly encoding?: string;
  /** The file with the measurements, and that of next month. */
  readonly file: string;
  readonly next: string;
  /** Number of lines before the first row. */
  readonly header: number;
  readonly units: Readonly<Record<string, string>>;
  readonly station: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** Found once without SQL and the service's code. */
  readonly readings: readonly Reading[];
}

const LAYOUTS = JSON.parse(await readFile(`${READINGS}/layouts.json`, 'utf8')) as Readonly<
  Record<string, Omit<Export, 'name' | 'files' | 'readings'>>
>;

async function exportOf([name, layout]: [string, (typeof LAYOUTS)[string]]): Promise<Export> {
  const files = new Map<string, Buffer>();
  for (const file of await readdir(join(EXPORTS, name))) {
    files.set(file, await readFile(join(EXPORTS, name, file)));
  }
  const lines = (await readFile(`${READINGS}/${name}.tsv`, 'utf8')).trimEnd().split('\n');
  const readings = lines.map((line) => {
    const [station = '', component = '', hour = '', value = ''] = line.split('\t');
    const hourMs = Date.parse(hour);
    return { station, component, hourMs, value: value === '' ? undefined : Number(value) };
  });
  return { ...layout, name, files, readings };
}

/** The export of the night in which clocks are put back. */
async function exportOfAgency(name: string): Promise<Export> {
  const agency = AGENCIES.find((one) => one.name === name) ?? AGENCIES[0];
  if (agency === undefined) throw new Error('no agencies');
  const { files, readings } = await agency.write(Date.UTC(2025, 9, 24, 22), 49);
  const units = Object.fromEntries(readings.map(({ component }) => [component, 'µg/m³']));
  const of = { name, script: name, encoding: agency.encoding, files, readings, header: 1, units };
  return name === 'coast'
    ? { ...of, file: 'RI1_2025.csv', next: 'RI1_2026.csv', station: 'Rijeka, Čavle' }
    : { ...of, file: 'datos_horarios.csv', next: 'datos_horarios_2.csv', station: 'Peñafiel' };
}

const ALL = [
  ...(await Promise.all(Object.entries(LAYOUTS).map(exportOf))),
  ...(await Promise.all(['coast', 'plain'].map(exportOfAgency))),
];

function textOf({ files, file, encoding = 'utf-8' }: Export): string {
  return iconv.decode(files.get(file) ?? Buffer.alloc(0), encoding);
}

type MeasuredRow = Record<'station_id' | 'component_id', number> &
  Record<'date' | 'time', string> & { readonly value: number | null };

interface BuiltDocument {
  readonly stations: readonly { station_id: number; station_code: string; station_name: string }[];
  readonly components: readonly { component_id: number; short_name: string; unit: string }[];
  readonly measurements: readonly MeasuredRow[];
}

/** The document of an export, some of whose files have other texts; or the refusal. */
async function build(
  { script, encoding, files }: Export,
  texts: Readonly<Record<string, string>> = {},
) {
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
        const land = { countries: [], isNear: () => true };
        const at = { active: undefined, nowMs: snapshot.header.generatedAtMs, land, cut };
        const [finding] = checkGates(snapshot, at).findings;
        if (finding) throw new Error(`${finding.gate}: ${finding.message}`);
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
    const [old, more] = [lines.slice(0, half), [...title, ...lines.slice(half)]];
    const later = await build(one, { [file]: old.join(''), [next]: more.join('') });
    if (typeof later === 'string') return void t.fail(later);
    t.strictSame(later.rows, built.rows, "next month's file is read");
  });
}

/** A text by its pattern, its replacement (of each such text, or of the first), and the pattern of the refusal. */
type Change = Readonly<{ from: string; to: string; everywhere?: boolean; says: string }>;
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
    const refused = async (what: string, changed: string, says: RegExp): Promise<void> => {
      if (changed === text) return void t.fail(`${what}: nothing has changed`);
      t.match(await build(one, { [one.file]: changed }), says, what);
    };
    for (const { from, to, says, everywhere = false } of CHANGES[one.script] ?? []) {
      const changed = text.replace(new RegExp(from, everywhere ? 'g' : ''), to);
      await refused(JSON.stringify([from, to]), changed, new RegExp(says));
    }
    const lines = text.split(/(?<=\n)/);
    const mark = /[;,]/.exec(lines.at(-1) ?? '')?.[0] ?? ';';
    const cells = (lines[one.header]?.split(mark).length ?? 1) - 1;
    await refused('an empty file', '', GONE);
    const empty = await build(one, { [one.next]: '' });
    t.match(empty, /^cut: |do not exist|not found/, 'another file that is empty');
    await refused('a footer', `${text}Total: 7\n`, /\.csv|Total/i);
    const footer = `Total${mark.repeat(cells)}\n`;
    await refused('a footer in cells', text + footer, /Total|no such|no time_start_utc|unit/);
    const cut = /^cut: |Error when sniffing file|not a line|stat(?:e|us) {2}at/;
    await refused('the last cell cut', text.trimEnd().slice(0, -1), cut);
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
  const found = await readdir(EXPORTS, { withFileTypes: true });
  const folders = found.flatMap((one) => (one.isDirectory() ? one.name : []));
  t.strictSame(new Set(folders), new Set(Object.keys(LAYOUTS)));
});
