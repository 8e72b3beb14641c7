/** `npm run bench:report`: a result as a page with a picture. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { BenchResult } from '../../bench/report.js';
import { benchResult } from '../support/bench-result.js';
import { elementsIn, parseXml, textIn, type Element } from '../support/readers/xml.js';

const PUBLISH = fileURLToPath(new URL('../../bench/publish.js', import.meta.url));
const RESULT = benchResult({ fresh: { 'a day & <more>': 1.5, '30 days': 0.25 } });

async function publish(t: Test, result: BenchResult) {
  const folder = t.testdir();
  const file = join(folder, 'result.json');
  await writeFile(file, JSON.stringify(result));
  execFileSync(process.execPath, [PUBLISH, '--result', file, '--out', join(folder, 'out')]);
  const read = (name: string): Promise<string> => readFile(join(folder, 'out', name), 'utf8');
  return {
    names: await readdir(join(folder, 'out')),
    page: await read('report.md'),
    picture: await read('report.svg'),
  };
}

/** Names of an element, of its attributes, and of all inside of it. */
function namesIn(element: Element): readonly string[] {
  const { name, attributes } = element;
  return [name, ...Object.keys(attributes), ...elementsIn(element).flatMap(namesIn)];
}

void t.test('one page shows every figure, target and version, with one picture', async (t) => {
  const { names, page } = await publish(t, RESULT);
  t.strictSame(names.toSorted(), ['report.md', 'report.svg']);
  t.match(page, /\| memory +\| +at most 100 MB \| +120 MB \| +NO \|/);
  t.notMatch(page, '30 days', 'the picture has the ratios');
  t.match(page, 'a\\|b', 'a bar does not end a cell');
  t.match(page, 'commit abc');
  t.match(page, '](report.svg)');
  t.notMatch(page, 'p99 ms', 'a column without figures is left out');
});

void t.test('the picture is XML with labels as text, for light and dark; no script', async (t) => {
  const { picture } = await publish(t, RESULT);
  const root = parseXml(Buffer.from(picture));
  const texts = textIn(root);
  t.match(texts, 'a day & <more>');
  t.match(texts, '1.50 of 1');
  t.match(texts, 'prefers-color-scheme: dark');
  for (const name of namesIn(root)) {
    t.notMatch(name, /^(?:script|foreignObject|on\w+|href|xlink:href)$/);
  }
  t.notMatch(picture, 'NaN');
  const bars = [...picture.matchAll(/<path class="(\w+)" d="M[^h]*h([\d.]+)v/g)];
  t.strictSame(
    bars.map(([, kind]) => kind),
    ['good', 'bad'],
  );
  const [day = 0, month = 0] = bars.map(([, , width]) => Number(width));
  t.ok(Math.abs(day / month - 6) < 0.1, `${day} and ${month}`);
});

void t.test('there is no verdict where the machine was not quiet', async (t) => {
  const suites = RESULT.suites.map((suite) => ({ ...suite, isQuiet: false, othersBusy: 0.5 }));
  const { page, picture } = await publish(t, { ...RESULT, suites });
  t.match(page, /\| memory +\| +at most 100 MB \| +120 MB \| +\? \|/);
  t.match(page, 'there is no verdict');
  t.notMatch(picture, /class="(?:good|bad)"/);
});
