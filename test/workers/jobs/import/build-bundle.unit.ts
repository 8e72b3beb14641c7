/** The eight files of the bulk bundle, of a Serbian network's snapshot. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildDocument } from '../../../../src/publishing/tables/build-document.js';
import { readSnapshot } from '../../../../src/snapshot/document/read.js';
import type { Snapshot } from '../../../../src/snapshot/domain/model.js';
import { publicPart } from '../../../../src/snapshot/domain/public.js';
import type { Digest } from '../../../../src/snapshot/domain/digest.js';
import { BULK_FILES } from '../../../../src/views/hvd/bulk.js';
import type { WrittenFile } from '../../../../src/workers/messages.js';
import {
  buildObservationsFile,
  finishBundle,
} from '../../../../src/workers/jobs/import/build-bundle.js';
import { generateDocument } from '../../../support/documents/documents.js';
import { observationsCsvTable, openDuckDb } from '../../../support/readers/duckdb.js';

const OBSERVATIONS = 'observations_hourly_preliminary_last30days';

const README = '# Ветар\n';

/** The fixture's public part. */
async function serbianSnapshot(t: Test): Promise<Snapshot> {
  const out = join(t.testdir(), 'document.json.gz');
  await buildDocument({ from: join(process.cwd(), 'test/fixtures/serbia'), out });
  return publicPart(await readSnapshot(createReadStream(out)));
}

const serbia = await serbianSnapshot(t);

async function build(directory: string, snapshot: Snapshot): Promise<readonly WrittenFile[]> {
  await mkdir(directory);
  const { header, components, observations } = snapshot;
  const task = { directory, header, components, observations };
  return finishBundle({
    directory,
    snapshot,
    observations: [
      buildObservationsFile({ ...task, format: 'csv' }),
      buildObservationsFile({ ...task, format: 'parquet' }),
    ],
    readme: README,
  });
}

await t.test(
  'writes the eight files, in the order of the index, with their sizes and digests',
  async (t) => {
    const directory = join(t.testdir(), 'bundle');
    const entries = await build(directory, serbia);
    t.strictSame(
      entries.map(({ name }) => name),
      BULK_FILES.map(({ name }) => name),
    );
    const files = new Map<string, Digest>();
    for (const { gzip, ...file } of entries) {
      files.set(file.name, file);
      if (gzip !== undefined) files.set(`${file.name}.gz`, gzip);
    }
    t.strictSame((await readdir(directory)).sort(), [...files.keys()].sort());
    for (const [name, { sizeBytes, sha256 }] of files) {
      const bytes = await readFile(join(directory, name));
      t.equal(sizeBytes, bytes.length, `size of ${name}`);
      t.equal(sha256, createHash('sha256').update(bytes).digest('hex'), `digest of ${name}`);
      if (!name.endsWith('.gz')) continue;
      // By a program of others, which refuses a member that is not whole.
      const unpacked = execFileSync('gzip', ['-dc', join(directory, name)]);
      t.ok(unpacked.equals(await readFile(join(directory, name.slice(0, -3)))), name);
    }
    t.ok(files.has(`${OBSERVATIONS}.csv.gz`));
    t.notOk(files.has(`${OBSERVATIONS}.parquet.gz`), 'compressed inside');
    t.equal(await readFile(join(directory, 'README.md'), 'utf8'), README);
  },
);

await t.test('has checksums that sha256sum accepts', async (t) => {
  const directory = join(t.testdir(), 'bundle');
  await build(directory, serbia);
  const lines = execFileSync('sha256sum', ['--strict', '-c', 'SHA256SUMS'], {
    cwd: directory,
    encoding: 'utf8',
  });
  t.equal(lines.match(/: OK$/gm)?.length, 7);
});

await t.test('has the same observations as CSV and as Parquet, and only public ones', async (t) => {
  const directory = join(t.testdir(), 'bundle');
  await build(directory, serbia);
  const parquet = `read_parquet('${join(directory, OBSERVATIONS)}.parquet')`;
  const csv = observationsCsvTable(`${join(directory, OBSERVATIONS)}.csv`);
  const { rows } = await openDuckDb(t);
  const inParquet = await rows(`FROM ${parquet}`);
  t.strictSame(inParquet, await rows(`FROM ${csv}`));
  const { series } = serbia.observations;
  t.equal(
    inParquet.length,
    series.reduce((sum, { start, end }) => sum + end - start, 0),
  );
  t.strictSame(
    inParquet,
    await rows(
      `FROM ${parquet} ORDER BY station_id::INTEGER, encode(parameter_code), time_start_utc`,
    ),
  );
  const codes = await rows(`SELECT DISTINCT parameter_code AS code FROM ${parquet}`);
  const known = serbia.components.map(({ shortName }) => shortName);
  t.ok(codes.every(({ code }) => known.some((one) => one === code)));
});

await t.test('has no field that must not be there', async (t) => {
  const directory = join(t.testdir(), 'bundle');
  const entries = await build(directory, serbia);
  for (const { name } of entries) {
    const bytes = await readFile(join(directory, name), 'latin1');
    t.notMatch(bytes, /validated|qa_flag|compliance|exceedance/, name);
  }
});

await t.test('is the same bytes when it is made again', async (t) => {
  const document = generateDocument({ stations: 12, components: 4, hours: 720 });
  const snapshot = publicPart(await readSnapshot(document));
  const directory = t.testdir();
  const first = await build(join(directory, 'first'), snapshot);
  t.strictSame(await build(join(directory, 'second'), snapshot), first);
  const { rows } = await openDuckDb(t);
  const parquet = `read_parquet('${join(directory, 'first', OBSERVATIONS)}.parquet')`;
  const csv = observationsCsvTable(`${join(directory, 'first', OBSERVATIONS)}.csv`);
  t.strictSame(await rows(`FROM ${parquet} EXCEPT ALL FROM ${csv}`), []);
  t.strictSame(await rows(`FROM ${csv} EXCEPT ALL FROM ${parquet}`), []);
});
