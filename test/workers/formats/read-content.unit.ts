/** Files of the archive as they are checked before they are kept: whatever lengths a file names, little memory is taken. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import { readContent } from '../../../src/workers/formats/parquet/read-content.js';
import { openDuckDb } from '../../support/readers/duckdb.js';

const ROWS = `SELECT CAST(2 + r % 3 AS VARCHAR) AS station_id, ['NO2', 'm,p-Xylene'][1 + r % 2] AS parameter_code,
  r / 10.0 AS value FROM range(300) AS t(r)`;

function read(bytes: Uint8Array) {
  const slice = (from: number, to = bytes.length): ArrayBuffer =>
    new Uint8Array(bytes.subarray(from, to)).buffer;
  return readContent({ byteLength: bytes.length, slice });
}

void t.test('who has a row in a file', async (t) => {
  const database = await openDuckDb(t);
  const path = join(t.testdir(), 'rows.parquet');
  for (const codec of ['snappy', 'uncompressed']) {
    await database.rows(`COPY (${ROWS}) TO '${path}' (FORMAT parquet, COMPRESSION ${codec})`);
    const content = await read(await readFile(path));
    t.same(content.stationIds.toSorted(), ['2', '3', '4']);
    t.same(content.parameterCodes.toSorted(), ['NO2', 'm,p-Xylene']);
  }
  await database.rows(`COPY (SELECT '7' AS station_id) TO '${path}' (FORMAT parquet)`);
  t.same(await read(await readFile(path)), { stationIds: ['7'], parameterCodes: [] });
});

void t.test('a file that names lengths that cannot be is refused', async (t) => {
  const database = await openDuckDb(t);
  const path = join(t.testdir(), 'rows.parquet');
  await database.rows(`COPY (${ROWS}) TO '${path}' (FORMAT parquet, COMPRESSION snappy)`);
  const whole = await readFile(path);
  const before = process.memoryUsage().rss;
  let refused = 0;
  for (let at = 0; at < whole.length; at += 1) {
    for (const value of [0xff, 0x7f, 0]) {
      const bytes = Buffer.from(whole);
      bytes[at] = value;
      try {
        await read(bytes);
      } catch (error) {
        assert(error instanceof SnapshotError && error.code === 'archive_damaged', String(error));
        refused += 1;
      }
    }
  }
  t.ok(refused > whole.length / 10, `${refused} refused`);
  const taken = process.memoryUsage().rss - before;
  // Less than one length that is believed; Node 24 takes 310 MB for all of them.
  t.ok(taken < 1e9, `${taken} bytes`);
  for (const length of [0, 3, 11, 12, 100, whole.length - 1]) {
    await t.rejects(read(whole.subarray(0, length)), { code: 'archive_damaged' }, `${length}`);
  }
  // The length of the first page, a varint after the magic number and the type of the page: 2 GB instead of its own.
  const lengthAt = 4 + 3;
  const lengthEnd = 1 + whole.findIndex((byte, at) => at >= lengthAt && byte < 0x80);
  const huge = Buffer.from([0xfe, 0xff, 0xff, 0xff, 0x0f]);
  const long = Buffer.concat([whole.subarray(0, lengthAt), huge, whole.subarray(lengthEnd)]);
  await t.rejects(read(long), { code: 'archive_damaged', message: /a page is too long/ });
});
