/** `npm run bench:report`: writes a result as one page with one picture, for `bench/report/`. */
import { Command } from 'commander';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  criteriaTable,
  fixed,
  othersNote,
  readResult,
  type BenchResult,
  type SuiteRun,
  type Table,
} from './report.js';

const PICTURE = 'report.svg';

/** Writes the page and its picture into a folder, which it creates if needed; resolves with the page's path. */
async function writeReport(folder: string, result: BenchResult): Promise<string> {
  await mkdir(folder, { recursive: true });
  const page = path.join(folder, 'report.md');
  await writeFile(page, `${renderPage(result)}\n`);
  await writeFile(path.join(folder, PICTURE), renderPicture(result));
  return page;
}

function renderPage({ machine, versions, options, suites }: BenchResult): string {
  const { cpu, cores, memoryGb, kernel, date } = machine;
  const { rounds, seconds, rows, client } = options;
  return [
    '# Results of a run',
    `Written by \`npm run bench:report\` from a run of ${date}: ${cpu}, ${cores} cores, ${memoryGb} GB, Linux ${kernel}; ` +
      `${rounds} rounds of ${seconds} s for each server and row, snapshots of ${rows.join(', ')} rows, client ${client}. ` +
      'Medians, with the smallest and the largest in brackets. How everything is measured is in the README of the benches. ' +
      `Other processes kept at most ${fixed(Math.max(...suites.map(({ othersBusy }) => othersBusy)), 2)} cores busy.`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    `![Ratios to other servers, as shares of their targets](${PICTURE})`,
    ...suites.flatMap((suite, at) => {
      const { question, tables, criteria, isQuiet } = suite;
      const isNew = (note: string): boolean =>
        !suites.slice(0, at).some(({ notes }) => notes.includes(note));
      // The picture shows the other criteria.
      const shown = criteria.filter(({ ratio }) => ratio === undefined);
      const notes = [...suite.notes.filter(isNew), ...(isQuiet ? [] : [othersNote(suite)])];
      return [
        `## ${suite.suite}`,
        `${question.slice(0, 1).toUpperCase()}${question.slice(1)}`,
        ...[...tables, ...criteriaTable({ ...suite, criteria: shown })].map(renderTable),
        notes.map((note) => `- ${note}`).join('\n'),
      ].filter((part) => part !== '');
    }),
  ].join('\n\n');
}

/** Columns without any figure but 0 are left out; a figure that all rows share is in the title. */
function renderTable({ title, columns, rows }: Table): string {
  const figures = columns.map((_, at) => [...new Set(rows.map((row) => row[at] ?? ''))]);
  const isEmpty = figures.map((cells) => cells.every((cell) => ['-', '0'].includes(cell)));
  const isShared = figures.map((cells) => rows.length > 1 && cells.length === 1);
  const shown = columns.map((_, at) => at === 0 || !(isEmpty[at] || isShared[at]));
  const shared = columns.flatMap((column, at) =>
    at > 0 && isShared[at] && !isEmpty[at] ? [`${column}: ${figures[at]?.[0]}`] : [],
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .filter((_, at) => shown[at])
      .map((cell) => cell.replaceAll('|', '\\|'))
      .join(' | ')} |`;
  const rule = columns.map((_, at) => (at === 0 ? '---' : '---:'));
  return [
    `**${[title, ...shared].join('; ')}**`,
    '',
    line(columns),
    line(rule),
    ...rows.map(line),
  ].join('\n');
}

const [WIDTH, ROW, TOP] = [860, 18, 40];
const PLOT = { from: 400, to: 680 };
/** Longest bar, in multiples of its target; a longer one would say no more. */
const LONGEST = 2;
/** The target is met, not met, or without a verdict. */
const KINDS = ['good', 'bad', 'rough'] as const;

const STYLE = `text { font: 12px system-ui, sans-serif; fill: #1b1f24; } .l { text-anchor: end; } .v text { fill: #57606a; }
  .good { fill: #1f6feb; } .bad { fill: #c2410c; } .rough { fill: #8c959f; } line { stroke: #1b1f24; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .v text { fill: #9aa4af; } .good { fill: #58a6ff; } .bad { fill: #fb923c; } line { stroke: #e6edf3; }
  }`;

/** A bar for each ratio that has a target; labels are text, colours follow the reader's scheme, no script runs. */
function renderPicture({ suites }: BenchResult): string {
  const bars = suites.flatMap((suite) => suite.criteria.flatMap((one) => barOf(suite, one)));
  const height = TOP + ROW * bars.length + 10;
  const x = (share: number): number =>
    Math.round(PLOT.from + (Math.min(share, LONGEST) / LONGEST) * (PLOT.to - PLOT.from));
  const top = (at: number): number => TOP + ROW * at;
  const texts = (lines: readonly string[]): string =>
    lines.map((line, at) => `<text y="${top(at) + 10}">${line}</text>`).join('\n');
  const paths = KINDS.flatMap((kind) => {
    const steps = bars.flatMap((bar, at) =>
      bar.kind === kind
        ? [`M${PLOT.from} ${top(at)}h${x(bar.share) - PLOT.from}v12H${PLOT.from}`]
        : [],
    );
    return steps.length === 0 ? [] : [`<path class="${kind}" d="${steps.join('')}"/>`];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<title>Ratios to other servers, as shares of their targets</title>
<style>${STYLE}</style>
<text x="0" y="16">Ratios to other servers; right of the line the target is met, grey: the machine was not quiet</text>
<g class="l" transform="translate(${PLOT.from - 8})">
${texts(bars.map(({ label }) => escaped(label)))}
</g>
${paths.join('\n')}
<g class="v" transform="translate(${PLOT.to + 8})">
${texts(bars.map(({ value }) => value))}
</g>
<line x1="${x(1)}" x2="${x(1)}" y1="${TOP - 6}" y2="${height - 6}"/>
</svg>
`;
}

function barOf({ isQuiet }: SuiteRun, { target, ratio, met }: SuiteRun['criteria'][number]) {
  if (ratio === undefined) return [];
  const kind: (typeof KINDS)[number] = isQuiet ? (met ? 'good' : 'bad') : 'rough';
  const value = `${ratio.median.toFixed(2)} of ${ratio.wanted}`;
  return [{ label: target, value, share: ratio.median / ratio.wanted, kind }];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const { result, out } = new Command('bench:report')
  .description('Writes a result of npm run bench as a page of Markdown with a picture.')
  .option('--result <file>', 'a result', 'bench/results/latest.json')
  .option('--out <folder>', 'where the page and its picture are written', 'bench/report')
  .parse()
  .opts<{ readonly result: string; readonly out: string }>();

console.log(`Written: ${await writeReport(out, await readResult(result))}`);
