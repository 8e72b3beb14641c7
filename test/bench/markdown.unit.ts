/** Results as pages with charts. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { writeReport } from '../../bench/markdown.js';
import { benchResult } from '../support/bench-result.js';
import { elementsIn, parseXml, textIn, type Element } from '../support/readers/xml.js';

const RESULT = benchResult({ fresh: { 'a day & <more>': 2.5, '30 days': 0.25 } });

/** Names of an element, of its attributes, and of all inside of it. */
function namesIn(element: Element): readonly string[] {
  const { name, attributes } = element;
  return [name, ...Object.keys(attributes), ...elementsIn(element).flatMap(namesIn)];
}

void t.test('the pages show every target, figure and chart', async (t) => {
  const folder = t.testdir();
  const page = await readFile(await writeReport(folder, RESULT), 'utf8');
  t.match(page, /\| 30 days +\| +at least 1 \| +0\.25 \| +NO \|/);
  t.match(page, '[All figures](fresh.md)');
  const figures = await readFile(join(folder, 'fresh.md'), 'utf8');
  t.match(figures, 'a\\|b', 'a bar does not end a cell');
  const shown = [...page.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file = '']) => file);
  const written = (await readdir(folder)).filter((file) => file.endsWith('.svg'));
  t.strictSame(shown.toSorted(), written.toSorted());
  t.equal(written.length, 2);
});

void t.test('charts are XML with labels as text, for light and dark; no script', async (t) => {
  const folder = t.testdir();
  await writeReport(folder, RESULT);
  const ratios = await readFile(join(folder, 'fresh-ratios.svg'), 'utf8');
  const root = parseXml(Buffer.from(ratios));
  const texts = textIn(root);
  t.match(texts, 'a day & <more>');
  t.match(texts, '2.50 (1.25-5.00), at least 1');
  t.match(texts, 'prefers-color-scheme: dark');
  const latencies = await readFile(join(folder, 'fresh-latencies.svg'), 'utf8');
  const other = parseXml(Buffer.from(latencies));
  t.match(textIn(other), '0.50 to 20.00 ms');
  for (const name of [...namesIn(root), ...namesIn(other)]) {
    t.notMatch(name, /^(?:script|foreignObject|on\w+|href|xlink:href)$/);
  }
  t.notMatch(ratios + latencies, 'NaN');
});

void t.test('a bar is as long as its ratio beside its target', async (t) => {
  const folder = t.testdir();
  await writeReport(folder, RESULT);
  const svg = await readFile(join(folder, 'fresh-ratios.svg'), 'utf8');
  const bars = [...svg.matchAll(/<rect class="(\w+)" [^>]*width="([\d.]+)"/g)];
  t.strictSame(
    bars.map(([, kind]) => kind),
    ['good', 'bad'],
  );
  const [day = 0, month = 0] = bars.map(([, , width]) => Number(width));
  t.ok(Math.abs(day / month - 10) < 0.1, `${day} and ${month}`);
});
