/** CSV lines as another program reads them. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { csvLine } from '../../src/views/csv.js';
import { anyText } from '../support/documents/any-text.js';

void t.test('a CSV line quotes only what needs it, and keeps any text', async (t) => {
  t.equal(
    csvLine(['=1+1', ' a ', 'a,b', '"', '', null, true, -0.5, 1e21]),
    '=1+1, a ,"a,b","""","",,true,-0.5,1e+21\r\n',
  );
  fc.assert(
    fc.property(fc.array(anyText(), { minLength: 1 }), (cells) => {
      const [row] = parse(csvLine(cells), { record_delimiter: '\r\n', relax_column_count: true });
      t.strictSame(row, cells);
    }),
    { numRuns: 50 },
  );
});
