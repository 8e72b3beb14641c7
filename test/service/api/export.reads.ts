/** `GET /portal/export` by the real command: statuses, header fields, the three formats. */
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { oddDocument } from '../../support/documents/odd-document.js';
import { variedDocument } from '../../support/documents/varied-document.js';
import { expectedAnswers } from '../../support/expected/expected-answers.js';
import { sharedService } from '../../support/service/shared-service.js';
import { get, type Received } from '../../support/service/requests.js';
import type { Service } from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';
import { cellsOf } from '../../support/readers/csv.js';
import { EXPORT_COLUMNS } from '../../support/expected/expected-export.js';
import { readOds, readXlsx, type Cell } from '../../support/readers/spreadsheets.js';

const BAD_REQUEST = '{"detail":"Invalid request parameters."}';
const NO_DATA = '{"detail":"No public data found for the requested resource."}';

const BUSY = '{"detail":"Service is busy. Try again later."}';

const FORMATS = ['csv', 'xlsx', 'ods'] as const;
const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
} as const;

const NUMBERS = ['organization_id', 'station_id', 'network_id', 'component_id', 'value'];

const GOOD = {
  organization_id: '1',
  station_id: '11',
  component_id: '5',
  window: '7d',
  format: 'csv',
};

void t.test('the export', async (t) => {
  const service = await startServing(t, oddDocument());

  await t.test('gives one series as a file in each of three formats', async (t) => {
    const csv = await get(service, target({ window: '30d' }));
    t.equal(csv.body.toString('utf8'), expectedCsv());
    for (const format of FORMATS) {
      const { status, headers, body } = await get(service, target({ format }));
      const type = headers['content-type'];
      const { 'content-disposition': disposition, 'content-length': length } = headers;
      t.strictSame([status, type], [200, TYPES[format]]);
      t.equal(disposition, `attachment; filename="bura_1_11_5_7d.${format}"`);
      t.strictSame([length, headers['x-record-count']], [String(body.length), '4']);
      t.strictSame([headers.etag, headers['x-snapshot-id']], [`W/"odd-${BUILD_ID}"`, 'odd']);
      t.equal(headers['access-control-allow-origin'], '*');

      const head = await get(service, target({ format }), { method: 'HEAD' });
      t.strictSame([head.status, head.body.length], [200, 0]);
      t.strictSame(withoutDate(head), withoutDate({ headers }));

      const conditions = { 'If-None-Match': `W/"odd-${BUILD_ID}"` };
      const known = await get(service, target({ format }), { headers: conditions });
      t.strictSame([known.status, known.body.length], [304, 0]);

      const compressed = await get(service, target({ format }), {
        headers: { 'Accept-Encoding': 'gzip' },
      });
      const isCompressed = compressed.headers['content-encoding'] === 'gzip';
      t.ok(format === 'csv' || !isCompressed, 'what is compressed inside is not compressed again');
      t.ok((isCompressed ? gunzipSync(compressed.body) : compressed.body).equals(body));
    }
  });

  await t.test('holds the same cells in every format, text as text', async (t) => {
    const files = Object.fromEntries(
      await Promise.all(
        FORMATS.map(async (format) => {
          const { body } = await get(service, target({ window: '30d', format }));
          return [`izvoz.${format}`, body] as const;
        }),
      ),
    );
    const { 'izvoz.csv': csv, 'izvoz.xlsx': xlsx, 'izvoz.ods': ods } = files;
    if (!csv || !xlsx || !ods) throw new Error('three files');
    const rows = cellsOf(csv.toString('utf8'));
    const cells = rows.map((row, index) =>
      row.map((text, column): Cell => {
        const isNumber = index > 0 && NUMBERS.includes(EXPORT_COLUMNS[column] ?? '');
        return { type: isNumber ? 'number' : 'text', text };
      }),
    );
    t.strictSame(readXlsx(xlsx), cells);
    t.strictSame(readOds(ods), cells);
  });

  await t.test('refuses what is missing, blank or not what it should be', async (t) => {
    const wrong: readonly Readonly<Partial<Record<keyof typeof GOOD, string | undefined>>>[] = [
      ...Object.keys(GOOD).flatMap((name) =>
        ['', ' ', undefined].map((text) => ({ [name]: text })),
      ),
      ...['organization_id', 'station_id', 'component_id'].flatMap((name) =>
        ['x', '1.0', '+1', '1e1', '0x1', '１'].map((text) => ({ [name]: text })),
      ),
      ...['1h', '14d', '8d', '7D', '7d '].map((window) => ({ window })),
      ...['pdf', 'CSV', 'csv,ods', '../csv'].map((format) => ({ format })),
    ];
    for (const change of wrong) {
      await answers(t, service, target(change), 400, BAD_REQUEST);
    }
    await answers(t, service, '/portal/export', 400, BAD_REQUEST);
  });

  await t.test('answers 404 for what does not exist, is not public or has no data', async (t) => {
    const nowhere: readonly Readonly<Partial<typeof GOOD>>[] = [
      { organization_id: '2' },
      { organization_id: '-1' },
      { station_id: '12' },
      { station_id: '13' },
      { station_id: '99999999999999999999999' },
      { component_id: '6' },
      { component_id: '7' },
      { component_id: '8' },
      { component_id: '9', window: '1d' },
    ];
    for (const change of nowhere) {
      for (const format of FORMATS) {
        await answers(t, service, target({ ...change, format }), 404, NO_DATA);
      }
      // A 404 never becomes 304.
      const headers = { 'If-None-Match': '*' };
      t.equal((await get(service, target(change), { headers })).status, 404);
    }
    t.equal((await get(service, target({ component_id: '9' }))).status, 200);
  });
});
void t.test('gives a crowd right files or 503, and others an answer', async (t) => {
  const service = await sharedService();
  const series = [...expectedAnswers(variedDocument()).keys()].flatMap(
    (one) => /^\/measurements(.*)window=30d$/.exec(one)?.[1] ?? [],
  );
  const targets = series.flatMap((query) =>
    ['xlsx', 'ods'].map((format) => `/portal/export${query}window=30d&format=${format}`),
  );
  const crowd = Promise.all([...targets, ...targets].map((one) => get(service, one)));
  for (let asked = 0; asked < 10; asked += 1) t.equal((await get(service, '/meta')).status, 200);
  const received = await crowd;
  t.ok(received.some(({ status }) => status === 200));
  for (const [index, { status, headers, body }] of received.entries()) {
    const of = targets[index % targets.length] ?? '';
    if (status === 503) {
      t.ok(body.toString() === BUSY && Number(headers['retry-after']) > 0, of);
      continue;
    }
    const csv = await get(service, of.replace(/format=\w+/, 'format=csv'));
    const cells = of.endsWith('xlsx') ? readXlsx(body) : readOds(body);
    t.strictSame(
      cells.map((row) => row.map(({ text }) => text)),
      cellsOf(csv.body.toString()),
      of,
    );
  }
});

async function answers(
  t: Test,
  service: Service,
  of: string,
  status: number,
  body: string,
): Promise<void> {
  const answer = await get(service, of);
  t.strictSame([answer.status, answer.body.toString('utf8')], [status, body], of);
  t.equal(answer.headers['cache-control'], 'no-store');
}

function target(changes: Readonly<Partial<Record<keyof typeof GOOD, string | undefined>>>): string {
  const given = Object.entries({ ...GOOD, ...changes }).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name}=${encodeURIComponent(text)}`],
  );
  return `/portal/export?${given.join('&')}`;
}

function withoutDate({ headers }: Pick<Received, 'headers'>): Received['headers'] {
  return { ...headers, date: '' };
}

/** Written by hand. */
function expectedCsv(): string {
  const before = `1,"<script>alert(""1"")</script> & sinovi",11,=1+1,+cmd|' /C calc'!A0,3,"@SUM(A1)\tTAB, ""navodnici""",`;
  const after = ',5,Ћуфте 😀 _x000D_,-µg/m³,';
  return [
    EXPORT_COLUMNS.join(','),
    `${before}2026-09-03,00:00${after}0.00`,
    `${before}2026-09-08,10:00${after}-12.35`,
    `${before}2026-09-08,12:00${after}1000000.00`,
    `${before}2026-09-09,23:00${after}1.00`,
    '',
  ].join('\r\n');
}
