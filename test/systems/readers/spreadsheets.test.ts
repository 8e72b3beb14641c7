/** Exported spreadsheets as LibreOffice reads them: the cells of the CSV, text as text, and no formula. */
import t from 'tap';
import { oddDocument } from '../../support/documents/odd-document.js';
import { cellsOf } from '../../support/readers/csv.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { makeRoot } from '../../support/service/service.js';
import { convertByOffice } from '../support/office.js';

const SERIES = '/portal/export?organization_id=1&station_id=11&component_id=5&window=30d&format=';

void t.test('LibreOffice finds the cells of the CSV in every format', async (t) => {
  const service = await startServing(t, oddDocument());
  const fileOf = async (format: string): Promise<Buffer> =>
    (await get(service, SERIES + format)).body;
  const rows = cellsOf((await fileOf('csv')).toString('utf8'));
  t.equal(rows.length, 5);
  const converted = await convertByOffice(await makeRoot(t), {
    'izvoz.xlsx': await fileOf('xlsx'),
    'izvoz.ods': await fileOf('ods'),
  });
  for (const [name, text] of Object.entries(converted)) {
    t.strictSame(cellsOf(text.replaceAll(/\r?\n/g, '\r\n')), rows, name);
  }
});
