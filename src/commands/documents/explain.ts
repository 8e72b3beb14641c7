/** `bura build --explain`: says what the tables of a folder are, and writes `bura.toml` there. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'smol-toml';
import { explainFolder, type Explained } from '../../publishing/explain/explain-folder.js';
import { FileError, systemCode } from '../../snapshot/document/file-error.js';
import { ownOptions, type Flags } from '../command.js';
import { printLine } from '../output/terminal.js';
import { SETTINGS_FILE } from './bura-toml.js';
import { tableOptions } from './table-settings.js';

/** A cell is shown so far. */
const CELL_CHARACTERS = 28;
/** Columns of hours and stations are alike. */
const COLUMNS_MAX = 16;

/** What was given on the command line is written as it is, and no question any more. */
export async function explain(folder: string, command: Command): Promise<void> {
  const flags: Flags = command.opts();
  const given: Record<string, unknown> = {};
  for (const option of ownOptions(command)) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli' || name === 'explain') continue;
    given[String(option.long).slice(2)] = flags[name];
  }
  const explained = await explainFolder(folder, tableOptions(flags));
  for (const table of explained.tables) printTable(table);
  const questions = explained.questions.filter(({ proposal }) => !(keyOf(proposal) in given));
  const path = join(folder, SETTINGS_FILE);
  const text = tomlOf({ ...explained.proposal, ...given }, questions);
  try {
    const isKept = await rename(path, `${path}.old`).then(
      () => true,
      (error: unknown) => {
        if (systemCode(error) === 'ENOENT') return false;
        throw error;
      },
    );
    await writeFile(path, text);
    printLine(`${path} was written${isKept ? `; the one before is ${SETTINGS_FILE}.old` : ''}`);
  } catch (error) {
    throw new FileError(`write ${path}`, error);
  }
  for (const { proposal, why } of questions) printLine(`  to be said: ${why}: ${proposal}`);
  if (questions.length === 0) printLine(`bura build --from ${folder}`);
}

function keyOf(proposal: string): string {
  return proposal.split(' ')[0] ?? '';
}

function printTable({ name, form, belief, columns }: Explained['tables'][number]): void {
  printLine(
    `${name}: ${[belief, form].filter((one) => one !== '').join(' (')}${form === '' ? '' : ')'}`,
  );
  const width = Math.max(0, ...columns.map(({ title }) => title.length));
  for (const { title, belief: of, examples } of columns.slice(0, COLUMNS_MAX)) {
    const cells = examples.map((cell) =>
      cell.length > CELL_CHARACTERS ? `${cell.slice(0, CELL_CHARACTERS)}…` : cell,
    );
    printLine(`  ${title.padEnd(Math.min(width, 30))}  ${of}: ${cells.join(' | ')}`);
  }
  if (columns.length > COLUMNS_MAX) printLine(`  and ${columns.length - COLUMNS_MAX} columns more`);
}

function tomlOf(settings: Record<string, unknown>, questions: Explained['questions']): string {
  const isTable = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
  const entries = Object.entries(settings);
  const plain = Object.fromEntries(entries.filter(([, value]) => !isTable(value)));
  const tables = Object.fromEntries(entries.filter(([, value]) => isTable(value)));
  return [
    '# What the tables of this folder are: the flags of `bura build`, which `bura build --help` explains.\n\n',
    ...questions.map(({ proposal, why }) => `# To be said: ${why}\n# ${proposal}\n\n`),
    `${stringify(plain)}\n`,
    stringify(tables),
  ].join('');
}
