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
import { runBura } from '../../support/service/command.js';

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
  /** A text of the file of measurements, and its replacement. */
  readonly from: string | RegExp;
  readonly to: string;
  /** The refusal. */
  readonly says: RegExp;
}

const GONE = /do not exist|not found|no such (?:short_name|station_code)/;
const OLD = /time_start_utc is (?:before 1900|not a whole hour)|shows only once/;

/** By script: a column renamed, and another unit where the file says one. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  uba: [
    { from: ';Date;', to: ';Datum;', says: GONE },
    { from: /(Nitrogen [^;]*) in µg/, to: '$1 in ppb', says: /"Nitrogen .* no matching entry/ },
    { from: '2022-10-30 01:00', to: '2022-10-30 00:00', says: /Expected a number/ },
    { from: /\n[^\n]*03:00'";9;[^\n]*/, to: '', says: /one row of two: 2022-10-30 02:00/ },
    { from: /;13;good/, to: ';good', says: /not a line of measurements: DENW095/ },
    { from: /2022-/g, to: '22-', says: /not an hour/ },
  ],
  'buenos-aires': [
    { from: 'co_la_boca', to: 'monoxido_la_boca', says: GONE },
    { from: 'co_la_boca', to: 'co_boca', says: GONE },
    { from: '-20,24,', to: '-20,0,', says: /Expected a number/ },
    { from: '0.39', to: 'x', says: /value is not a number.*la_boca/ },
    { from: /2019-/g, to: '19-', says: OLD },
  ],
  'two-decimal-marks': [
    { from: 'hora,co', to: 'hora,co2', says: GONE },
    { from: '0.52', to: '0;52', says: /line: 2\b.*0;52/i },
  ],
  ostluft: [
    { from: 'Startzeit', to: 'Endzeit', says: /not the one of Startzeit/ },
    { from: /\n/, to: '\n;\n', says: /Error when sniffing|not the one of Startzeit/ },
    { from: 'p;PM10;', to: 'p;Staub;', says: /Staub in µg/ },
    { from: 'CO;CO;', to: 'CO neu;CO;', says: /CO neu in mg/ },
    { from: ';mg/m3;', to: ';µg/m3;', says: /CO in µg\/m3/ },
    { from: ';mg/m3;', to: ';mg/Nm3;', says: /CO in mg\/Nm3/ },
    { from: /\.2013/g, to: '.13', says: OLD },
  ],
  inmet: [
    { from: 'Hora UTC', to: 'Hora', says: GONE },
    { from: 'HORARIA (m/s)', to: 'HORARIA (km/h)', says: GONE },
    { from: 'ALTITUDE:;1160,96\n', to: '', says: GONE },
    { from: '(WMO):;A001', to: '(WMO):;A002', says: /no such station_code.*A002/ },
    { from: /\n2026/g, to: '\n26', says: OLD },
  ],
  laqn: [
    { from: 'Status', to: 'Provisional or Ratified', says: GONE },
    { from: 'ug m-3', to: 'ppb', says: /unit ppb of NO2/ },
    { from: ',X\n', to: ',?\n', says: /status \? at 20\/10\/2018/ },
    { from: /\/2018/g, to: '/18', says: OLD },
  ],
  openaq: [
    { from: /[+]02:00/g, to: '', says: /Could not parse string/ },
    { from: ';Unit;', to: ';Units;', says: GONE },
    { from: 'µg/m³;228.99', to: 'ppm;228.99', says: /short_name CO appears twice/ },
  ],
  airparif: [
    { from: 'date;heure', to: 'date;hour', says: GONE },
    { from: ';NO2;', to: ';Azote;', says: /a column Azote/ },
    { from: ';NO2;', to: ';;', says: /a column column/ },
    { from: /;;micro.*\n/, to: '', says: /no such short_name/ },
    { from: /\n(;;.*)/, to: '\n$1\n;;ppb;ppb;ppb;ppb;ppm', says: /appears twice/ },
    { from: /\/2017/g, to: '/17', says: OLD },
  ],
  'windows-1251': [
    { from: 'PM10', to: 'PM2.5', says: GONE },
    { from: /2026-/g, to: '26-', says: OLD },
  ],
  'two-encodings': [
    { from: 'Zeit', to: 'Datum', says: GONE },
    { from: '(µg/m³)', to: '(ppb)', says: GONE },
    { from: /\.2013/g, to: '.13', says: OLD },
  ],
  coast: [
    { from: 'Sat', to: 'Ura', says: GONE },
    { from: 'NO2 (µg/m3)', to: 'NO2 (ppb)', says: GONE },
    { from: /\n26.10.2025;3;[^\n]*/, to: '', says: /one row of two: 2025-10-26 02:00/ },
    { from: /\.2025/g, to: '.25', says: OLD },
  ],
  plain: [
    { from: 'Estado', to: 'Validez', says: GONE },
    { from: ';µg/m³;V', to: ';mg/m³;V', says: /unit mg\/m³ of/ },
    { from: /;V\r/, to: ';B\r', says: /state B at/ },
    { from: /\/2025/g, to: '/25', says: OLD },
  ],
};

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
    for (const { from, to, says } of CHANGES[one.script] ?? []) {
      await refused(JSON.stringify([String(from), to]), text.replace(from, to), says);
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

void t.test('the command reads an export', async (t) => {
  const root = t.testdir();
  const one = ALL.find(({ script }) => script === 'ostluft');
  for (const [name, bytes] of one?.files ?? []) await writeFile(join(root, name), bytes);
  await cp(join(SCRIPTS, 'ostluft.sql'), join(root, 'bura.sql'));
  const env = { SNAPSHOT_STORE: `file:${join(root, 'store')}`, LOCAL_DIR: join(root, 'local') };
  const words = ['build', '--from', root, '--encoding', one?.encoding ?? ''];
  const { code, stdout, stderr } = await runBura(words, { env });
  t.equal(code, 0, stderr);
  t.match(stdout, /snapshot\.json\.gz: 20130101T110000Z-\S+, 72 rows/);
});

void t.test('each script has its export, and each export its script', async (t) => {
  const scripts = [...EXAMPLES, ...(await readdir(CASES))];
  t.strictSame(new Set(scripts), new Set(ALL.map(({ script }) => `${script}.sql`)));
  const folders = await readdir(EXPORTS, { withFileTypes: true });
  t.strictSame(
    new Set(folders.filter((one) => one.isDirectory()).map(({ name }) => name)),
    new Set(LAYOUTS.map(({ folder }) => folder)),
  );
});
