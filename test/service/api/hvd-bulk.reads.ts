/** The bulk bundle: index, digests, names, and what becomes of a damaged file. Codings, ranges and conditions: the fuzzer. */
import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
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
import { casesOf } from '../../support/readers/cases.js';
import { activePointer, eventually } from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';

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
      t.strictSame([url, type], [`${BASE}/${name}`, TYPES[name]]);
      t.strictSame([answer.body.length, digest(answer.body)], [size, sha256], name);
      const base64 = Buffer.from(sha256, 'hex').toString('base64');
      for (const [field, value] of Object.entries({
        'content-type': type,
        'content-encoding': undefined,
        'content-length': String(size),
        'x-content-sha256': sha256,
        'repr-digest': `sha-256=:${base64}:`,
        etag: `"${sha256}"`,
        'last-modified': date,
        'accept-ranges': 'bytes',
        'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        'x-snapshot-id': 'generated-6-5-300-1',
      })) {
        t.equal(fieldOf(answer, field), value, `${field} of ${name}`);
      }
      t.match(fieldOf(answer, 'cache-control'), /^public, max-age=\d+.*no-transform/);
      const head = await ask(url, {}, 'HEAD');
      t.same(fieldsWithoutDate(head), fieldsWithoutDate(answer), `HEAD ${name}`);
      if (name !== 'SHA256SUMS') t.ok(sums.includes(`${sha256}  ${name}`), name);
    }
    const parameters = await ask('/api/v1/parameters');
    t.ok(bytesOf(files, 'parameters.json').equals(parameters.body));
    for (const list of ['stations', 'parameters']) {
      const records = jsonOf(await ask(`/api/v1/${list}`)) as readonly Record<string, unknown>[];
      const csv = bytesOf(files, `${list}.csv`);
      t.same(parse(csv, { columns: true, record_delimiter: '\r\n' }), records.map(textRecord));
    }
  });

  await t.test('sends a whole text in gzip, under a tag of its own', async (t) => {
    const packed = await ask(csvPath, GZIP);
    t.equal(fieldOf(packed, 'content-encoding'), 'gzip');
    t.ok(packed.body.length < csv.length && gunzipSync(packed.body).equals(csv));
    t.match(fieldOf(packed, 'etag'), /^"[^"]+"$/, 'strong');
    t.not(fieldOf(packed, 'etag'), fieldOf(await ask(csvPath), 'etag'));
    const parquet = await ask(`${BASE}/${OBSERVATIONS}.parquet`, GZIP);
    t.equal(fieldOf(parquet, 'content-encoding'), undefined);
  });

  await t.test('gives a part across segments, and says which it cannot give', async (t) => {
    const size = csv.length;
    const [start, end] = [2 * SEGMENT_BYTES - 1, 64 * SEGMENT_BYTES + 2];
    const part = await ask(csvPath, { Range: `bytes=${start}-${end - 1}` });
    t.equal(part.status, 206);
    t.equal(fieldOf(part, 'content-range'), `bytes ${start}-${end - 1}/${size}`);
    t.ok(part.body.equals(csv.subarray(start, end)));
    for (const range of [`bytes=${size}-`, 'bytes=-0', `bytes=${'9'.repeat(40)}-`]) {
      const answer = await ask(csvPath, { Range: range });
      t.equal(answer.status, 416, range);
      t.equal(fieldOf(answer, 'content-range'), `bytes */${size}`);
      t.equal(fieldOf(answer, 'etag'), undefined);
      t.equal(fieldOf(answer, 'access-control-allow-origin'), '*');
    }
    for (const range of casesOf('refused', 'ranges that are none')) {
      const answer = await ask(csvPath, { Range: range });
      t.strictSame([answer.status, answer.body.length], [200, size], range);
      t.equal(fieldOf(answer, 'content-range'), undefined);
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
    const failed = { status: 'error', check: 'ready', bulk_status: 'error', detail: /README\.md/ };
    t.match(jsonOf(deep), failed);
    await madeAnew(from, readme);

    from = service.lines.length;
    // In a worker, without caches; the front sends what it read before.
    await flipBit(copy, (await ask(readme, GZIP)).body);
    const deepOfGzip = await ask('/health/ready?deep=1');
    t.equal(deepOfGzip.status, 503);
    t.match(jsonOf(deepOfGzip), failed);
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

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
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
