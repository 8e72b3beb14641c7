/** The lower bound of an import does all of the work that it is there to measure: its files are compared with the data. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import type { LowerBound } from '../../bench/references/lower-bound.js';
import { generateDocument, writeDocument } from '../support/documents/documents.js';
import { ExpectedHvd } from '../support/expected/expected-hvd.js';
import { openDuckDb } from '../support/readers/duckdb.js';

const MODULE = fileURLToPath(new URL('../../bench/references/lower-bound.js', import.meta.url));

void t.test('every file has every record, and is compressed and hashed', async (t) => {
  const folder = t.testdir();
  const document = join(folder, 'document.json.gz');
  await writeDocument(document, generateDocument({ stations: 12, components: 6, hours: 30 }));
  const printed = execFileSync(process.execPath, [MODULE, document, folder], { encoding: 'utf8' });
  const found = JSON.parse(printed) as LowerBound;

  const plain = JSON.parse(gunzipSync(await readFile(document)).toString()) as Record<
    string,
    unknown
  >;
  const { records } = new ExpectedHvd(plain).observations();
  t.equal(found.rows, records.length);
  t.ok(found.cpuSeconds > 0);

  const read = (name: string): Promise<Buffer> => readFile(join(folder, `observations.${name}`));
  const list = JSON.parse((await read('json')).toString()) as { readonly data: unknown };
  t.strictSame(list.data, records);
  const [meta, ...lines] = (await read('ndjson')).toString().trimEnd().split('\n');
  t.match(meta, /^\{"meta":/);
  t.equal(lines.join('\n'), records.map((record) => JSON.stringify(record)).join('\n'));
  const [columns, ...rows] = (await read('csv')).toString().trimEnd().split('\r\n');
  t.equal(columns, Object.keys(records[0] ?? {}).join(','));
  t.strictSame(
    rows,
    records.map((record) => Object.values(record).join(',')),
  );
  const database = await openDuckDb(t);
  const parquet = join(folder, 'observations.parquet');
  const [sum] = await database.rows(
    `SELECT count(*)::INT AS count, count(value)::INT AS present, round(sum(value), 3) AS total FROM '${parquet}'`,
  );
  const values = records.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  t.strictSame(sum, {
    count: records.length,
    present: values.length,
    total: Math.round(values.reduce((total, value) => total + value, 0) * 1000) / 1000,
  });

  for (const name of ['json', 'ndjson', 'csv']) {
    t.ok(gunzipSync(await read(`${name}.gz`)).equals(await read(name)), `${name}.gz`);
  }
  const sums = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
  t.equal(sums.length, 7);
  for (const line of sums) {
    const [digest, name = ''] = line.split('  ');
    const bytes = await readFile(join(folder, name));
    t.equal(createHash('sha256').update(bytes).digest('hex'), digest, name);
  }
});
