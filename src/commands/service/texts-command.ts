/** `bura texts check` and `bura texts init`: the operator's own words and languages (docs/translating.md). */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Settings } from '../../settings.js';
import { withPluralsOf } from '../../texts/check-messages.js';
import { checkTexts, findUntranslated, type TextProblem } from '../../texts/check-texts.js';
import {
  isLanguageTag,
  OUR_TEXTS,
  readText,
  REFERENCE,
  TEXT_FILES,
} from '../../texts/text-files.js';
import { text, UsageError, type Flags } from '../command.js';
import { printLine } from '../output/terminal.js';
import { messageOf } from '../../snapshot/domain/snapshot-error.js';

const EXAMPLE = 'operator.example.json';

/** A template that the operator completes and renames to operator.json. */
const OPERATOR = {
  name: { en: 'Environment Agency of Example' },
  short_name: 'EAE',
  homepage: 'https://example.org/',
  email: 'data@example.org',
  license: {
    name: { en: 'Creative Commons Attribution 4.0 International (CC BY 4.0)' },
    url: 'https://creativecommons.org/licenses/by/4.0/',
    uri: 'http://publications.europa.eu/resource/authority/licence/CC_BY_4_0',
  },
  legal_basis: { en: 'The data are published under the Act on Open Data.' },
  accrual_periodicity: 'HOURLY',
  country: 'ESP',
  time_zone: 'Europe/Madrid',
  availability: { en: '99% a month' },
  notice: { en: 'announced 24 hours in advance' },
};

/** `check` prints a line for each problem, with exit code 1 for any; `init` writes missing files. */
export function texts(
  _settings: Settings,
  flags: Flags,
  action: string,
  folder: string,
): Promise<void> {
  if (action === 'init') init(flags, folder);
  else check(folder);
  return Promise.resolve();
}

function check(folder: string): void {
  const problems = [...readProblems(folder), ...findUntranslated(folder)];
  for (const problem of problems) printLine(`${folder}/${lineOf(problem)}`);
  printLine(problems.length === 0 ? `${folder}: nothing is wrong` : `problems: ${problems.length}`);
  if (problems.length > 0) process.exitCode = 1;
}

function init(flags: Flags, folder: string): void {
  const { language } = text(flags, 'language');
  if (language !== undefined && !isLanguageTag(language)) {
    throw new UsageError(
      `--language is ${JSON.stringify(language)}: expected a language tag (BCP 47), such as es`,
    );
  }
  write(join(folder, EXAMPLE), `${JSON.stringify(OPERATOR, undefined, 2)}\n`);
  for (const name of language === undefined ? [] : TEXT_FILES) {
    const english = readText([OUR_TEXTS], `${REFERENCE}/${name}`) ?? '';
    const begun = name.endsWith('.ftl') ? withPluralsOf(language ?? '', english) : english;
    const content = name === 'language.ftl' ? named(language ?? '') : begun;
    write(join(folder, language ?? '', name), content);
  }
}

/** Refuses a folder of texts with problems. @param copy of the folder, read instead of it. @throws {UsageError} */
export function assertTexts(folder: string, copy = folder): void {
  const [first, ...more] = readProblems(copy);
  if (first === undefined) return;
  const rest = more.length === 0 ? '' : `; ${more.length} more: bura texts check ${folder}`;
  throw new UsageError(`TEXTS_DIR is ${JSON.stringify(folder)}: ${lineOf(first)}${rest}`);
}

function readProblems(folder: string): readonly TextProblem[] {
  try {
    return checkTexts(folder);
  } catch (error) {
    const reason = messageOf(error);
    throw new UsageError(
      `the folder of texts ${JSON.stringify(folder)} cannot be read: ${reason}`,
      { cause: error },
    );
  }
}

function lineOf({ file, line, problem }: TextProblem): string {
  return `${file}:${line}: ${problem}`;
}

function named(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return `name = ${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)}\nlocale = ${language}\n`;
}

function write(path: string, content: string): void {
  if (existsSync(path)) {
    printLine(`${path} is there already, and stays`);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  printLine(path);
}
