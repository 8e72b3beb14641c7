/** The archive of a store as clients read it: its index, its files in ranges, its daily values; kept or not, and while the store is away. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import { asker, fieldOf, fieldsWithoutDate, jsonOf } from '../../support/service/connection.js';
import { beginAnswer, get } from '../../support/service/requests.js';
import { eventually, startService, type Service } from '../../support/service/service.js';
import {
  digestsOf,
  keptFile,
  keptNames,
  listedPaths,
  serveArchive,
  served,
} from '../../support/service/serve-archive.js';
import { expectedDaily, expectedMonths } from '../../support/expected/expected-daily.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import {
  removeArchive,
  storeArchive,
  storeIndex,
  type StoredArchive,
  type StoredFile,
} from '../../support/stores/stored-archive.js';

const BASE = '/api/v1/archive';
const MONTHS = ['2025-11', '2025-12', '2026-01'];
const NO_FILE: StoredFile = { path: '', from: null, to: null, rows: 0, size_bytes: 0, sha256: '' };
const TOO_MANY =
  '{"detail":"Too many rows: stations x parameters x days must be at most 2,000,000."}';
const NONE = '{"detail":"Archive resource not found."}';

void t.test('files that are kept', async (t) => {
  const { service, archive } = await serveArchive(t);
  const ask = asker(t, service);
  const [first = NO_FILE] = archive.files;

  await t.test('has the index of the store, with addresses', async (t) => {
    const answer = await ask(BASE);
    const files = archive.files.map((file) => ({ ...file, download_url: `${BASE}/${file.path}` }));
    t.same(jsonOf(answer), {
      generated_at_utc: '2026-01-10T06:00:00Z',
      time_zone: 'Europe/Belgrade',
      files,
    });
    t.match(fieldOf(answer, 'cache-control'), /^public, max-age=\d+/);
    t.equal(fieldOf(answer, 'x-snapshot-id'), undefined, 'it is made of no snapshot');
  });

  await t.test('gives each file with its digest, for ever', async (t) => {
    for (const { path, size_bytes: size, sha256 } of archive.files) {
      const answer = await ask(`${BASE}/${path}`);
      t.same([answer.status, answer.body], [200, archive.bytes.get(path)], path);
      t.equal(fieldOf(answer, 'content-length'), String(size));
      t.equal(fieldOf(answer, 'x-snapshot-id'), undefined);
      t.equal(fieldOf(answer, 'etag'), `"${sha256}"`);
      t.equal(fieldOf(answer, 'x-content-sha256'), sha256);
      t.equal(fieldOf(answer, 'content-type'), 'application/vnd.apache.parquet');
      t.match(fieldOf(answer, 'cache-control'), /max-age=31536000, immutable, no-transform/);
      const head = await ask(`${BASE}/${path}`, {}, 'HEAD');
      t.same(fieldsWithoutDate(head), fieldsWithoutDate(answer));
    }
    const { path, sha256 } = first;
    for (const [status, fields] of [
      [200, {}],
      [304, { 'If-None-Match': `"${sha256}"` }],
      [412, { 'If-Match': '"other"' }],
      [416, { Range: 'bytes=9999999999-' }],
    ] as const) {
      t.equal((await ask(`${BASE}/${encodeURIComponent(path)}`, fields)).status, status);
    }
    const part = await ask(`${BASE}/${path}`, { Range: 'bytes=1000-70000' });
    const expected = archive.bytes.get(path)?.subarray(1000, 70_001);
    t.same([part.status, part.body], [206, expected], 'over two segments');
  });

  await t.test('has the files as views for DuckDB', async (t) => {
    const answer = await ask(`${BASE}.sql`, { Host: 'air.example:81' });
    t.equal(fieldOf(answer, 'content-type'), 'application/sql; charset=utf-8');
    t.equal(fieldOf(answer, 'vary'), 'Accept-Encoding, Host');
    const sql = answer.body.toString();
    const urls = [...sql.matchAll(/'http:\/\/air\.example:81\/api\/v1\/archive\/([^']+)'/g)];
    const paths = archive.files.map(({ path }) => path);
    t.same(urls.map(([, path = '']) => path).toSorted(), paths);
    const other = await ask(`${BASE}.sql`, { Host: 'other.example' });
    t.not(fieldOf(other, 'etag'), fieldOf(answer, 'etag'));
    const folder = join(service.published, 'archive', '/');
    await archive.database.rows('CREATE SCHEMA IF NOT EXISTS read; USE read');
    await archive.database.rows(sql.replaceAll(`http://air.example:81${BASE}/`, folder));
    for (const name of ['observations', 'daily', 'monthly', 'stations', 'parameters']) {
      const both = `(FROM read.${name} EXCEPT FROM main.${name})
        UNION ALL (FROM main.${name} EXCEPT FROM read.${name})`;
      t.same(await archive.database.rows(`SELECT * FROM (${both}) LIMIT 1`), [], name);
    }
    await archive.database.rows('USE main; DROP SCHEMA read CASCADE');
  });

  await t.test('has days and months of stations as CSV', async (t) => {
    for (const [query, condition] of [
      [
        'station_id=2,10&parameter_code=O3&from=2025-12-30&to=2026-01-03',
        `station_id IN ('2', '10') AND parameter_code = 'O3' AND date >= '2025-12-30' AND date < '2026-01-03'`,
      ],
      ['station_id=99', 'false'],
      [
        'station_id=1&from=2025-12-30T00:00:01Z&to=2026-01-01T12:00Z',
        `station_id = '1' AND date >= '2025-12-31' AND date < '2026-01-02'`,
      ],
      ['station_id=1&from=2026-01-03&to=2025-12-03', 'false'],
    ] as const) {
      const answer = await ask(`/api/v1/daily.csv?${query}`);
      const expected = await expectedDaily(archive, condition);
      t.same([answer.status, answer.body.toString()], [200, expected], query);
      t.equal(fieldOf(answer, 'x-record-count'), String(expected.split('\r\n').length - 2));
      const tag = fieldOf(answer, 'etag') ?? '';
      t.equal((await ask(`/api/v1/daily.csv?${query}`, { 'If-None-Match': tag })).status, 304);
      const moved = await ask(`${BASE}/daily.csv?${query}`);
      t.same([moved.status, fieldOf(moved, 'location')], [308, `/api/v1/daily.csv?${query}`]);
    }
    const months = await ask('/api/v1/monthly.csv?format=json&from=2025-11-02&to=2026-02-01');
    const got = jsonOf(months) as readonly object[];
    const want = await expectedMonths(archive);
    t.equal(got.length, want.length);
    for (const [at, month] of want.entries()) t.match(got[at], month);
    const { status, body } = await ask('/api/v1/daily.csv?from=1000-01-01');
    t.same([status, body.toString()], [400, TOO_MANY]);
  });

  await t.test('has no other file, whatever path is asked for', async (t) => {
    const { path, sha256 } = first;
    for (const other of [
      'index.json',
      `${sha256}.parquet`,
      path.replace(sha256, '0'.repeat(64)),
      `${path}/x`,
      'stations/..%2F..%2Factive.json',
      '%2e%2e/%2e%2e/active.json',
      'a/b/c/d/e/f',
      '%00',
      '%ff',
    ]) {
      const { status, body } = await ask(`${BASE}/${other}`);
      const isNone = /^\{"detail":"(?:Archive resource not found\.|Not Found)"\}$/;
      t.match([status, body.toString()], [404, isNone], other);
    }
  });
});

void t.test('without an archive, or with ARCHIVE=off, there is none', async (t) => {
  const service = await startServing(t, snapshotDocument());
  const isNone = async (one: Service): Promise<boolean> =>
    (await get(one, BASE)).body.toString() === NONE;
  await eventually('it is known that there is none', () => isNone(service));
  for (const path of ['.sql', `/stations/${'0'.repeat(64)}.parquet`]) {
    const { status, body } = await get(service, `${BASE}${path}`);
    t.same([status, body.toString()], [404, NONE], path);
  }
  const archive = await storeArchive(t, service.published, { months: ['2025-12'] });
  await served(service, archive);
  await removeArchive(service.published);
  await eventually('it is gone', () => isNone(service));
  await storeIndex(service.published, archive.files);
  await service.stop();
  const off = await startService(t, { root: service.root, env: { ARCHIVE: 'off' } });
  await eventually('it is off', () => isNone(off));
});

void t.test('a file that was replaced stays at its address for a day', async (t) => {
  const { service, archive: first } = await serveArchive(t);
  const [begun = NO_FILE] = first.files;
  const answer = await beginAnswer(service, `${BASE}/${begun.path}`);
  const next = await storeArchive(t, service.published, { months: MONTHS, first: 2 });
  await served(service, next);
  t.same(await buffer(answer), first.bytes.get(begun.path));
  const replaced = first.files.filter(({ path }) => !next.bytes.has(path));
  t.ok(replaced.length > 0);
  const areAll = (one: Service, wanted: number) => async (): Promise<boolean> => {
    const statuses = replaced.map(async ({ path }) => {
      const { status, body } = await get(one, `${BASE}/${path}`);
      if (status === 200) t.same(body, first.bytes.get(path), path);
      return status;
    });
    return (await Promise.all(statuses)).every((status) => status === wanted);
  };
  t.ok(await areAll(service, 200)(), 'on the instance that has listed them');
  await service.stop();
  const again = await startService(t, { root: service.root });
  await served(again, next);
  t.ok(await areAll(again, 200)(), 'after a restart');
  const env = { LOCAL_DIR: join(service.root, 'other') };
  const other = await startService(t, { root: service.root, env });
  await served(other, next);
  await eventually('they are there on another instance', areAll(other, 200));
  await other.stop();
  // As it is a day later.
  await storeIndex(service.published, first.files);
  await storeIndex(service.published, next.files, 25 * 3_600_000);
  await eventually('they are gone', areAll(again, 404));
  await eventually('their copies are removed', async () =>
    isDeepStrictEqual(await keptNames(again), digestsOf(next.files)),
  );
});

void t.test('the newest months are kept, as many as there is room for', async (t) => {
  const service = await startServing(t, snapshotDocument(), {
    env: { ARCHIVE_DISK_MB: '1', ADMIN_PORT: '0' },
    expect: ['archive incomplete'],
  });
  const large = { months: ['2025-10', ...MONTHS] };
  const { files } = await storeArchive(t, service.published, large);
  const sum = files.reduce((bytes, { size_bytes: size }) => bytes + size, 0);
  t.ok(sum > 1_100_000, `${sum} bytes`);
  const { reason } = await service.waitForLog('archive incomplete');
  t.match(reason, /^\d+ files do not fit into ARCHIVE_DISK_MB or on the disk$/);
  const listed = await listedPaths(service);
  t.ok(files.some(({ path }) => path.includes('month=') && !listed.includes(path)));
  for (const { path, to } of files) {
    const { status } = await get(service, `${BASE}/${path}`);
    t.equal(status, listed.includes(path) ? 200 : 404, path);
    if (to === null) t.ok(listed.includes(path), path);
  }
  const next = await storeArchive(t, service.published, { ...large, first: 2 });
  await eventually('another index has no more', async () => {
    const sizes = (await keptNames(service)).map(async (sha256) => {
      const found = await stat(keptFile(service, { ...NO_FILE, sha256 })).catch(() => undefined);
      return found?.size ?? 0;
    });
    const bytes = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
    t.ok(bytes <= 1_000_000, `${bytes} bytes`);
    const paths = await listedPaths(service);
    return paths.some((path) => path.includes('month=') && next.bytes.has(path));
  });
});

void t.test('the active snapshot hides rows in every answer', async (t) => {
  const { service, archive } = await serveArchive(t);
  const plain = snapshotDocument();
  const stations = objectsOf(plain, 'stations').map((one) =>
    one['station_id'] === 2 ? { ...one, public: false } : one,
  );
  const daily = async (one: Service): Promise<string> =>
    (
      await get(one, '/api/v1/daily.csv?station_id=1,2&from=2025-12-30&to=2026-05-01')
    ).body.toString();
  const expected = (of: StoredArchive, shown: string) =>
    expectedDaily(of, `station_id IN ('1', '2') AND date >= '2025-12-30' AND ${shown}`);
  t.equal(await daily(service), await expected(archive, 'true'));
  const years = '/years?language=en&station_id=2&component_id=1&year=2025';
  t.equal((await get(service, years)).status, 200);

  await publishAndServe(service, snapshotDocument({ snapshot_id: 'station', stations }));
  const isOf1 = `station_id = '1'`;
  t.equal(await daily(service), await expected(archive, isOf1), 'no day of a hidden station');
  t.equal((await get(service, years)).status, 404);
  const shown = archive.files.filter(({ path }) => path.startsWith('parameters/'));
  for (const file of archive.files) {
    const { status } = await get(service, `${BASE}/${file.path}`);
    t.equal(status, shown.includes(file) ? 200 : 404, file.path);
  }
  const sql = (await get(service, `${BASE}.sql`)).body.toString();
  t.notMatch(sql, /observations|daily|stations/);

  await service.stop();
  const again = await startService(t, { root: service.root });
  await again.waitForLog('activated');
  await served(again, { files: shown });
  t.equal(await daily(again), await expected(archive, isOf1), 'nor after a restart');

  const without = await storeArchive(t, service.published, { months: MONTHS, without: [2, 9] });
  await served(again, without);
  const old = archive.files.filter(({ path }) => !without.bytes.has(path));
  t.ok(old.length > 0);
  for (const { path } of old) {
    t.equal((await get(again, `${BASE}/${path}`)).status, 404, 'nor a file that was replaced');
  }

  const components = objectsOf(plain, 'components').map((one) =>
    one['component_id'] === 8 ? { ...one, short_name: 'O3', public: false } : one,
  );
  await publishAndServe(again, snapshotDocument({ snapshot_id: 'component', components }));
  const ofOthers = `parameter_code <> 'O3'`;
  t.equal(await daily(again), await expected(without, ofOthers), 'nor of a hidden parameter');
  await served(again, { files: without.files.filter(({ path }) => path.startsWith('stations/')) });
});
