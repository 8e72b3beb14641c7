/** Building documents from tables with a layout of their own: local times back to the hours that they were written from, and what is refused. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { buildDocument } from '../../../src/publishing/tables/build-document.js';
import type { TableLayout } from '../../../src/publishing/tables/layout/table-layout.js';
import type { TableOptions as Tables } from '../../../src/publishing/tables/table-options.js';
import { scaled } from '../../support/faults/chance.js';

const HOUR_MS = 3_600_000;

const STATIONS = `station_id,station_name,station_code
1,Kikinda Centar,RS1002A
2,"Novi Sad, SPENS",RS1007A
3,Deliblatska peščara,2
4,Obrenovac,RS1099A
`;
const COMPONENTS = 'component_id,short_name,unit\n1,SO2,ug.m-3\n5,PM10,ug.m-3\n';

/** A layout, and what is said of all tables. */
type Layout = TableLayout & Partial<Pick<Tables, 'missing' | 'delimiter' | 'decimalComma'>>;

const BELGRADE = {
  timeColumn: 'date_time',
  stationColumn: 'station',
  timeZone: 'Europe/Belgrade',
  hourMarks: 'start',
  components: new Map([
    ['pm10', 5],
    ['SO2 (µg/m³)', 1],
  ]),
  ignoredColumns: [],
} satisfies Layout;

interface Place {
  readonly from: string;
  readonly out: string;
}

/** A folder with the lists, and where a document may go. */
function place(t: Test): Place {
  const from = t.testdir({ 'stations.csv': STATIONS, 'components.csv': COMPONENTS });
  return { from, out: join(from, 'document.json') };
}

/** Rows as `station component YYYY-MM-DD HH:MM value`, in their order. */
async function rowsOf(
  { from, out }: Place,
  { missing, delimiter, decimalComma, ...layout }: Layout,
  tables: Partial<Tables> = {},
): Promise<readonly string[]> {
  await buildDocument({
    from,
    out,
    organizationName: 'Agencija',
    organizationShortName: 'SEPA',
    generatedAt: '2026-02-09T00:00:00Z',
    layout,
    tables: {
      ...tables,
      ...(missing && { missing }),
      ...(delimiter && { delimiter }),
      ...(decimalComma && { decimalComma }),
    },
  });
  const [, rows = ''] = (await readFile(out, 'utf8')).split('"measurements":[');
  const row =
    /\{"station_id":(\d+),"component_id":(\d+),"date":"([^"]+)","time":"([^"]+)","value":([^}]+)\}/g;
  return [...rows.matchAll(row)].map((found) => found.slice(1).join(' '));
}

/** What building a table ends with: its rows, or the message of the refusal. */
async function outcome(
  t: Test,
  table: string,
  changes: Partial<Layout> = {},
): Promise<readonly string[] | string> {
  const folder = place(t);
  await writeFile(join(folder.from, 'measurements.csv'), table);
  return await rowsOf(folder, { ...BELGRADE, ...changes }).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
}

/** A table of one station with a value for each time, 1, 2, 3... */
function table(...times: readonly string[]): string {
  const lines = times.map((time, index) => `RS1002A,${time},${index + 1},\n`);
  return `station,date_time,pm10,SO2 (µg/m³)\n${lines.join('')}`;
}

/** The hours of its rows, by value. */
async function hours(
  t: Test,
  times: readonly string[],
  changes: Partial<Layout> = {},
): Promise<readonly string[] | string> {
  const rows = await outcome(t, table(...times), changes);
  if (typeof rows === 'string') return rows;
  return rows
    .map((row) => row.split(' '))
    .sort(([, , , , a], [, , , , b]) => Number(a) - Number(b))
    .map(([, , date = '', time = '']) => `${date.slice(5)} ${time}`);
}

/** The offset of a zone, as ISO 8601 has it, and its local time; by the words for people that `Intl` has. */
function localTime(epochMs: number, timeZone: string): { time: string; offset: string } {
  // Swedish dates are those of ISO 8601.
  const time = new Date(epochMs).toLocaleString('sv-SE', { timeZone });
  const offsetMinutes = (Date.parse(`${time.replace(' ', 'T')}Z`) - epochMs) / 60_000;
  const absolute = Math.abs(offsetMinutes);
  const digits = [Math.floor(absolute / 60), absolute % 60].map((n) => String(n).padStart(2, '0'));
  return { time, offset: `${offsetMinutes < 0 ? '-' : '+'}${digits.join(':')}` };
}

/** Zones that change by an hour, by two, by half an hour, in another month, not at all, and in one with odd minutes. */
const ZONES = [
  ...['Europe/Belgrade', 'America/New_York', 'Antarctica/Troll', 'Australia/Lord_Howe'],
  ...['Africa/Casablanca', 'UTC', 'Etc/GMT-1', 'Asia/Kathmandu', 'Asia/Kolkata'],
];

/** Cells of the station and the id that each means: a code, a name, an id. */
const NAMES = [
  ['RS1007A', 2],
  ['Deliblatska peščara', 3],
  ['1', 1],
] as const;

/** Days on or before which clocks change somewhere, and one on which they do not. */
const DAYS = [
  ...['2025-10-26', '2026-03-29', '2025-11-02', '2026-03-08', '2026-04-05', '2025-10-05'],
  ...['2026-02-15', '2026-03-22', '2026-01-10'],
];

type Write = (local: { time: string; offset: string }) => string;
const FORMATS: readonly Write[] = [
  ({ time }) => time.slice(0, 16),
  ({ time }) => time.replace(' ', 'T'),
  ({ time }) => `${time}.000`,
  ({ time }) => `${time.slice(0, 10).split('-').reverse().join('.')} ${time.slice(11, 16)}`,
  ({ time }) => `${time.slice(0, 10).split('-').reverse().join('.')}. ${time.slice(11)}`,
  ({ time, offset }) => `${time.slice(0, 16)}${offset}`,
  ({ time, offset }) => `${time} ${offset.replace(':', '')}`,
];

const TABLES = fc.record({
  zone: fc.constantFrom(...ZONES),
  day: fc.constantFrom(...DAYS),
  before: fc.integer({ min: 14, max: 40 }),
  after: fc.integer({ min: 12, max: 40 }),
  write: fc.constantFrom(...FORMATS),
  hourMarks: fc.constantFrom('start' as const, 'end' as const),
  falling: fc.boolean(),
  byHour: fc.boolean(),
  comma: fc.boolean(),
  delimiter: fc.constantFrom(',', ';', '\t'),
  gzip: fc.boolean(),
  cells: fc.array(fc.constantFrom('', 'n/a', '-999', '-999.00', '12.50', '-0.125', '7', '1e2'), {
    minLength: 1,
    maxLength: 12,
  }),
});

type TableOptions = typeof TABLES extends fc.Arbitrary<infer Options> ? Options : never;

/** A table, and the rows that it holds. */
function writeTable(options: TableOptions): { text: string; expected: readonly string[] } {
  const { zone, before, after, hourMarks, comma, delimiter, cells } = options;
  const middle = Date.parse(`${options.day}T00:00:00Z`) / HOUR_MS;
  const range = Array.from({ length: before + after }, (_, at) => middle - before + at);
  if (options.falling) range.reverse();
  const pairs = options.byHour
    ? range.flatMap((hour) => NAMES.map((station) => ({ hour, station })))
    : NAMES.flatMap((station) => range.map((hour) => ({ hour, station })));
  const expected: string[] = [];
  const lines = pairs.map(({ hour, station: [name, id] }, at) => {
    const utc = new Date(hour * HOUR_MS).toISOString().slice(0, 16).replace('T', ' ');
    const marked = (hour + (hourMarks === 'end' ? 1 : 0)) * HOUR_MS;
    const values = [5, 1].map((component, column) => {
      const value = cells[(at * 2 + column) % cells.length] ?? '';
      const isMissing = ['', 'n/a', '-999', '-999.00'].includes(value);
      if (!isMissing) expected.push(`${id} ${component} ${utc} ${value}`);
      return comma ? value.replace('.', ',') : value;
    });
    return [name, options.write(localTime(marked, zone)), 'x', ...values];
  });
  const all = [['station', 'date_time', 'note', 'pm10', 'SO2 (µg/m³)'], ...lines];
  const rows = all.map((row) => row.map((cell) => `"${cell}"`).join(delimiter));
  return { text: `\ufeff${rows.join('\r\n')}\r\n`, expected };
}

void t.test('rows written in local time come back as the hours of UTC', async (t) => {
  const folder = place(t);
  await fc.assert(
    fc.asyncProperty(TABLES, async (options) => {
      const { text, expected } = writeTable(options);
      const names = ['measurements.csv', 'measurements.csv.gz'];
      for (const name of names) await rm(join(folder.from, name), { force: true });
      const [plain = '', gzip = ''] = names;
      if (options.gzip) await writeFile(join(folder.from, gzip), gzipSync(text));
      else await writeFile(join(folder.from, plain), text);
      const rows = await rowsOf(folder, {
        ...BELGRADE,
        timeZone: options.zone,
        hourMarks: options.hourMarks,
        delimiter: options.delimiter,
        decimalComma: options.comma,
        ignoredColumns: ['note'],
        missing: ['n/a', '-999'],
      });
      t.strictSame([...rows].sort(), [...expected].sort());
    }),
    { numRuns: scaled(10) },
  );
});

const OCTOBER = ['01:00', '02:00', '02:00', '03:00'].map((time) => `2025-10-26 ${time}`);

void t.test('in October an hour that is there twice is two hours', async (t) => {
  const utc = ['10-25 23:00', '10-26 00:00', '10-26 01:00', '10-26 02:00'];
  t.strictSame(await hours(t, OCTOBER), utc);
  t.strictSame(await hours(t, [...OCTOBER].reverse()), [...utc].reverse(), 'newest first');
  t.strictSame(await hours(t, OCTOBER.slice(1)), utc.slice(1), 'the hour after tells');
  t.strictSame(await hours(t, OCTOBER.slice(0, 3)), utc.slice(0, 3), 'the hour before tells');
  t.strictSame(await hours(t, OCTOBER, { ambiguousHours: 'first' }), utc, 'nothing to choose');
  const named = ['+02:00', '+02', '+0100', '+01:00'].map((one, at) => `${OCTOBER[at] ?? ''}${one}`);
  const shuffled = [2, 0, 3, 1];
  t.strictSame(
    await hours(
      t,
      shuffled.map((at) => named[at] ?? ''),
    ),
    shuffled.map((at) => utc[at]),
    'offsets need no order',
  );
});

void t.test('in October one hour of two is what the flag says', async (t) => {
  const [one = '', two = '', , three = ''] = OCTOBER;
  const night = [one, two, three];
  t.equal(
    await hours(t, night),
    'measurements.csv, line 3, column date_time: clocks were put back over this hour, and the table has it once: ' +
      'say --ambiguous-hours first or second, got "2025-10-26 02:00"',
  );
  t.match(await hours(t, night, { ambiguousHours: 'refuse' }), /line 3, .*has it once/);
  t.match(await hours(t, night.slice(0, 2)), /line 3, .*has it once/, 'also where the table ends');
  t.strictSame(await hours(t, night, { ambiguousHours: 'first' }), [
    ...['10-25 23:00', '10-26 00:00', '10-26 02:00'],
  ]);
  t.strictSame(await hours(t, night, { ambiguousHours: 'second' }), [
    ...['10-25 23:00', '10-26 01:00', '10-26 02:00'],
  ]);
});

void t.test('in October nothing is guessed where the rows are in no order', async (t) => {
  const [one = '', two = '', , three = ''] = OCTOBER;
  const unordered = /line \d, column date_time: clocks were put back .* not in the order of time/;
  for (const night of [
    [two, two],
    [three, two, two, three.replace('26', '27')],
    [one, two, two, one.replace('26', '25')],
  ]) {
    t.match(await hours(t, night), unordered, night.join());
    t.match(await hours(t, night, { ambiguousHours: 'first' }), unordered, night.join());
  }
  t.match(await hours(t, [one, two, two, two, three]), /line 5, .*here it is a third time/);
  t.match(
    await hours(t, [one, two, three, two], { ambiguousHours: 'second' }),
    /^measurements\.csv, line 5, column date_time: repeats station 1, 2025-10-26 01:00 UTC$/,
  );
});

void t.test('in March there is no hour that clocks were put forward over', async (t) => {
  const night = ['01:00', '03:00', '04:00'].map((time) => `2026-03-29 ${time}`);
  t.strictSame(await hours(t, night), ['03-29 00:00', '03-29 01:00', '03-29 02:00']);
  t.strictSame(
    await hours(t, night, { hourMarks: 'end' }),
    ['03-28 23:00', '03-29 00:00', '03-29 01:00'],
    'what ends at 03:00 began at 01:00',
  );
  t.equal(
    await hours(t, [...night, '2026-03-29 02:00']),
    'measurements.csv, line 5, column date_time: expected a time that there was, got "2026-03-29 02:00": ' +
      'clocks in Europe/Belgrade were put forward over it',
  );
  const standard = ['01:00', '02:00', '03:00'].map((time) => `2026-03-29 ${time}`);
  t.strictSame(
    await hours(t, standard, { timeZone: 'Etc/GMT-1' }),
    ['03-29 00:00', '03-29 01:00', '03-29 02:00'],
    'a logger that keeps winter time has it',
  );
});

void t.test('hours that begin within an hour of UTC are refused', async (t) => {
  // Lord Howe Island puts its clocks back by half an hour, from +11:00 to +10:30.
  const island = { timeZone: 'Australia/Lord_Howe' };
  t.strictSame(await hours(t, ['2026-04-05 01:00', '2026-04-05 01:30'], island), [
    ...['04-04 14:00', '04-04 15:00'],
  ]);
  const whole = /line 3, column date_time: expected a time that is a whole hour in UTC, got "/;
  t.match(await hours(t, ['2026-04-05 01:00', '2026-04-05 02:00'], island), whole);
  t.match(await hours(t, ['2026-04-05 01:00', '2026-04-05 08:30']), whole);
  t.match(await hours(t, ['2026-04-05 01:00', '2026-04-05 08:00:01']), whole);
});

interface Mistake {
  /** Of the rows of the table; default: one. */
  readonly times?: readonly string[];
  readonly changes?: readonly (readonly [text: string, by: string])[];
  readonly decimalComma?: boolean;
  /** Components by the columns that are mapped; default: those of `BELGRADE`. */
  readonly map?: Readonly<Record<string, number>>;
  /** The refusal. */
  readonly says: string;
}

const MISTAKES = JSON.parse(
  await readFile('test/fixtures/tables/wide-mistakes.json', 'utf8'),
) as readonly Mistake[];

for (const { times = ['2026-02-08 23:00'], changes = [], decimalComma, map, says } of MISTAKES) {
  void t.test(`says where to mend it: ${says}`, async (t) => {
    const text = changes.reduce((all, [one, by]) => all.replace(one, by), table(...times));
    const layout = {
      ...(decimalComma !== undefined && { decimalComma }),
      ...(map !== undefined && { components: new Map(Object.entries(map)) }),
    };
    t.match(await outcome(t, text, layout), new RegExp(says));
  });
}

void t.test('refuses an empty table', async (t) => {
  t.match(await outcome(t, ''), /^measurements\.csv: no column "date_time"; there are none/);
});

const NO_TIMES = [
  ...['', '2026-02-08', '2026-02-30 23:00', '08x02x2026 23:00', '2026-02-08 24:00'],
  ...['2026-02-08 23:60', '2026-02-08 23:00:00.5', '2026-02-08 23:00+99', '2026-02-08 23:00 CET'],
];

void t.test('refuses what is no time in any form that it takes', async (t) => {
  const message = String(await outcome(t, table(...NO_TIMES)));
  const expected = 'a time such as 2026-02-08 23:00, 2026-02-08T23:00:00+01:00 or 08.02.2026 23:00';
  t.strictSame(
    message.split('; '),
    NO_TIMES.map(
      (time, at) =>
        `measurements.csv, line ${at + 2}, column date_time: expected ${expected}, got "${time}"`,
    ),
  );
});

void t.test('lists the first problems, in the order of the table', async (t) => {
  const times = Array.from({ length: 30 }, (_, at) => `2026-02-08 ${at + 24}:00`);
  const message = String(await outcome(t, table(...times)));
  t.same(
    [...message.matchAll(/, line (\d+), /g)].map(([, line]) => Number(line)),
    Array.from({ length: 20 }, (_, at) => at + 2),
  );
  t.match(message, /; and 10 more$/);
});

void t.test('takes the end of the last hour of a day, and ignored columns', async (t) => {
  const text = table('2026-02-08 24:00').replaceAll(',', ', ').replace('SO2 (µg/m³)', '');
  const changes = {
    hourMarks: 'end',
    components: new Map([['pm10', 5]]),
    ignoredColumns: [''],
  } as const;
  t.strictSame(await outcome(t, text, changes), ['1 5 2026-02-08 22:00 1']);
});

void t.test('takes a table of one station without a column for it', async (t) => {
  const folder = place(t);
  await writeFile(join(folder.from, 'stations.csv'), STATIONS.split('\n').slice(0, 2).join('\n'));
  await writeFile(join(folder.from, 'measurements.csv'), 'date_time,pm10\n2026-02-08 23:00,7\n');
  const { timeColumn, timeZone, hourMarks } = BELGRADE;
  const components = new Map([['pm10', 5]]);
  const layout = { timeColumn, timeZone, hourMarks, components, ignoredColumns: [] };
  t.strictSame(await rowsOf(folder, layout), ['1 5 2026-02-08 22:00 7']);
  await writeFile(join(folder.from, 'stations.csv'), STATIONS);
  await t.rejects(rowsOf(folder, layout), {
    message: 'stations.csv: has more than one station: say --station-column',
  });
});

/** Tables as agencies have them, what is said of them, and the rows that they hold. */
const EXPORTS: readonly {
  readonly file: string;
  readonly text: string;
  readonly layout: Omit<TableLayout, 'components' | 'ignoredColumns'> & Partial<TableLayout>;
  readonly tables: Partial<Tables>;
  readonly rows: readonly string[];
}[] = [
  {
    file: 'ene_mo24.csv',
    text: 'ESTACION;MAGNITUD;ANO;MES;DIA;H01;V01;H02;V02\n2;8;2024;1;7;17;V;12,5;N\n1;10;2024;1;7;9;V;7,5;V\n1;99;2024;1;7;1;V;1;V\n',
    layout: {
      ...{ shape: 'hours', dateColumns: ['ANO', 'MES', 'DIA'], hourColumns: 'H%' },
      ...{ hourMarks: 'end', timeZone: 'Europe/Madrid' },
      ...{ stationColumn: 'ESTACION', componentColumn: 'MAGNITUD' },
      valid: new Map([['V%', ['V']]]),
      components: new Map<string, number | string>([
        ['8', 'SO2'],
        ['10', 5],
      ]),
      ignoredColumns: ['99'],
    },
    tables: { decimalComma: true },
    rows: ['2 1 2024-01-06 23:00 17', '1 5 2024-01-06 23:00 9', '1 5 2024-01-07 00:00 7.5'],
  },
  {
    file: '2024_07_PM10.csv',
    text: 'Export;20240805;;\n;;;\nEenheid; Begin;RS1002A;RS1007A\nx;;;\nug;20240701 00:00;17.2;-\nug;2024070101;.5;8\n',
    layout: {
      ...{ shape: 'stations', timeColumn: 'Begin', hourMarks: 'start', timeZone: 'Etc/GMT-1' },
      ignoredColumns: ['Eenheid'],
    },
    tables: { headerLine: 3, firstLine: 5, missing: ['-'], delimiter: ';' },
    rows: ['1 5 2024-06-30 23:00 17.2', '1 5 2024-07-01 00:00 0.5', '2 5 2024-07-01 00:00 8'],
  },
  {
    file: 'hourly.csv',
    text: 'Site,Date,Time,Value\nRS1002A,07/04/2024,00:00,17.2\nRS1002A,7/4/24,1:00,0\n',
    layout: {
      ...{ shape: 'long', dateColumns: ['Date'], hourColumn: 'Time', dateOrder: 'month-first' },
      ...{ hourMarks: 'start', timeZone: 'UTC', stationColumn: 'Site', valueColumn: 'Value' },
    },
    tables: { components: new Map([['O3', 'ppb']]) },
    rows: ['1 1 2024-07-04 00:00 17.2', '1 1 2024-07-04 01:00 0'],
  },
];

for (const { file, text, layout, tables, rows } of EXPORTS) {
  void t.test(`reads what agencies export: ${file}`, async (t) => {
    const folder = place(t);
    await writeFile(join(folder.from, file), text);
    // Another station has the code 2.
    await writeFile(join(folder.from, 'stations.csv'), STATIONS.replace('peščara,2', 'peščara,P'));
    if (tables.components) await rm(join(folder.from, 'components.csv'));
    const pattern = file.replace('PM10', '{component}').replace('24.', '*.');
    const found = await rowsOf(
      folder,
      { components: new Map(), ignoredColumns: [], ...layout },
      { ...tables, files: new Map([['measurements', pattern]]) },
    );
    t.strictSame(found, rows);
  });
}
