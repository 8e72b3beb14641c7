/** `GET /portal/export`: the same cells in three files. Any series, conditions, and refusals: the fuzzer. */
import t from 'tap';
import { cellsOf } from '../../support/readers/csv.js';
import { readOds, readXlsx } from '../../support/readers/spreadsheets.js';
import { get } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

const TARGET = '/portal/export?organization_id=1&station_id=1&component_id=8&window=30d&format=';

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
} as const;

void t.test('one series is a file in each format, with the same cells', async (t) => {
  const service = await sharedService();
  const cells = cellsOf((await get(service, `${TARGET}csv`)).body.toString());
  t.ok(cells.length > 1);
  for (const [format, type] of Object.entries(TYPES)) {
    // Spreadsheets and Parquet files are compressed inside, and not again.
    const fields = { 'Accept-Encoding': format === 'csv' ? 'identity' : 'gzip' };
    const { headers, body } = await get(service, TARGET + format, { headers: fields });
    t.strictSame([headers['content-type'], headers['content-encoding']], [type, undefined]);
    const disposition = `attachment; filename="bura_1_1_8_30d.${format}"`;
    t.equal(headers['content-disposition'], disposition);
    t.equal(headers['x-record-count'], `${cells.length - 1}`);
    if (format === 'csv') continue;
    const rows = format === 'ods' ? readOds(body) : readXlsx(body);
    const texts = rows.map((row) => row.map(({ text }) => text));
    t.strictSame(texts, cells, format);
  }
});
