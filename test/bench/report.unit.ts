/** The benches' tables. */
import t from 'tap';
import { renderTable } from '../../bench/report.js';

void t.test('columns are as wide as their widest cell, figures to the right', async (t) => {
  const text = renderTable({
    title: 'Speed',
    columns: ['endpoint', 'req/s'],
    rows: [
      ['/meta', '12,345'],
      ['/stations', '7'],
    ],
  });
  t.equal(
    text,
    [
      'Speed',
      'endpoint    req/s',
      '---------  ------',
      '/meta      12,345',
      '/stations       7',
    ].join('\n'),
  );
});
