/** `npm run bench:report`: writes a result as a page with charts, for `docs/performance.md`. */
import { Command } from 'commander';
import { writeReport } from './markdown.js';
import { readResult } from './report.js';

const { result, out } = new Command('bench:report')
  .description('Writes a result of npm run bench as Markdown and SVG.')
  .option('--result <file>', 'a result', 'bench/results/latest.json')
  .option('--out <folder>', 'where the page and its charts are written', 'docs/performance')
  .parse()
  .opts<{ readonly result: string; readonly out: string }>();

console.log(`Written: ${await writeReport(out, await readResult(result))}`);
