/** A result as pages of Markdown, with its charts as SVG files beside them. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { chartsOf } from './charts/suite-charts.js';
import {
  criteriaTable,
  othersNote,
  type BenchResult,
  type SuiteRun,
  type Table,
} from './report.js';

/** The first page: the targets and charts of all suites. Each suite's figures are on a page of its own. */
const PAGE = 'report.md';

/** Writes the pages and charts into a folder, which is made; answers the path of the first page. */
export async function writeReport(folder: string, result: BenchResult): Promise<string> {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, markdown: string): Promise<string> => {
    const page = path.join(folder, name);
    const config = await resolveConfig(page);
    await writeFile(page, await format(markdown, { ...config, parser: 'markdown' }));
    return page;
  };
  for (const suite of result.suites) {
    for (const { file, svg } of chartsOf(suite)) await writeFile(path.join(folder, file), svg);
    await write(pageOf(suite), renderFigures(suite));
  }
  return await write(PAGE, renderOverview(result));
}

function pageOf({ suite }: SuiteRun): string {
  return `${suite}.md`;
}

function renderOverview({ machine, options, suites }: BenchResult): string {
  const { cpu, cores, memoryGb, kernel, node, date } = machine;
  const { rounds, seconds, rows } = options;
  return [
    '# Results of a run',
    `Written by \`npm run bench:report\` from a run of ${date}: ${cpu}, ${cores} cores, ${memoryGb} GB, Linux ${kernel}, Node ${node}; ` +
      `${rounds} rounds of ${seconds} s for each server and row, snapshots of ${rows.join(', ')} rows. ` +
      'Medians, with the smallest and the largest in brackets. How everything is measured is in the README of the benches.',
    ...suites.flatMap((suite) => [
      `## ${suite.suite}`,
      `${capitalized(suite.question)} [All figures](${pageOf(suite)})`,
      ...chartsOf(suite).map(({ file, text }) => `![${text}](${file})`),
      ...criteriaTable(suite.criteria).map(renderTable),
    ]),
  ].join('\n\n');
}

function renderFigures(suite: SuiteRun): string {
  return [
    `# ${suite.suite}`,
    `${capitalized(suite.question)} [Targets and charts](${PAGE}#${suite.suite})`,
    ...suite.tables.map(renderTable),
    [...suite.notes, othersNote(suite)].map((note) => `- ${note}`).join('\n'),
  ].join('\n\n');
}

function renderTable({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = columns.map((_, at) => (at === 0 ? '---' : '---:'));
  return [`**${title}**`, '', line(columns), line(rule), ...rows.map(line)].join('\n');
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
