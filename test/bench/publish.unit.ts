/** `npm run bench:report`: a result as a page with a picture. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { BenchResult } from '../../bench/report.js';
import { benchResult } from './bench-result.js';
import { parseXml, textIn } from '../support/readers/xml.js';

const PUBLISH = fileURLToPath(new URL('../../bench/publish.js', import.meta.url));
const RESULT = benchResult({ fresh: { 'a day & <more>': 1.5, '30 days': 0.25 } });

async function publish(t: Test, result: BenchResult) {
  const file = join(t.testdir(), 'result.json');
  const out = join(file, '..', 'out');
  await writeFile(file, JSON.stringify(result));
  execFileSync(process.execPath, [PUBLISH, '--result', file, '--out', out]);
  const read = (name: string): Promise<string> => readFile(join(out, name), 'utf8');
  return { page: await read('report.md'), picture: await read('report.svg') };
}

void t.test('a page shows figures, targets and the commit, a picture the ratios', async (t) => {
  const { page, picture } = await publish(t, RESULT);
  t.match(page, /\| memory +\| +at most 100 MB \| +120 MB \| +NO \|/);
  for (const part of ['a\\|b', 'commit abc', '](report.svg)']) t.match(page, part);
  const texts = textIn(parseXml(Buffer.from(picture)));
  for (const part of ['a day & <more>', '1.50 of 1']) t.match(texts, part);
  const bars = [...picture.matchAll(/<path class="(\w+)" d="M[^h]*h([\d.]+)v/g)];
  const [day = 0, month = 0] = bars.map(([, , width]) => Number(width));
  t.same(
    bars.map(([, kind]) => kind),
    ['good', 'bad'],
  );
  t.ok(Math.abs(day / month - 6) < 0.1, `${day} and ${month}`);
});

void t.test('there is no verdict where the machine was not quiet', async (t) => {
  const suites = RESULT.suites.map((suite) => ({ ...suite, isQuiet: false, othersBusy: 0.5 }));
  const { page, picture } = await publish(t, { ...RESULT, suites });
  t.match(page, /\| memory +\| +at most 100 MB \| +120 MB \| +\? \|/);
  t.notMatch(picture, /class="(?:good|bad)"/);
});
