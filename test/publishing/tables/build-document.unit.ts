/** Building documents from CSV tables: the fixture of a Serbian network, changed in one place at a time. */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { cp, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { buildDocument, type BuildOptions } from '../../../src/publishing/tables/build-document.js';
import { readSnapshot } from '../../../src/snapshot/document/read.js';
import { comparable } from '../../support/expected/expected-snapshot.js';

const SERBIA = join(process.cwd(), 'test/fixtures/serbia');

interface Folders {
  readonly from: string;
  readonly out: string;
}

/** A copy of the fixture, and where a document may go. */
async function folders(t: Test): Promise<Folders> {
  const directory = t.testdir();
  const from = join(directory, 'tables');
  await cp(SERBIA, from, { recursive: true });
  await mkdir(join(directory, 'out'));
  return { from, out: join(directory, 'out', 'document.json.gz') };
}

/** Changes a table of a copy. */
async function edit(from: string, file: string, change: (text: string) => string): Promise<void> {
  const path = join(from, file);
  const text = await readFile(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`nothing to change in ${file}`);
  await writeFile(path, changed);
}

async function refusalOf(options: BuildOptions): Promise<string> {
  try {
    await buildDocument(options);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

await t.test('builds a document that says what the tables say', async (t) => {
  const { from, out } = await folders(t);
  const { snapshotId, rows, sizeBytes } = await buildDocument({ from, out });
  t.match(snapshotId, /^20260915T230000Z-[0-9a-f]{12}$/);
  t.equal(sizeBytes, (await readFile(out)).length);
  const snapshot = await readSnapshot(createReadStream(out));
  t.match(snapshot.header, {
    schemaVersion: '1.2.0',
    snapshotId,
    generatedAtMs: Date.parse('2026-09-15T23:00:00Z'),
    supportedWindows: ['1h', '1d', '7d', '14d', '30d'],
    counts: { organizations: 2, networks: 2, stations: 8, components: 11, measurement_rows: rows },
  });
  t.match(snapshot.organizations, [
    { id: 1, shortName: 'SEPA', additional: { website: 'https://sepa.gov.rs' } },
    { id: 2, name: 'Градски завод за јавно здравље', additional: {} },
  ]);
  t.match(
    snapshot.stations.find(({ id }) => id === 9),
    { municipality: 'Beograd', active: true },
  );
  t.match(
    snapshot.stations.find(({ id }) => id === 106),
    { city: undefined, latitude: undefined },
  );
  t.match(
    snapshot.stations.find(({ id }) => id === 88),
    {
      name: 'Franše d’Epere',
      networkCode: 'LMKV',
      additional: { phone: '011 123-456' },
    },
  );
  t.match(
    snapshot.stations.find(({ id }) => id === 900),
    { public: false, stationType: 'other' },
  );
  t.match(
    snapshot.components.find(({ id }) => id === 431),
    { casNumber: '100-41-4' },
  );
  t.match(
    snapshot.components.find(({ id }) => id === 999),
    { public: false },
  );
  t.strictSame(comparable(snapshot)['rows'], await rowsOfTable(from));
});

/** The rows of `measurements.csv`, read without any of our code. */
async function rowsOfTable(from: string): Promise<(number | null | undefined)[][]> {
  const [, ...lines] = (await readFile(join(from, 'measurements.csv'), 'utf8')).trim().split('\n');
  return lines
    .map((line) => line.split(','))
    .map(([station, component, date, time, value]) => [
      Number(station),
      Number(component),
      Date.parse(`${date ?? ''}T${time ?? ''}Z`) / 3_600_000,
      value === '' ? null : Number(value),
    ])
    .sort((a, b) => order(a, b, 0) || order(a, b, 1) || order(a, b, 2));
}

function order(a: (number | null)[], b: (number | null)[], at: number): number {
  return Number(a[at]) - Number(b[at]);
}

await t.test('keeps the digits of numbers', async (t) => {
  const { from } = await folders(t);
  const out = join(t.testdirName, 'out', 'document.json');
  await buildDocument({ from, out });
  const text = await readFile(out, 'utf8');
  t.match(text, '"latitude":44.8168146768154,"longitude":20.4699406027794');
  t.match(text, '"elevation_m":78.0');
  t.match(text, '"value":128.86029370626');
  t.notMatch(text, '""', 'empty cells are absent');
});

await t.test('makes the same bytes again, and another id for other content', async (t) => {
  const { from, out } = await folders(t);
  const first = await buildDocument({ from, out });
  const bytes = await readFile(out);
  await buildDocument({ from, out });
  t.ok(bytes.equals(await readFile(out)));
  t.equal(bytes.readUInt32LE(4), 0, 'gzip without a time');
  await edit(from, 'measurements.csv', (text) => text.replace('7.5067', '7.5068'));
  const second = await buildDocument({ from, out });
  t.not(second.snapshotId, first.snapshotId);
  await edit(from, 'networks.csv', (text) => text.replace('LMKV', 'LMK'));
  t.not((await buildDocument({ from, out })).snapshotId, second.snapshotId);
});

await t.test('says that it is a demonstration where it is told to', async (t) => {
  const { from, out } = await folders(t);
  const { snapshotId } = await buildDocument({ from, out });
  const plain = gunzipSync(await readFile(out)).toString();
  t.notMatch(plain, 'demonstration');
  const built = await buildDocument({ from, out, demonstration: true });
  t.not(built.snapshotId, snapshotId);
  const text = gunzipSync(await readFile(out)).toString();
  t.equal(
    text.replace('"demonstration":true,\n', '').replace(built.snapshotId, snapshotId),
    plain,
    'and nothing else',
  );
});

await t.test('takes gzip, a byte-order mark, CRLF, quotes and other columns', async (t) => {
  const { from, out } = await folders(t);
  const plain = await buildDocument({ from, out });
  const expected = gunzipSync(await readFile(out));
  for (const file of await readdir(from)) {
    if (!file.endsWith('.csv')) continue;
    const lines = (await readFile(join(from, file), 'utf8')).split('\n');
    const quoted = lines.map((line) => line.replace(/[^,]+/g, (cell) => `"${cell}"`));
    await writeFile(join(from, `${file}.gz`), gzipSync(`\ufeff${quoted.join('\r\n')}`));
    await rm(join(from, file));
  }
  const zipped = await buildDocument({ from, out });
  t.equal(zipped.snapshotId, plain.snapshotId);
  t.ok(expected.equals(gunzipSync(await readFile(out))));
});

await t.test('makes one organization and network from the options', async (t) => {
  const { from, out } = await folders(t);
  await rm(join(from, 'organizations.csv'));
  await rm(join(from, 'networks.csv'));
  await edit(from, 'stations.csv', (text) =>
    text
      .replaceAll(',1,1,', ',,,')
      .replaceAll(',2,2,', ',,,')
      .replace('organization_id,network_id,', 'a,b,'),
  );
  t.match(
    await refusalOf({ from, out }),
    /^organizations\.csv: not found: say --organization-name/,
  );
  await buildDocument({
    from,
    out,
    organizationName: 'Agencija',
    organizationShortName: 'SEPA',
    generatedAt: '2026-09-20T12:30:00Z',
    snapshotId: 'mine',
  });
  const { header, organizations, networks, stations } = await readSnapshot(createReadStream(out));
  t.equal(header.snapshotId, 'mine');
  t.equal(header.generatedAtMs, Date.parse('2026-09-20T12:30:00Z'));
  t.match(organizations, [{ id: 1, name: 'Agencija', shortName: 'SEPA' }]);
  t.match(networks, [{ id: 1, code: 'SEPA', name: 'Agencija', shortName: 'SEPA' }]);
  t.ok(stations.every((station) => station.organizationId === 1 && station.networkCode === 'SEPA'));
});

interface Mistake {
  readonly file: string;
  /** Texts and what stands in their places. */
  readonly changes: readonly (readonly [text: string, by: string])[];
  /** What the message must say. */
  readonly says: string;
}

const MISTAKES = JSON.parse(
  await readFile('test/fixtures/tables/mistakes.json', 'utf8'),
) as readonly Mistake[];

async function refuses(t: Test, file: string, change: (text: string) => string, says: RegExp) {
  const { from, out } = await folders(t);
  await writeFile(out, 'the one before');
  await edit(from, file, change);
  t.match(await refusalOf({ from, out }), says);
  t.strictSame(await readdir(join(out, '..')), ['document.json.gz'], 'leaves nothing behind');
  t.equal(await readFile(out, 'utf8'), 'the one before');
}

for (const { file, changes, says } of MISTAKES) {
  await t.test(`says where to mend it: ${says}`, async (t) => {
    const change = (text: string): string =>
      changes.reduce((changed, [one, by]) => changed.replace(one, by), text);
    await refuses(t, file, change, new RegExp(says));
  });
}

await t.test('says which table is empty', async (t) => {
  const head = (text: string): string => text.slice(0, text.indexOf('\n') + 1);
  const none = /^measurements: no row with a date and a time: say --generated-at$/;
  await refuses(t, 'measurements.csv', head, none);
  await refuses(t, 'networks.csv', () => '', /^networks\.csv: no column network_id; /);
});

/** Adds a column to a table: the same cell in every record. */
async function addColumn(
  from: string,
  file: string,
  { name, cell }: { readonly name: string; readonly cell: string },
): Promise<void> {
  await edit(from, file, (text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line, index) => `${line},${index === 0 ? name : cell}\n`)
      .join(''),
  );
}

await t.test('builds schema 1.3.0 with names and times from their columns', async (t) => {
  const { from, out } = await folders(t);
  t.strictSame((await buildDocument({ from, out })).notes, []);
  const time = '2026-09-16T01:00:00Z';
  await addColumn(from, 'components.csv', { name: 'parameter_name', cell: 'Ime' });
  await addColumn(from, 'measurements.csv', { name: 'published_at_utc', cell: time });
  await addColumn(from, 'measurements.csv', { name: 'updated_at_utc', cell: '' });
  const old = await buildDocument({ from, out });
  const why = 'has no meaning before schema version 1.3.0 (--schema-version)';
  t.strictSame(old.notes, [
    `components.csv: parameter_name ${why}`,
    `measurements.csv: published_at_utc ${why}`,
    `measurements.csv: updated_at_utc ${why}`,
  ]);
  t.notOk('publishedAtMs' in (await readSnapshot(createReadStream(out))).observations);
  const built = await buildDocument({ from, out, schemaVersion: '1.3.0' });
  t.strictSame(built.notes, []);
  t.not(built.snapshotId, old.snapshotId, 'other bytes have another id');
  const { header, components, observations } = await readSnapshot(createReadStream(out));
  t.equal(header.schemaVersion, '1.3.0');
  t.ok(components.every(({ parameterName }) => parameterName === 'Ime'));
  t.ok(observations.publishedAtMs?.every((epochMs) => epochMs === Date.parse(time)));
  t.equal(observations.publishedAtMs?.length, built.rows);
  t.notOk('updatedAtMs' in observations);
  await edit(from, 'measurements.csv', (text) => text.replace(time, '16.09.2026.'));
  t.match(
    await refusalOf({ from, out, schemaVersion: '1.3.0' }),
    /^measurements\.csv, row 2, column published_at_utc: expected an ISO 8601 .*, got "16\.09\.2026\."$/,
  );
});

await t.test('names the file that cannot be read or written, and leaves it as it is', async (t) => {
  const { from, out } = await folders(t);
  const folder = join(out, '..');
  const missing = join(folder, 'none', 'document.json');
  t.equal(
    await refusalOf({ from, out: missing }),
    `cannot write ${missing}: ENOENT: no such file or directory`,
  );
  const below = join(from, 'stations.csv', 'document.json');
  t.equal(await refusalOf({ from, out: below }), `cannot write ${below}: ENOTDIR: not a directory`);
  await symlink(join(from, 'stations.csv'), join(folder, 'link'));
  await mkdir(join(folder, 'folder'));
  await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
  const others = await readdir(folder);
  t.strictSame(others, ['folder', 'link', 'pipe']);
  for (const other of others) {
    const path = join(folder, other);
    t.equal(await refusalOf({ from, out: path }), `cannot write ${path}: not a regular file`);
  }
  const table = join(from, 'components.csv');
  await rm(table);
  await mkdir(table);
  t.equal(await refusalOf({ from, out }), `cannot read ${table}: not a regular file`);
  t.strictSame(await readdir(folder), others);
});

await t.test('refuses tables missing, doubled or not UTF-8, and bad options', async (t) => {
  const { from, out } = await folders(t);
  t.match(await refusalOf({ from, out, generatedAt: 'today' }), /^--generated-at: expected an ISO/);
  t.match(await refusalOf({ from, out, snapshotId: '..' }), /^--snapshot-id: expected/);
  await writeFile(join(from, 'stations.csv.gz'), gzipSync(''));
  t.match(await refusalOf({ from, out }), /^stations\.csv: there is a stations\.csv\.gz too$/);
  await rm(join(from, 'stations.csv.gz'));
  const stations = await readFile(join(from, 'stations.csv'));
  await writeFile(
    join(from, 'stations.csv'),
    Buffer.from('station_id,name\n1,Beo\xe8in\n', 'latin1'),
  );
  t.match(await refusalOf({ from, out }), /^stations\.csv: not UTF-8 at byte 21$/);
  await writeFile(join(from, 'stations.csv.gz'), gzipSync(stations).subarray(0, -9));
  await rm(join(from, 'stations.csv'));
  t.match(await refusalOf({ from, out }), /^stations\.csv\.gz: not valid gzip/);
  await rm(join(from, 'stations.csv.gz'));
  t.match(
    await refusalOf({ from, out }),
    /^stations\.csv: not found in .* \(nor as stations\.csv\.gz\)$/,
  );
});

/** A table with one column more, which is empty. */
function withColumn(table: string, name: string): string {
  const [header = '', ...lines] = table.trimEnd().split('\n');
  return [`${header},${name}`, ...lines.map((line) => `${line},`), ''].join('\n');
}

await t.test(
  'a column with the usual word for a member is refused, whatever its case',
  async (t) => {
    const { from, out } = await folders(t);
    const cases = [
      ['stations', 'latitude', ['lat', 'Lat', 'LAT']],
      ['stations', 'longitude', ['lon', 'lng', 'long']],
      ['stations', 'station_id', ['id']],
      ['stations', 'station_name', ['name']],
      ['stations', 'station_code', ['code']],
      ['stations', 'station_type', ['type']],
      ['stations', 'elevation_m', ['elevation', 'Altitude']],
      ['organizations', 'organization_id', ['id']],
      ['networks', 'network_id', ['id']],
      ['networks', 'network_code', ['code']],
      ['components', 'component_id', ['id']],
      ['components', 'short_name', ['code', 'Name', 'parameter', 'pollutant']],
      ['components', 'unit', ['units']],
      ['measurements', 'station_id', ['station']],
      ['measurements', 'component_id', ['component', 'parameter', 'pollutant']],
      ['measurements', 'value', ['concentration']],
    ] as const;
    for (const [table, member, words] of cases) {
      const path = join(from, `${table}.csv`);
      const whole = await readFile(path, 'utf8');
      for (const word of words) {
        // In the place of the member; the first one beside it.
        await writeFile(
          path,
          word === words[0] ? withColumn(whole, word) : whole.replace(member, word),
        );
        const line = `${table}.csv: column "${word}" is not known: call it ${member}`;
        const refusal = await refusalOf({ from, out });
        t.ok(refusal.includes(line), `${table} ${word}: ${refusal}`);
      }
      await writeFile(path, whole);
    }
    // A timestamp is two members; other columns pass through.
    await edit(from, 'measurements.csv', (text) => text.replace('date,time', 'timestamp,time'));
    t.match(
      await refusalOf({ from, out }),
      /column "timestamp" is not known: call it date and time/,
    );
    await edit(from, 'measurements.csv', (text) => text.replace('timestamp,time', 'date,time'));
    for (const word of ['constructor', 'operator', 'nameplate', 'national_code', 'latlon']) {
      await edit(from, 'stations.csv', (text) => withColumn(text, word));
    }
    t.equal(await refusalOf({ from, out }), '');
    t.strictSame(await readdir(join(out, '..')), ['document.json.gz']);
  },
);
