/** The bulk bundle: fields of its files, names, and a damaged file. Contents, digests, codings, ranges, conditions: the fuzzer. */
import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { SEGMENT_BYTES } from '../../../src/snapshot/local/copy-files.js';
import { generateDocument } from '../../support/documents/documents.js';
import { casesOf, namedCasesOf } from '../../support/readers/cases.js';
import { asker, fieldOf, jsonOf, type Ask } from '../../support/service/connection.js';
import { copyFolder } from '../../support/service/copy-folders.js';
import { startServing } from '../../support/service/serve-documents.js';
import { activePointer, eventually } from '../../support/service/service.js';

const BASE = '/api/v1/bulk';
const NO_RESOURCE = '{"detail":"Bulk resource not found."}';

/** Media types by the names of files. */
const TYPES = namedCasesOf('targets', 'files of the bundle');

interface Resource {
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly download_url: string;
}

void t.test('of a month of observations', async (t) => {
  const expect = ['front found the local copy damaged', 'local copy damaged', 'unavailable'];
  // The largest files have several blocks, of 64 segments each.
  const document = generateDocument({ stations: 6, components: 5, hours: 300 });
  const service = await startServing(t, document, { expect });
  const ask = asker(t, service);
  const { activatedAtMs } = await activePointer(service);
  const date = new Date(activatedAtMs).toUTCString();
  const index = await indexOf(ask);
  const csvPath = `${BASE}/observations_hourly_preliminary_last30days.csv`;
  const csv = (await ask(csvPath)).body;
  t.ok(csv.length > 64 * SEGMENT_BYTES, `${csv.length} bytes`);

  await t.test('says the same of every file in index, fields and bytes', async (t) => {
    const types = index.map(({ name, content_type: type }) => [name, type]);
    t.strictSame(types, [...TYPES]);
    for (const { name, content_type: type, size_bytes: size, sha256, download_url: url } of index) {
      const answer = await ask(url, { 'Accept-Encoding': 'identity' });
      t.equal(url, `${BASE}/${name}`);
      t.strictSame([answer.body.length, digest(answer.body)], [size, sha256], name);
      const base64 = Buffer.from(sha256, 'hex').toString('base64');
      for (const [field, value] of Object.entries({
        'content-type': type,
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
    }
    const [start, end] = [2 * SEGMENT_BYTES - 1, 64 * SEGMENT_BYTES + 2];
    const part = await ask(csvPath, { Range: `bytes=${start}-${end - 1}` });
    t.equal(fieldOf(part, 'content-range'), `bytes ${start}-${end - 1}/${csv.length}`);
    t.ok(part.body.equals(csv.subarray(start, end)), 'a part across segments');
  });

  await t.test('gives all observations as CSV from its compressed file', async (t) => {
    const gzip = { 'Accept-Encoding': 'gzip' };
    const [bulk, all] = [await ask(csvPath, gzip), await ask('/api/v1/observations.csv', gzip)];
    t.equal(fieldOf(all, 'content-encoding'), 'gzip');
    t.equal(fieldOf(all, 'content-length'), String(bulk.body.length));
    t.ok(all.body.equals(bulk.body));
    t.ok(gunzipSync(all.body).equals(csv));
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

  await t.test('is refused and made anew where its bytes have changed', async (t) => {
    const copy = join(copyFolder(service.copies, 'generated-6-5-300-1'), 'data.mdb');
    const readme = `${BASE}/README.md`;
    const geo = `${BASE}/stations.geojson`;
    const isWhole = async (url: string): Promise<boolean> => {
      const { status, body } = await ask(url);
      const { sha256 } = index.find(({ download_url: one }) => one === url) ?? {};
      return status === 200 && digest(body) === sha256;
    };
    const madeAnew = async (from: number, url: string): Promise<void> => {
      await service.waitForLog('front found the local copy damaged', from);
      await service.waitForLog('activated', from);
      await eventually('the file is whole', () => isWhole(url));
    };

    for (const coding of ['identity', 'gzip']) {
      const from = service.lines.length;
      // Checked in a worker, without caches; the front sends what it read before.
      const { body } = await ask(readme, { 'Accept-Encoding': coding });
      await flipBit(copy, coding === 'gzip' ? body : 'sha256sum -c SHA256SUMS');
      const deep = await ask('/health/ready?deep=1');
      t.equal(deep.status, 503, coding);
      const failed = { status: 'error', check: 'ready', bulk_status: 'error' };
      t.match(jsonOf(deep), { ...failed, detail: /README\.md/ });
      await madeAnew(from, readme);
    }
    t.equal((await ask('/health/ready?deep=1')).status, 200);

    const from = service.lines.length;
    // Nobody has read it yet: what was read and verified stays in memory.
    await flipBit(copy, '"FeatureCollection"');
    t.equal((await ask(geo)).status, 503, 'never a body that contradicts its digest');
    await madeAnew(from, geo);
    t.same(await indexOf(ask), index, 'an import makes the same bytes everywhere');
  });
});

async function indexOf(ask: Ask): Promise<readonly Resource[]> {
  const { resources } = jsonOf(await ask(BASE)) as { readonly resources: readonly Resource[] };
  return resources;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Turns one bit of what lies in a file, in place: the size stays, and processes that have it mapped see it. */
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
