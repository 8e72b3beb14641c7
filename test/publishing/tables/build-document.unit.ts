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

const SERBIA = join(process.cwd(), 'test/fixtures/serbia');

/** A copy of the fixture, and where a document may go. */
async function folders(t: Test) {
  const directory = t.testdir();
  const from = join(directory, 'tables');
  await cp(SERBIA, from, { recursive: true });
  await mkdir(join(directory, 'out'));
  return { from, out: join(directory, 'out', 'document.json.gz') };
}

async function edit(from: string, file: string, change: (text: string) => string): Promise<void> {
  const path = join(from, file);
  const text = await readFile(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`nothing to change in ${file}`);
  await writeFile(path, changed);
}

const readDocument = (path: string) => readSnapshot(createReadStream(path));

async function refusalOf(options: BuildOptions): Promise<string> {
  return await buildDocument(options).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

const MEASUREMENTS = 'measurements.csv';

await t.test('builds a document that says what the tables say, digit for digit', async (t) => {
  const { from, out } = await folders(t);
  const { snapshotId, rows, sizeBytes } = await buildDocument({ from, out });
  t.match(snapshotId, /^20260915T230000Z-[0-9a-f]{12}$/);
  const bytes = await readFile(out);
  t.equal(sizeBytes, bytes.length);
  t.equal(bytes.readUInt32LE(4), 0, 'gzip without a time');
  const text = gunzipSync(bytes).toString();
  t.match(text, '"latitude":44.8168146768154,"longitude":20.4699406027794');
  t.match(text, '"elevation_m":78.0');
  t.notMatch(text, '""', 'empty cells are absent');
  const { header, organizations, stations, components } = await readDocument(out);
  t.match(header, {
    schemaVersion: '1.2.0',
    snapshotId,
    generatedAtMs: Date.parse('2026-09-15T23:00:00Z'),
    supportedWindows: ['1h', '1d', '7d', '14d', '30d'],
    counts: { organizations: 2, networks: 2, stations: 8, components: 11, measurement_rows: rows },
  });
  t.match(organizations, [
    { id: 1, shortName: 'SEPA', additional: { website: 'https://sepa.gov.rs' } },
    { id: 2, name: 'Градски завод за јавно здравље', additional: {} },
  ]);
  const phone = '011 123-456';
  t.match(Object.fromEntries(stations.map((one) => [one.id, one])), {
    9: { municipality: 'Beograd', active: true },
    106: { city: undefined, latitude: undefined },
    88: { name: 'Franše d’Epere', networkCode: 'LMKV', additional: { phone } },
    900: { public: false, stationType: 'other' },
  });
  t.match(Object.fromEntries(components.map((one) => [one.id, one])), {
    431: { casNumber: '100-41-4' },
    999: { public: false },
  });
  const [, ...lines] = (await readFile(join(from, MEASUREMENTS), 'utf8')).trim().split('\n');
  const { measurements } = JSON.parse(text) as { readonly measurements: readonly object[] };
  t.same(
    measurements,
    lines.map((line) => {
      const [station = '', component = '', date, time, value = ''] = line.split(',');
      const ids = { station_id: Number(station), component_id: Number(component) };
      return { ...ids, date, time, value: value === '' ? null : Number(value) };
    }),
  );
});

await t.test('makes the same bytes again, and another id for other content', async (t) => {
  const { from, out } = await folders(t);
  const first = await buildDocument({ from, out });
  const bytes = await readFile(out);
  const ids = new Set([first.snapshotId, (await buildDocument({ from, out })).snapshotId]);
  t.equal(ids.size, 1);
  t.ok(bytes.equals(await readFile(out)));
  const demonstration = await buildDocument({ from, out, demonstration: true });
  ids.add(demonstration.snapshotId);
  const changed = gunzipSync(await readFile(out)).toString();
  const plain = changed.replace('"demonstration":true,\n', '');
  const same = plain.replace(demonstration.snapshotId, first.snapshotId);
  t.equal(same, gunzipSync(bytes).toString(), 'a demonstration says so, and nothing else');
  await edit(from, MEASUREMENTS, (text) => text.replace('7.5067', '7.5068'));
  ids.add((await buildDocument({ from, out })).snapshotId);
  await edit(from, 'networks.csv', (text) => text.replace('LMKV', 'LMK'));
  ids.add((await buildDocument({ from, out })).snapshotId);
  t.equal(ids.size, 4);
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
    text.replaceAll(/,(1,1|2,2),/g, ',,,').replace('organization_id,network_id,', 'a,b,'),
  );
  const nobody = await refusalOf({ from, out });
  t.match(nobody, /^organizations\.csv: not found: give --organization-name/);
  const named = { organizationName: 'Agencija', organizationShortName: 'SEPA', snapshotId: 'mine' };
  await buildDocument({ from, out, ...named, generatedAt: '2026-09-20T12:30:00Z' });
  const { header, organizations, networks, stations } = await readDocument(out);
  t.equal(header.snapshotId, 'mine');
  t.equal(header.generatedAtMs, Date.parse('2026-09-20T12:30:00Z'));
  t.match(organizations, [{ id: 1, name: 'Agencija', shortName: 'SEPA' }]);
  t.match(networks, [{ id: 1, code: 'SEPA', name: 'Agencija', shortName: 'SEPA' }]);
  t.ok(stations.every((station) => station.organizationId === 1 && station.networkCode === 'SEPA'));
});

/** Texts of files and their replacements, and the pattern of the message. */
const MISTAKES = JSON.parse(
  await readFile('test/fixtures/tables/mistakes.json', 'utf8'),
) as readonly {
  readonly file: string;
  readonly changes: readonly (readonly [text: string, by: string])[];
  readonly says: string;
}[];

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
  const none = /^measurements: no row with a date and a time: give --generated-at$/;
  await refuses(t, MEASUREMENTS, head, none);
  await refuses(t, 'networks.csv', () => '', /^networks\.csv: no column network_id; /);
});

/** The table with a column more, with the same cell in every record. */
function withColumn(table: string, name: string, cell = ''): string {
  const lines = table.trimEnd().split('\n');
  return lines.map((line, at) => `${line},${at === 0 ? name : cell}\n`).join('');
}

await t.test('builds schema 1.3.0 with names and times from their columns', async (t) => {
  const { from, out } = await folders(t);
  const time = '2026-09-16T01:00:00Z';
  const why = 'has no meaning before schema version 1.3.0 (--schema-version)';
  const notes: string[] = [];
  for (const [file, name, cell] of [
    ['components.csv', 'parameter_name', 'Ime'],
    [MEASUREMENTS, 'published_at_utc', time],
    [MEASUREMENTS, 'updated_at_utc', ''],
  ] as const) {
    await edit(from, file, (text) => withColumn(text, name, cell));
    notes.push(`${file}: ${name} ${why}`);
  }
  const old = await buildDocument({ from, out });
  t.strictSame(old.notes, notes);
  t.notOk('publishedAtMs' in (await readDocument(out)).observations);
  const built = await buildDocument({ from, out, schemaVersion: '1.3.0' });
  t.strictSame(built.notes, []);
  t.not(built.snapshotId, old.snapshotId, 'other bytes have another id');
  const { header, components, observations } = await readDocument(out);
  t.equal(header.schemaVersion, '1.3.0');
  t.ok(components.every(({ parameterName }) => parameterName === 'Ime'));
  t.ok(observations.publishedAtMs?.every((epochMs) => epochMs === Date.parse(time)));
  t.equal(observations.publishedAtMs?.length, built.rows);
  t.notOk('updatedAtMs' in observations);
  await edit(from, MEASUREMENTS, (text) => text.replace(time, '16.09.2026.'));
  t.match(
    await refusalOf({ from, out, schemaVersion: '1.3.0' }),
    /^measurements\.csv, row 2, column published_at_utc: expected an ISO 8601 .*, got "16\.09\.2026\."$/,
  );
});

await t.test('names the file that cannot be read or written, and leaves it as it is', async (t) => {
  const { from, out } = await folders(t);
  const folder = join(out, '..');
  await symlink(join(from, 'stations.csv'), join(folder, 'link'));
  await mkdir(join(folder, 'folder'));
  await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
  for (const name of ['folder', 'link', 'pipe']) {
    const path = join(folder, name);
    t.equal(await refusalOf({ from, out: path }), `cannot write ${path}: not a regular file`);
  }
  const below = join(from, 'stations.csv', 'document.json');
  t.match(await refusalOf({ from, out: below }), `cannot write ${below}: ENOTDIR`);
  const table = join(from, 'components.csv');
  await rm(table);
  await mkdir(table);
  t.equal(await refusalOf({ from, out }), `cannot read ${table}: not a regular file`);
  t.strictSame(await readdir(folder), ['folder', 'link', 'pipe']);
});

await t.test('refuses tables missing, doubled or not UTF-8, and bad options', async (t) => {
  const { from, out } = await folders(t);
  t.match(await refusalOf({ from, out, generatedAt: 'today' }), /^--generated-at: expected an ISO/);
  t.match(await refusalOf({ from, out, snapshotId: '..' }), /^--snapshot-id: expected/);
  const [plain, zipped] = [join(from, 'stations.csv'), join(from, 'stations.csv.gz')];
  await writeFile(zipped, gzipSync(''));
  t.match(await refusalOf({ from, out }), /^stations\.csv: there is a stations\.csv\.gz too$/);
  await writeFile(zipped, gzipSync(await readFile(plain)).subarray(0, -9));
  await rm(plain);
  t.match(await refusalOf({ from, out }), /^stations\.csv\.gz: not valid gzip/);
  await rm(zipped);
  t.match(await refusalOf({ from, out }), /^stations\.csv: not found in .* \(nor as stations/);
  await writeFile(plain, Buffer.from('station_id,name\n1,Beo\xe8in\n', 'latin1'));
  t.match(await refusalOf({ from, out }), /^stations\.csv: not UTF-8 at byte 21$/);
});

const WORDS = JSON.parse(
  await readFile('test/fixtures/tables/usual-words.json', 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, string>>>>;

await t.test('a column with the usual word for a member is refused', async (t) => {
  const { from, out } = await folders(t);
  for (const [table, members] of Object.entries(WORDS)) {
    const path = join(from, `${table}.csv`);
    const whole = await readFile(path, 'utf8');
    for (const [member, words] of Object.entries(members)) {
      for (const [at, word] of words.split(' ').entries()) {
        // Beside the member; others in its place.
        await writeFile(path, at === 0 ? withColumn(whole, word) : whole.replace(member, word));
        const line = `${table}.csv: column "${word}" is not known: call it ${member}`;
        const refusal = await refusalOf({ from, out });
        t.ok(refusal.includes(line), `${table} ${word}: ${refusal}`);
      }
    }
    await writeFile(path, whole);
  }
  for (const word of ['constructor', 'operator', 'nameplate', 'national_code', 'latlon']) {
    await edit(from, 'stations.csv', (text) => withColumn(text, word));
  }
  t.equal(await refusalOf({ from, out }), '', 'other columns pass through');
});
