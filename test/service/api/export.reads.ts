/** `GET /portal/export` by the real command: statuses, header fields, the three formats. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { oddDocument } from '../../support/documents/odd-document.js';
import { get, type Received } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { cellsOf } from '../../support/readers/csv.js';
import { EXPORT_COLUMNS } from '../../support/expected/expected-export.js';
import { readOds, readXlsx, type Cell } from '../../support/readers/spreadsheets.js';

const BAD_REQUEST = '{"detail":"Invalid request parameters."}';
const NO_DATA = '{"detail":"No public data found for the requested resource."}';

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
} as const;

const NUMBERS = ['organization_id', 'station_id', 'network_id', 'component_id', 'value'];

const GOOD: Readonly<Record<string, string>> = {
  organization_id: '1',
  station_id: '11',
  component_id: '5',
  window: '30d',
  format: 'csv',
};

/** The good request with other values; without those that are undefined. */
function target(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries({ ...GOOD, ...changes }).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name}=${encodeURIComponent(text)}`],
  );
  return `/portal/export?${given.join('&')}`;
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

void t.test('the export', async (t) => {
  const service = await startServing(t, oddDocument());
  const withoutDate = ({ headers }: Received) => ({ ...headers, date: '' });

  await t.test(
    'gives one series as a file in each format, the same cells, text as text',
    async (t) => {
      const csv = (await get(service, target())).body.toString();
      t.equal(csv, expectedCsv());
      const cells = cellsOf(csv).map((row, index) =>
        row.map((text, column): Cell => {
          const isNumber = index > 0 && NUMBERS.includes(EXPORT_COLUMNS[column] ?? '');
          return { type: isNumber ? 'number' : 'text', text };
        }),
      );
      for (const [format, type] of Object.entries(TYPES)) {
        const whole = await get(service, target({ format }));
        const { status, headers, body } = whole;
        t.strictSame([status, headers['content-type']], [200, type]);
        const { 'content-disposition': disposition, 'content-length': length } = headers;
        t.equal(disposition, `attachment; filename="bura_1_11_5_30d.${format}"`);
        t.strictSame([length, headers['x-record-count']], [String(body.length), '4']);
        t.strictSame([headers.etag, headers['x-snapshot-id']], [`W/"odd-${BUILD_ID}"`, 'odd']);
        if (format !== 'csv')
          t.strictSame(format === 'ods' ? readOds(body) : readXlsx(body), cells);

        const head = await get(service, target({ format }), { method: 'HEAD' });
        t.strictSame([head.status, head.body.length], [200, 0]);
        t.strictSame(withoutDate(head), withoutDate(whole));
        const known = { 'If-None-Match': `W/"odd-${BUILD_ID}"` };
        t.equal((await get(service, target({ format }), { headers: known })).status, 304);
        const gzip = { 'Accept-Encoding': 'gzip' };
        const packed = await get(service, target({ format }), { headers: gzip });
        const isPacked = packed.headers['content-encoding'] === 'gzip';
        t.ok(format === 'csv' || !isPacked, 'what is compressed inside is not compressed again');
        t.ok((isPacked ? gunzipSync(packed.body) : packed.body).equals(body));
      }
    },
  );

  await t.test(
    'refuses what is missing, blank or wrong, and has no file without data',
    async (t) => {
      const wrong = [
        ...Object.keys(GOOD).flatMap((name) =>
          ['', ' ', undefined].map((text) => ({ [name]: text })),
        ),
        ...['x', '1.0', '+1', '１'].map((text) => ({ station_id: text })),
        ...['1h', '14d', '8d', '7D', '7d '].map((window) => ({ window })),
        ...['pdf', 'CSV', '../csv'].map((format) => ({ format })),
      ];
      const nowhere = [
        { organization_id: '2' },
        { organization_id: '-1' },
        ...['12', '13', '99999999999999999999999'].map((id) => ({ station_id: id })),
        ...['6', '7', '8'].map((id) => ({ component_id: id })),
        { component_id: '9', window: '1d' },
      ];
      const refused = [
        ...wrong.map((change) => [change, 400, BAD_REQUEST] as const),
        ...nowhere.map((change) => [change, 404, NO_DATA] as const),
      ];
      for (const [change, status, body] of refused) {
        const of = target(change);
        // A refusal never becomes 304.
        const answer = await get(service, of, { headers: { 'If-None-Match': '*' } });
        t.strictSame([answer.status, answer.body.toString()], [status, body], of);
        t.equal(answer.headers['cache-control'], 'no-store');
      }
      for (const format of ['xlsx', 'ods']) {
        t.equal((await get(service, target({ component_id: '8', format }))).status, 404);
      }
      t.equal((await get(service, target({ component_id: '9' }))).status, 200);
    },
  );
});
