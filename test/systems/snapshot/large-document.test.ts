/** A document of more than a million rows is read in bounded memory, in its own process. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { generateDocument, writeDocument } from '../../support/documents/documents.js';

void t.test('reads a million rows in less than 700 MB', async (t) => {
  const file = join(t.testdir(), 'large.json.gz');
  await writeDocument(file, generateDocument({ stations: 105, components: 14, hours: 728 }));
  const script = `
    import { createReadStream } from 'node:fs';
    import { readSnapshot } from './build/src/snapshot/document/read.js';
    const { observations } = await readSnapshot(createReadStream(process.argv[1]));
    console.log(JSON.stringify({
      rows: observations.hours.length,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
    }));`;
  const words = ['--input-type=module', '--eval', script, file];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const { rows, peakMegabytes } = JSON.parse(stdout) as { rows: number; peakMegabytes: number };
  t.ok(rows > 1_050_000, `${rows} rows`);
  t.ok(peakMegabytes < 700, `${Math.round(peakMegabytes)} MB at the most`);
});
