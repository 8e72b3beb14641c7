/** Results as pages with charts. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import t from 'tap';
import { writeReport } from '../../bench/markdown.js';
import { benchResult } from '../support/bench-result.js';

const RESULT = benchResult({ fresh: { 'a day & <more>': 2.5, '30 days': 0.25 } });

/** Names of the elements of an XML document, and its texts. @throws when it is none. */
function parse(xml: string): { readonly names: readonly string[]; readonly texts: string } {
  const names: string[] = [];
  let texts = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    names.push(name, ...Object.keys(attributes));
  });
  parser.on('text', (text) => {
    texts += `${text}\n`;
  });
  parser.write(xml).close();
  return { names, texts };
}

void t.test(
  'the pages show every target and figure, and every chart beside the targets',
  async (t) => {
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
  },
);

void t.test(
  'charts are XML whose labels are text, for light and dark, and run nothing',
  async (t) => {
    const folder = t.testdir();
    await writeReport(folder, RESULT);
    const ratios = await readFile(join(folder, 'fresh-ratios.svg'), 'utf8');
    const { names, texts } = parse(ratios);
    t.match(texts, 'a day & <more>');
    t.match(texts, '2.50 (1.25-5.00), at least 1');
    t.match(texts, 'prefers-color-scheme: dark');
    const latencies = await readFile(join(folder, 'fresh-latencies.svg'), 'utf8');
    t.match(parse(latencies).texts, '0.50 to 20.00 ms');
    for (const name of [...names, ...parse(latencies).names]) {
      t.notMatch(name, /^(?:script|foreignObject|on\w+|href|xlink:href)$/);
    }
    t.notMatch(ratios + latencies, 'NaN');
  },
);

void t.test('a bar is as long as its ratio beside what is promised', async (t) => {
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
