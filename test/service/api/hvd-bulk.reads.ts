/** The bulk bundle as clients download it: verified, whole, in ranges, under conditions; and what becomes of a damaged one. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { SEGMENT_BYTES } from '../../../src/snapshot/local/copy-files.js';
import { copyFolder } from '../../support/service/copy-folders.js';
import {
  asker,
  fieldOf,
  fieldsWithoutDate,
  jsonOf,
  type Ask,
} from '../../support/service/connection.js';
import { generateDocument } from '../../support/documents/documents.js';
import { textRecord } from '../../support/expected/expected-hvd.js';
import { scaled, seedOf } from '../../support/faults/chance.js';
import { casesOf } from '../../support/readers/cases.js';
import { openDuckDb } from '../../support/readers/duckdb.js';
import { anyRange, anyRequest, expectedOutcome, type Tags } from './bulk-outcomes.js';
import { activePointer, eventually } from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';

type Plain = Readonly<Record<string, unknown>>;

const BASE = '/api/v1/bulk';
const OBSERVATIONS = 'observations_hourly_preliminary_last30days';
const NO_RESOURCE = '{"detail":"Bulk resource not found."}';

const TYPES: Readonly<Record<string, string>> = {
  'stations.csv': 'text/csv; charset=utf-8',
  'stations.geojson': 'application/geo+json',
  'parameters.csv': 'text/csv; charset=utf-8',
  'parameters.json': 'application/json',
  [`${OBSERVATIONS}.csv`]: 'text/csv; charset=utf-8',
  [`${OBSERVATIONS}.parquet`]: 'application/vnd.apache.parquet',
  'README.md': 'text/markdown; charset=utf-8',
  SHA256SUMS: 'text/plain; charset=utf-8',
};

interface Resource {
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly download_url: string;
}

/** The largest files have several blocks, of 64 segments each. */
const document = (): AsyncIterable<Uint8Array> =>
  generateDocument({ stations: 6, components: 5, hours: 300 });

void t.test('of a month of observations', async (t) => {
  const expect = ['front found the local copy damaged', 'local copy damaged', 'unavailable'];
  const service = await startServing(t, document(), { expect });
  const ask = asker(t, service);
  const { activatedAtMs } = await activePointer(service);
  const date = new Date(activatedAtMs).toUTCString();
  const index = await indexOf(ask);
  const files = new Map<string, Buffer>();
  for (const { name, download_url: url } of index) files.set(name, (await ask(url)).body);
  const csv = bytesOf(files, `${OBSERVATIONS}.csv`);
  const csvPath = `${BASE}/${OBSERVATIONS}.csv`;
  t.ok(csv.length > 64 * SEGMENT_BYTES, `${csv.length} bytes`);

  await t.test('says the same of every file in index, fields, checksums and bytes', async (t) => {
    t.same(
      index.map(({ name }) => name),
      Object.keys(TYPES),
    );
    const sums = bytesOf(files, 'SHA256SUMS').toString().trimEnd().split('\n');
    t.equal(sums.length, 7);
    for (const { name, content_type: type, size_bytes: size, sha256, download_url: url } of index) {
      const answer = await ask(url, { 'Accept-Encoding': 'identity' });
      t.equal(url, `${BASE}/${name}`);
      t.equal(type, TYPES[name]);
      t.equal(fieldOf(answer, 'content-type'), type);
      t.equal(fieldOf(answer, 'content-encoding'), undefined, 'as it is');
      t.equal(fieldOf(answer, 'content-length'), String(size));
      t.equal(answer.body.length, size);
      t.equal(digest(answer.body), sha256);
      t.equal(fieldOf(answer, 'x-content-sha256'), sha256);
      const base64 = Buffer.from(sha256, 'hex').toString('base64');
      t.equal(fieldOf(answer, 'repr-digest'), `sha-256=:${base64}:`);
      t.equal(fieldOf(answer, 'etag'), `"${sha256}"`);
      t.equal(fieldOf(answer, 'last-modified'), date);
      t.equal(fieldOf(answer, 'accept-ranges'), 'bytes');
      t.equal(fieldOf(answer, 'content-range'), undefined);
      t.equal(
        fieldOf(answer, 'content-disposition'),
        `attachment; filename="${name}"; filename*=UTF-8''${name}`,
      );
      t.match(fieldOf(answer, 'cache-control'), /^public, max-age=\d+.*no-transform/);
      t.equal(fieldOf(answer, 'x-snapshot-id'), 'generated-6-5-300-1');
      const head = await ask(url, {}, 'HEAD');
      t.same(fieldsWithoutDate(head), fieldsWithoutDate(answer), `HEAD ${name}`);
      if (name !== 'SHA256SUMS') t.ok(sums.includes(`${sha256}  ${name}`), name);
    }
  });

  await t.test('sends a whole text in gzip to a client that accepts it', async (t) => {
    let compressed = 0;
    for (const [name, whole] of files) {
      const plain = await ask(`${BASE}/${name}`);
      const answer = await ask(`${BASE}/${name}`, GZIP);
      const head = await ask(`${BASE}/${name}`, GZIP, 'HEAD');
      t.same(fieldsWithoutDate(head), fieldsWithoutDate(answer), `HEAD ${name}`);
      if (fieldOf(answer, 'content-encoding') === undefined) {
        t.ok(name.endsWith('.parquet') || whole.length < 1024, `${name} is not compressed`);
        t.same(fieldsWithoutDate(answer), fieldsWithoutDate(plain), name);
        continue;
      }
      compressed += 1;
      t.ok(answer.body.length < whole.length && gunzipSync(answer.body).equals(whole), name);
      t.match(fieldOf(answer, 'etag'), /^"[^"]+"$/, 'strong');
      t.not(fieldOf(answer, 'etag'), fieldOf(plain, 'etag'));
      const base64 = createHash('sha256').update(answer.body).digest('base64');
      t.equal(fieldOf(answer, 'repr-digest'), `sha-256=:${base64}:`, 'of what is sent');
      for (const field of ['content-type', 'cache-control', 'accept-ranges', 'last-modified']) {
        t.equal(fieldOf(answer, field), fieldOf(plain, field), `${field} of ${name}`);
      }
    }
    t.ok(compressed >= 3, `${compressed} files`);
  });

  await t.test('answers any coding, range and condition by the rules of HTTP', async (t) => {
    const tags = new Map<string, Tags>();
    for (const name of files.keys()) {
      const plain = fieldOf(await ask(`${BASE}/${name}`, {}, 'HEAD'), 'etag') ?? '';
      const gzip = fieldOf(await ask(`${BASE}/${name}`, GZIP, 'HEAD'), 'etag') ?? '';
      tags.set(name, { plain, gzip });
    }
    const seen = new Map<string, number>();
    const request = fc
      .constantFrom(...files.keys())
      .chain((name) => anyRequest(name, tags.get(name) ?? { plain: '', gzip: '' }, date));
    await fc.assert(
      fc.asyncProperty(request, async ({ name, tags, fields, method }) => {
        const whole = bytesOf(files, name);
        const expected = expectedOutcome({ tags, fields, method });
        const answer = await ask(`${BASE}/${name}`, fields, method);
        const { status } = answer;
        assert.equal(status, expected.status, 'status');
        const coding = fieldOf(answer, 'content-encoding') ?? 'plain';
        seen.set(`${status} ${coding}`, (seen.get(`${status} ${coding}`) ?? 0) + 1);
        if (status === 412 || status === 416) return;
        assert.equal(fieldOf(answer, 'etag'), expected.tag, 'tag');
        const isGzip = status === 200 && tags.gzip !== tags.plain && expected.tag === tags.gzip;
        assert.equal(coding, isGzip ? 'gzip' : 'plain');
        assert.equal(fieldOf(answer, 'vary') === undefined, tags.gzip === tags.plain, 'Vary');
        if (status === 304 || method === 'HEAD') {
          assert.equal(answer.body.length, 0);
          return;
        }
        assert.equal(fieldOf(answer, 'x-content-sha256'), digest(whole));
        const bytes = isGzip ? gunzipSync(answer.body) : answer.body;
        assert(bytes.equals(whole.subarray(...(expected.part ?? []))), 'other bytes');
      }),
      { numRuns: scaled(600), seed: seedOf(t) },
    );
    const all = ['200 gzip', '200 plain', '206 plain', '304 plain', '412 plain', '416 plain'];
    t.same([...seen.keys()].toSorted(), all, JSON.stringify(Object.fromEntries(seen)));
  });

  await t.test('gives any range of bytes of any file', async (t) => {
    const request = fc
      .constantFrom(...files.keys())
      .chain((name) => fc.tuple(fc.constant(name), anyRange(bytesOf(files, name).length)));
    await fc.assert(
      fc.asyncProperty(request, async ([name, { range, start, end }]) => {
        const whole = bytesOf(files, name);
        const answer = await ask(`${BASE}/${name}`, { Range: range });
        assert.equal(answer.status, 206, range);
        assert.equal(fieldOf(answer, 'content-range'), `bytes ${start}-${end - 1}/${whole.length}`);
        assert.equal(fieldOf(answer, 'x-content-sha256'), digest(whole));
        assert(
          answer.body.equals(whole.subarray(start, end)),
          `other bytes in ${range} of ${name}`,
        );
      }),
      { numRuns: scaled(150), seed: seedOf(t) },
    );
  });

  await t.test('says which ranges it cannot give, and overlooks what is none', async (t) => {
    const size = csv.length;
    for (const range of [
      `bytes=${size}-`,
      `bytes=${size}-${size}`,
      'bytes=-0',
      `bytes=${'9'.repeat(40)}-`,
    ]) {
      const answer = await ask(csvPath, { Range: range });
      t.equal(answer.status, 416, range);
      t.equal(fieldOf(answer, 'content-range'), `bytes */${size}`);
      t.equal(fieldOf(answer, 'etag'), undefined);
      t.equal(fieldOf(answer, 'access-control-allow-origin'), '*');
    }
    for (const range of casesOf('refused', 'ranges that are none')) {
      const answer = await ask(csvPath, { Range: range });
      t.equal(answer.status, 200, range);
      t.equal(fieldOf(answer, 'content-range'), undefined);
      t.equal(answer.body.length, size);
    }
    const head = await ask(csvPath, { Range: 'bytes=0-9' }, 'HEAD');
    t.equal(head.status, 200, 'a range is for GET alone');
    t.equal(fieldOf(head, 'content-length'), String(size));
  });

  await t.test('knows its files by their very names', async (t) => {
    for (const name of casesOf('refused', 'names of bulk files')) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask(`${BASE}/${name}`, {}, method);
        t.equal(answer.status, 404, name.slice(0, 40));
        if (method === 'GET') t.equal(answer.body.toString(), NO_RESOURCE, name.slice(0, 40));
      }
    }
    for (const path of ['/../meta', '//stations.csv']) {
      t.equal((await ask(BASE + path)).status, 404, path);
    }
    t.equal((await ask(`${BASE}/%52EADME.md`)).status, 200, 'a needless escape changes nothing');
  });

  await t.test('holds the records of the API in every format', async (t) => {
    const stations = jsonOf(await ask('/api/v1/stations')) as readonly Plain[];
    t.same(recordsOf(bytesOf(files, 'stations.csv')), stations.map(textRecord));
    const parameters = await ask('/api/v1/parameters');
    t.ok(bytesOf(files, 'parameters.json').equals(parameters.body));
    t.same(
      recordsOf(bytesOf(files, 'parameters.csv')),
      (jsonOf(parameters) as readonly Plain[]).map(textRecord),
    );
    const stream = (await ask('/api/v1/observations/stream')).body.toString().trimEnd().split('\n');
    const records = stream.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>);
    t.ok(records.length > 8000);
    assert.deepEqual(recordsOf(csv), records.map(textRecord));

    const geo = JSON.parse(bytesOf(files, 'stations.geojson').toString()) as {
      readonly type: string;
      readonly features: readonly Record<string, unknown>[];
    };
    t.equal(geo.type, 'FeatureCollection');
    t.notOk('crs' in geo);
    for (const [at, feature] of geo.features.entries()) {
      const station = stations[at] ?? {};
      t.same(feature, {
        type: 'Feature',
        id: station['station_id'],
        geometry: { type: 'Point', coordinates: [station['longitude'], station['latitude']] },
        properties: station,
      });
    }
    t.equal(geo.features.length, stations.length);

    const path = join(t.testdir(), 'observations.parquet');
    await writeFile(path, bytesOf(files, `${OBSERVATIONS}.parquet`));
    const { rows } = await openDuckDb(t);
    const inParquet = await rows(
      `SELECT station_id, parameter_code, strftime(time_start_utc, '%Y-%m-%dT%H:%M:%SZ') AS time, value FROM '${path}'`,
    );
    assert.deepEqual(
      inParquet,
      records.map((record) => ({
        station_id: record['station_id'],
        parameter_code: record['parameter_code'],
        time: record['time_start_utc'],
        value: record['value'],
      })),
    );
  });

  await t.test('is refused, cut off and made anew where its bytes have changed', async (t) => {
    const copy = join(copyFolder(service.copies, 'generated-6-5-300-1'), 'data.mdb');
    const readme = `${BASE}/README.md`;
    const geo = `${BASE}/stations.geojson`;
    const isWhole = async (url: string): Promise<boolean> => {
      const { status, body } = await ask(url);
      const { sha256 } = index.find(({ download_url: one }) => one === url) ?? {};
      return status === 200 && digest(body) === sha256;
    };
    const lastLine = csv.toString().trimEnd().split('\r\n').at(-1) ?? '';
    const madeAnew = async (from: number, url: string): Promise<void> => {
      await service.waitForLog('front found the local copy damaged', from);
      await service.waitForLog('activated', from);
      await eventually('the file is whole', () => isWhole(url));
    };

    let from = service.lines.length;
    await flipBit(copy, 'sha256sum -c SHA256SUMS');
    const deep = await ask('/health/ready?deep=1');
    t.equal(deep.status, 503);
    t.match(jsonOf(deep), {
      status: 'error',
      check: 'ready',
      bulk_status: 'error',
      detail: /README\.md/,
    });
    await madeAnew(from, readme);

    from = service.lines.length;
    // In a worker, without caches; the front sends what it read before.
    await flipBit(copy, (await ask(readme, GZIP)).body);
    const deepOfGzip = await ask('/health/ready?deep=1');
    t.equal(deepOfGzip.status, 503);
    t.match(jsonOf(deepOfGzip), { bulk_status: 'error', detail: /README\.md/ });
    await madeAnew(from, readme);
    t.equal((await ask('/health/ready?deep=1')).status, 200);

    from = service.lines.length;
    // Nobody has read it yet: what was read and verified stays in memory.
    await flipBit(copy, '"FeatureCollection"');
    t.equal((await ask(geo)).status, 503, 'never a body that contradicts its digest');
    await madeAnew(from, geo);

    from = service.lines.length;
    await flipBit(copy, lastLine);
    await t.rejects(ask(csvPath), /closed after/, 'a status line was out: it is not ended cleanly');
    await madeAnew(from, csvPath);
    t.same(
      await indexOf(ask),
      index,
      'wherever a snapshot is imported, its files are the same bytes',
    );
  });
});

const GZIP = { 'Accept-Encoding': 'gzip' };

async function indexOf(ask: Ask): Promise<readonly Resource[]> {
  const { resources } = jsonOf(await ask(BASE)) as {
    readonly resources: readonly Resource[];
  };
  return resources;
}

function bytesOf(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
  const bytes = files.get(name);
  if (bytes === undefined) throw new Error(`no file ${name}`);
  return bytes;
}

/** Lines of a CSV file as another program reads them. */
function recordsOf(bytes: Buffer): readonly unknown[] {
  return parse(bytes, { columns: true, record_delimiter: '\r\n' });
}

const digests = new WeakMap<Uint8Array, string>();

/** Kept, since each of hundreds of answers is held against the digest of its file. */
function digest(bytes: Uint8Array): string {
  const known = digests.get(bytes) ?? createHash('sha256').update(bytes).digest('hex');
  digests.set(bytes, known);
  return known;
}

/**
 * Turns one bit of a text, or of bytes, that lies in a file, in place: the size stays, and processes that have it
 * mapped see it.
 */
async function flipBit(path: string, text: string | Buffer): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.indexOf(text);
  if (at < 0) throw new Error(`no such bytes in ${path}`);
  const file = await open(path, 'r+');
  try {
    await file.write(Uint8Array.of((bytes[at] ?? 0) ^ 1), 0, 1, at);
  } finally {
    await file.close();
  }
}
