/** The demonstration's tables, a month of a real network, become a document, which takes seconds. */
import { join } from 'node:path';
import t from 'tap';
import { buildDocument } from '../../../src/publishing/tables/build-document.js';

void t.test('builds the demonstration, and tells how far it is', async (t) => {
  const out = join(t.testdir(), 'demo.json.gz');
  const reported: number[] = [];
  const { rows } = await buildDocument({
    from: join(process.cwd(), 'data/demo'),
    out,
    onProgress: (_step, doneBytes, totalBytes) => reported.push(doneBytes / totalBytes),
  });
  t.equal(rows, 111_250);
  t.equal(reported.at(-1), 1);
});
