/** CSV lines as another program reads them. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { csvLine } from '../../src/views/csv.js';

void t.test('a CSV line quotes only what needs it, and keeps any text', async (t) => {
  t.equal(
    csvLine(['=1+1', ' a ', 'a,b', 'a\rb', 'a\nb', '"', '', null, true, -0.5, 1e21]),
    '=1+1, a ,"a,b","a\rb","a\nb","""","",,true,-0.5,1.0e+21\r\n',
  );
  const sign = fc.constantFrom('a', ' ', '"', ',', ';', '\r', '\n', '\t', 'č', '\u2028', '🌫');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: sign }), { minLength: 1 }), (cells) => {
      const [row] = parse(csvLine(cells), { record_delimiter: '\r\n', relax_column_count: true });
      t.strictSame(row, cells);
    }),
    { numRuns: 50 },
  );
});

void t.test('a decimal has a point and the digits that it came with', async (t) => {
  t.equal(
    csvLine([12, 0, -0, -7, 0.5, 1e-7, 1.5e-7, 1e20, 123e30]),
    '12.0,0.0,0.0,-7.0,0.5,1.0e-7,1.5e-7,100000000000000000000.0,1.23e+32\r\n',
  );
  const anyNumber = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.integer().map((hundredths) => hundredths / 100),
  );
  fc.assert(
    fc.property(anyNumber, (value) => {
      const text = csvLine([value]).trimEnd();
      const isDecimal = /^-?\d+\.\d+(?:e[+-]\d+)?$/.test(text);
      const isShortest = [text, text.replace('.0', '')].includes(JSON.stringify(value));
      if (!isDecimal || !isShortest || Number(text) !== value + 0) throw new Error(text);
    }),
  );
});
