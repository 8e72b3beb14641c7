/** Exports of two agencies, each spoilt in forty ways and read by its script of `docs/exports`: refused, or read right; none is served wrong. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import t, { type Test } from 'tap';
import { passGates } from '../../../src/commands/documents/pass-gates.js';
import { buildDocument } from '../../../src/publishing/tables/build-document.js';
import type { Snapshot } from '../../../src/snapshot/domain/model.js';
import {
  AGENCIES,
  type Agency,
  type Export,
  type Reading,
} from '../../support/documents/agencies.js';
import { scaled } from '../../support/faults/chance.js';

const HOUR_MS = 3_600_000;
const DAYS = 7;

/** How an export is spoilt: of a chosen file of measurements, its lines after the header. */
interface Spoil {
  readonly name: string;
  /**
   * `right`: it must be read; `refused`: it must not; `either`: one of both, as the line that is spoilt may have no value.
   * Without it: whatever is read has nothing wrong.
   */
  readonly must?: 'right' | 'refused' | 'either';
  /** Only of the agency of that name. */
  readonly of?: string;
  /** Of days whose numbers are months too; else of those on which clocks were put back. */
  readonly early?: true;
  readonly edit: (edited: Edited) => void;
}

interface Edited {
  readonly agency: Agency;
  readonly files: Map<string, Buffer>;
  /** The name of the file to spoil. */
  readonly name: string;
  header: string;
  lines: string[];
  /** Chosen at random. */
  readonly at: number;
  encoding: string;
  end: string;
}

function edit(change: (line: string, edited: Edited) => string): Spoil['edit'] {
  return (edited) => {
    edited.lines[edited.at] = change(edited.lines[edited.at] ?? '', edited);
  };
}

function each(change: (line: string, edited: Edited, index: number) => string): Spoil['edit'] {
  return (edited) => {
    edited.lines = edited.lines.map((line, index) => change(line, edited, index));
  };
}

/** The last numbers of a line, by what they are. */
function value(line: string, by: (text: string) => string, { agency }: Edited): string {
  const cells = line.split(';');
  const at = agency.name === 'coast' ? 2 : 4;
  return cells.map((cell, index) => (index === at ? by(cell) : cell)).join(';');
}

const SPOILS: readonly Spoil[] = [
  { name: 'as it is', must: 'right', edit: () => undefined },
  {
    name: 'a year of the future in one line',
    must: 'either',
    edit: edit((line) => line.replace('2025', '2052')),
  },
  { name: 'a year of the past in one line', edit: edit((line) => line.replace('2025', '2005')) },
  {
    name: 'day and month swapped in one line',
    early: true,
    edit: edit((line) => line.replace(/(\d\d)([./])(\d\d)/, '$3$2$1')),
  },
  {
    name: 'day and month swapped everywhere',
    early: true,
    must: 'refused',
    edit: each((line) => line.replace(/(\d\d)([./])(\d\d)/, '$3$2$1')),
  },
  {
    name: 'years of two digits',
    must: 'refused',
    edit: each((line) => line.replace('2025', '25')),
  },
  {
    name: 'a sentinel that nobody knows',
    must: 'refused',
    edit: each((line, edited, index) =>
      index % 9 === 1
        ? value(
            line,
            () =>
              '-9999,0'
                .replace(',', edited.agency.name === 'coast' ? ',' : '.')
                .replace('-9999', edited.agency.name === 'coast' ? '-9999' : '-99'),
            edited,
          )
        : line,
    ),
  },
  {
    name: 'the other decimal mark',
    must: 'refused',
    edit: each((line) =>
      line
        .replace(
          /(\d)([.,])(\d+)(?=;|$)/g,
          (_all, a: string, mark: string, b: string) => `${a}${mark === ',' ? '.' : ','}${b}`,
        )
        .replace(/^(\d\d),(\d\d),/, '$1.$2.'),
    ),
  },
  {
    name: 'values a thousand times as great',
    must: 'refused',
    edit: each((line, edited) =>
      value(line, (cell) => (cell.startsWith('-') ? cell : cell.replace(/[.,]/, '') + '0'), edited),
    ),
  },
  {
    name: 'many values below zero',
    must: 'refused',
    edit: each((line, edited, index) =>
      index % 5 === 2
        ? value(line, (cell) => (cell.startsWith('-') ? cell : `-${cell}`), edited)
        : line,
    ),
  },
  {
    name: 'a text for a value',
    must: 'either',
    edit: edit((line, edited) => value(line, () => 'error', edited)),
  },
  {
    name: 'columns in another order',
    must: 'right',
    edit: (edited) => {
      const turn = (line: string): string => line.split(';').reverse().join(';');
      edited.header = turn(edited.header);
      edited.lines = edited.lines.map(turn);
    },
  },
  {
    name: 'titles of two columns exchanged',
    must: 'refused',
    edit: (edited) => {
      const cells = edited.header.split(';');
      [cells[2], cells[3]] = [cells[3] ?? '', cells[2] ?? ''];
      edited.header = cells.join(';');
      // Of the other files too.
      for (const [name, bytes] of edited.files) {
        if (!/^[A-Z]{2}\d_/.test(name)) continue;
        const text = iconv.decode(bytes, edited.encoding).split('\r\n');
        edited.files.set(
          name,
          iconv.encode([edited.header, ...text.slice(1)].join('\r\n'), edited.encoding),
        );
      }
    },
  },
  {
    name: 'a title changed',
    must: 'refused',
    edit: (edited) => void (edited.header = edited.header.replace(/NO2 \(.*?\)|Valor/, 'NO2 neu')),
  },
  { name: 'a cell too many in one line', must: 'refused', edit: edit((line) => `${line};7`) },
  {
    name: 'a cell missing in one line',
    must: 'refused',
    edit: edit((line) => line.replace(/;[^;]*$/, '')),
  },
  { name: 'a line twice', must: 'refused', edit: edit((line, { end }) => `${line}${end}${line}`) },
  {
    name: 'a file twice',
    edit: ({ files, name }) =>
      void files.set(
        name.replace('.csv', ' (1).csv').replace('2025 (1)', '2025-copy'),
        files.get(name) ?? Buffer.alloc(0),
      ),
  },
  {
    name: 'all lines twice',
    must: 'refused',
    edit: (edited) => void edited.lines.push(...edited.lines),
  },
  {
    name: 'a station missing',
    edit: (edited) => {
      if (edited.agency.name === 'coast') edited.lines = [];
      else edited.lines = edited.lines.filter((line) => !line.startsWith('047002'));
    },
  },
  {
    name: 'half a file',
    early: true,
    edit: (edited) =>
      void (edited.lines = [edited.lines.join(edited.end).slice(0, edited.at * 20 + 11)]),
  },
  {
    name: 'an empty file',
    must: 'refused',
    edit: (edited) => {
      edited.lines = [];
      edited.header = '';
    },
  },
  {
    name: 'a page of a web server',
    must: 'refused',
    edit: (edited) => {
      edited.lines = ['<body>502 Bad Gateway</body>', '</html>'];
      edited.header = '<html>';
    },
  },
  { name: 'UTF-8', must: 'right', edit: (edited) => void (edited.encoding = 'utf-8') },
  { name: 'UTF-16', must: 'refused', edit: (edited) => void (edited.encoding = 'utf-16') },
  {
    // Beside files whose lines end otherwise it is refused.
    name: 'lines that end with a line feed',
    edit: (edited) => void (edited.end = '\n'),
  },
  {
    name: 'cells in quotes',
    must: 'right',
    edit: each((line) =>
      line
        .split(';')
        .map((cell) => `"${cell}"`)
        .join(';'),
    ),
  },
  {
    name: 'a delimiter at the end of each line',
    edit: (edited) => {
      edited.header += ';';
      edited.lines = edited.lines.map((line) => `${line};`);
    },
  },
  {
    name: 'a line before the header',
    must: 'refused',
    edit: (edited) => void (edited.header = `Report of the month\r\n${edited.header}`),
  },
  {
    name: 'hours marked the other way',
    must: 'refused',
    edit: each((line, { agency }) =>
      line.replace(
        /^((?:\d+;)?[\d./]+);(\d+);/,
        (_all, before: string, hour: string) =>
          `${before};${Number(hour) + (agency.name === 'coast' ? -1 : 1)};`,
      ),
    ),
  },
  {
    name: 'hours as 07:00',
    must: 'refused',
    edit: each((line) =>
      line.replace(
        /^((?:\d+;)?[\d./]+);(\d+);/,
        (_all, before: string, hour: string) => `${before};${hour.padStart(2, '0')}:00;`,
      ),
    ),
  },
  {
    name: 'an hour that there is not',
    must: 'refused',
    edit: edit((line) => line.replace(/^((?:\d+;)?[\d./]+);(\d+);/, '$1;25;')),
  },
  {
    name: 'a day that there is not',
    must: 'refused',
    edit: edit((line) => line.replace(/\d\d([./])\d\d/, '31$109')),
  },
  {
    name: 'a station that nobody knows',
    must: 'refused',
    of: 'plain',
    edit: edit((line) => line.replace(/^\d+/, '047009')),
  },
  {
    name: 'a component that nobody knows',
    must: 'refused',
    of: 'plain',
    edit: edit((line) => line.replace(/;(?:NO2|O3|SO2);/, ';Hg;')),
  },
  { name: 'a state that nobody knows', of: 'plain', edit: edit((line) => line.replace(/.$/, 'X')) },
  { name: 'newest first', must: 'refused', edit: (edited) => void edited.lines.reverse() },
  {
    name: 'stations where the longitude is the latitude',
    must: 'refused',
    of: 'coast',
    edit: ({ files }) => {
      const text = iconv.decode(files.get('popis postaja.csv') ?? Buffer.alloc(0), 'windows-1250');
      const swapped = text
        .replace(/(ZD2;[^;]*);([^;]*);([^;]*)/, '$1;$3;$2')
        .replace(/(\d)"E;/, '$1"N;')
        .replace(/(44°06'48,0)"N/, '$1"E');
      files.set('popis postaja.csv', iconv.encode(swapped, 'windows-1250'));
    },
  },
  {
    name: 'one hour of two where clocks were put back',
    of: 'coast',
    must: 'refused',
    edit: (edited) =>
      void edited.lines.splice(
        edited.lines.findIndex((line) => line.startsWith('26.10.2025;3;')),
        1,
      ),
  },
  {
    name: 'an hour over which clocks were put forward',
    must: 'refused',
    edit: (edited) => {
      const hour = edited.agency.name === 'coast' ? 3 : 2;
      const [line = ''] = edited.lines;
      edited.lines.push(line.replace(/\d\d([./])\d\d([./])\d{4};\d+/, `30$103$22025;${hour}`));
    },
  },
];

interface Outcome {
  readonly message: string;
  /** The rows that would be served, by series and hour. */
  readonly rows?: ReadonlyMap<string, number>;
  readonly snapshot?: Snapshot;
}

/** As `bura build` does it, beside an active snapshot. */
async function build(folder: string, agency: Agency, active?: Snapshot): Promise<Outcome> {
  const out = join(folder, 'snapshot.json');
  await rm(out, { force: true });
  let built: Snapshot | undefined;
  try {
    await buildDocument({
      from: folder,
      out,
      encoding: agency.encoding,
      async passGates(snapshot, cut) {
        built = snapshot;
        await passGates(snapshot, {
          active: Promise.resolve(
            active === undefined ? { kind: 'none' } : { kind: 'snapshot', snapshot: active },
          ),
          flags: {},
          say: () => undefined,
          cut,
          refusesChanges: true,
        });
      },
    });
    const rows = await rowsOf(out);
    return { message: `${rows.size} rows`, rows, ...(built && { snapshot: built }) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

interface BuiltDocument {
  readonly generated_at: string;
  readonly stations: readonly { station_id: number; station_code: string }[];
  readonly components: readonly { component_id: number; short_name: string }[];
  readonly measurements: readonly {
    station_id: number;
    component_id: number;
    date: string;
    time: string;
    value: number | null;
  }[];
}

async function rowsOf(file: string): Promise<ReadonlyMap<string, number>> {
  const document = JSON.parse(await readFile(file, 'utf8')) as BuiltDocument;
  const stations = new Map(document.stations.map((one) => [one.station_id, one.station_code]));
  const components = new Map(document.components.map((one) => [one.component_id, one.short_name]));
  const end = Date.parse(document.generated_at);
  const rows = new Map<string, number>();
  for (const row of document.measurements) {
    const hourMs = Date.parse(`${row.date}T${row.time}Z`);
    if (row.value === null || hourMs >= end || hourMs < end - 30 * 24 * HOUR_MS) continue;
    const [station = '', component = ''] = [
      stations.get(row.station_id),
      components.get(row.component_id),
    ];
    rows.set(key({ station, component, hourMs }), row.value);
  }
  return rows;
}

function key({ station, component, hourMs }: Omit<Reading, 'value'>): string {
  return `${station} ${component} ${new Date(hourMs).toISOString()}`;
}

async function write(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
}

function spoil(
  agency: Agency,
  { files }: Export,
  { edit: change }: Spoil,
  chance: number,
): Map<string, Buffer> {
  const names = [...files.keys()].filter((one) => /^[A-Z]{2}\d_|^datos/.test(one));
  const name = names[Math.floor(chance * names.length)] ?? '';
  const spoilt = new Map(files);
  const [header = '', ...lines] = iconv
    .decode(files.get(name) ?? Buffer.alloc(0), agency.encoding)
    .trimEnd()
    .split('\r\n');
  const at = Math.floor(((chance * 7919) % 1) * lines.length);
  const edited: Edited = {
    agency,
    files: spoilt,
    name,
    header,
    lines,
    at,
    encoding: agency.encoding,
    end: '\r\n',
  };
  const before = edited.lines.length;
  change(edited);
  const isCut = edited.lines.length === 1 && before > 1;
  const text =
    [edited.header, ...edited.lines].join(edited.end) +
    (isCut && edited.header !== '<html>' ? '' : edited.end);
  spoilt.set(
    name,
    iconv.encode(edited.header === '' ? '' : text, edited.encoding, {
      addBOM: edited.encoding === 'utf-16',
    }),
  );
  return spoilt;
}

/** An export that was read, what it holds, and the snapshot of it, which is active from then on. */
async function readGood(t: Test, agency: Agency, [month, day]: readonly [number, number]) {
  const folder = t.testdir({});
  const good = await agency.write(Date.UTC(2025, month - 1, day, 22), DAYS * 24 + 1);
  const truth = new Map(
    good.readings.flatMap((one) => (one.value === undefined ? [] : [[key(one), one.value]])),
  );
  await write(folder, await withScript(agency, good.files));
  const { rows, message, snapshot } = await build(folder, agency);
  t.strictSame(rows, truth, `as it is: ${message}`);
  return { folder, good, truth, snapshot };
}

/** With the script that `docs/exports` has for the agency. */
async function withScript(agency: Agency, files: ReadonlyMap<string, Buffer>) {
  return new Map([...files, ['bura.sql', await readFile(`docs/exports/${agency.name}.sql`)]]);
}

for (const agency of AGENCIES) {
  for (const early of [true, undefined]) {
    await t.test(`the agency ${agency.name}${early ? ', early in a month' : ''}`, async (t) => {
      const read = await readGood(t, agency, early ? [10, 2] : [10, 21]);
      const { folder, good, truth, snapshot } = read;
      for (const one of SPOILS) {
        if (one.early !== early || (one.of ?? agency.name) !== agency.name) continue;
        await fc.assert(
          fc.asyncProperty(fc.noBias(fc.integer({ min: 0, max: 999_999 })), async (chance) => {
            await rm(folder, { recursive: true, force: true });
            const files = spoil(agency, good, one, chance / 1_000_000);
            await write(folder, await withScript(agency, files));
            const { message, rows } = await build(folder, agency, snapshot);
            const said = `${one.name}: ${message.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
            t.comment(`${agency.name}, ${said}`);
            const wrong = [...(rows ?? [])].filter(([row, number]) => truth.get(row) !== number);
            t.strictSame(wrong.slice(0, 3), [], `nothing wrong: ${said}`);
            if (one.must === 'refused') t.notOk(rows, `refused: ${said}`);
            if (one.must === 'either' && rows) t.strictSame(rows, truth, `no harm: ${said}`);
            if (one.must === 'right') t.strictSame(rows, truth, `read: ${said}`);
          }),
          { numRuns: scaled(1) },
        );
      }
    });
  }
}
