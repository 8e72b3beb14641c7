/** Checks the operator's folder of texts (docs/translating.md), and lists all problems by file and line. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkMessages } from './check-messages.js';
import {
  isLanguageTag,
  languageFolders,
  LOGO_FILES,
  OUR_LANGUAGES,
  OUR_TEXTS,
  readText,
  REFERENCE,
  TEXT_FILES,
  WORDS_FILE,
  type LineProblem,
} from './text-files.js';
import { parsePage, PLACEHOLDER } from './markdown.js';
import { OPERATOR_FILE, parseOperator } from './operator.js';
import { parseScales, SCALES_FILE } from './scales.js';
import { untranslatedTexts } from './untranslated.js';

/** A problem and its file, relative to the folder. */
export interface TextProblem extends LineProblem {
  readonly file: string;
}

/** All placeholders of pages: facts, then conditions. */
const PAGE_PLACEHOLDERS: ReadonlySet<string> = new Set(
  [
    'operator source short-name person email telephone address website description',
    'license legal-basis refresh availability notice',
    'cited-at snapshot-id schema-version generated-at period-from period-to',
    'networks stations components measurements files',
    'api-version hvd-schema-version dataset-version',
    'when-default when-stated when-attribution when-no-license when-no-contact when-no-operator',
    'when-unavailable when-demonstration when-weather when-no-weather when-no-files',
    'when-log when-log-address when-no-log when-archive when-no-archive',
  ].flatMap((line) => line.split(' ')),
);

/** Fragments that other pages link to. */
const FRAGMENTS: Readonly<Record<string, readonly string[]>> = {
  'dataset.md': ['files'],
  'terms.md': ['preliminary', 'use'],
};

/** Files beside the languages: an operator's notes, and files of `bura texts init` to fill in. */
const BESIDE = /^(?:\.|README|operator\.example\.json$)/;

/** Reading a FIFO would block. */
const NO_FILE = 'not a regular file';

/** @throws {Error} of the file system. */
export function checkTexts(folder: string): readonly TextProblem[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) {
        if (isLanguageTag(name)) return checkLanguage(folder, name);
        return [{ file: name, line: 1, problem: 'no language tag (BCP 47), such as es or pt-BR' }];
      }
      if (!statSync(path).isFile()) return [{ file: name, line: 1, problem: NO_FILE }];
      const text = readFileSync(path, 'utf8');
      if (name === OPERATOR_FILE) return inFile(name, parseOperator(text, folder).problems);
      if (name === SCALES_FILE) return inFile(name, parseScales(text).problems);
      if (LOGO_FILES.includes(name)) return inFile(name, checkLogo(text.trim()));
      return BESIDE.test(name) ? [] : [{ file: name, line: 1, problem: 'nobody reads this file' }];
    });
}

function checkLogo(text: string): readonly LineProblem[] {
  const isSvg = /^(?:<[?!][^>]*>\s*)*<svg\s[^>]*\/2000\/svg"[^]*<\/svg>$/.test(text);
  if (isSvg && text.length <= 100_000 && !/<script\b/i.test(text)) return [];
  const found = `${text.length} characters that begin with ${JSON.stringify(text.slice(0, 40))}`;
  const expected = 'an SVG image of at most 100,000 characters without scripts';
  return [{ line: 1, problem: `expected ${expected}, found ${found}` }];
}

/** The operator's texts that are still in English; a service may use them. @throws {Error} of the file system. */
export function findUntranslated(folder: string): readonly TextProblem[] {
  return languageFolders(folder)
    .filter((language) => !isOurs(language) && !language.startsWith('en-'))
    .flatMap((language) =>
      TEXT_FILES.flatMap((name) => {
        const text = readText([folder], `${language}/${name}`);
        const english = readText([OUR_TEXTS], `${REFERENCE}/${name}`) ?? '';
        const problems = text === undefined ? [] : untranslatedTexts(name, text, english);
        return inFile(`${language}/${name}`, problems);
      }),
    );
}

function isOurs(language: string): boolean {
  return OUR_LANGUAGES.some((one) => one === language);
}

function inFile(file: string, problems: readonly LineProblem[]): readonly TextProblem[] {
  return problems.map((problem) => ({ file, ...problem }));
}

function checkLanguage(folder: string, language: string): readonly TextProblem[] {
  const isOwn = !isOurs(language);
  const names = readdirSync(join(folder, language)).toSorted();
  const whole = (name: string, problem: string): TextProblem => ({
    file: `${language}/${name}`,
    line: 1,
    problem,
  });
  const other = names.filter((name) => !statSync(join(folder, language, name)).isFile());
  if (other.length > 0) return other.map((name) => whole(name, NO_FILE));
  const known = TEXT_FILES.filter((name) => names.includes(name));
  const isRead = (name: string): boolean =>
    known.includes(name) || name.startsWith('.') || (name === WORDS_FILE && language === 'sr-Cyrl');
  return [
    ...names.filter((name) => !isRead(name)).map((name) => whole(name, 'nobody reads this file')),
    ...(isOwn ? TEXT_FILES : [])
      .filter((name) => !known.includes(name))
      .map((name) => whole(name, 'the file is missing')),
    ...known.flatMap((name) => {
      const text = readText([folder], `${language}/${name}`) ?? '';
      const english = `${REFERENCE}/${name}`;
      const problems = name.endsWith('.ftl')
        ? checkMessages(text, readText([OUR_TEXTS], english) ?? '', language)
        : checkPage(name, text, isOwn ? readText([folder, OUR_TEXTS], english) : undefined);
      return inFile(`${language}/${name}`, problems);
    }),
  ];
}

/** @param model the original of this translation; undefined for an operator's own page. */
function checkPage(name: string, text: string, model: string | undefined): readonly LineProblem[] {
  const { page, problems } = parsePage(text);
  const placeholders = placeholdersIn(text);
  const there = new Set(placeholders.map((one) => one.name));
  const fragments = new Set(page.sections.map(({ id }) => id));
  const wanted = [
    ...(FRAGMENTS[name] ?? []),
    ...(model === undefined ? [] : parsePage(model).page.sections.map(({ id }) => id)),
  ];
  const lacking = (problem: string): LineProblem => ({ line: 1, problem });
  return [
    ...problems,
    ...placeholders
      .filter((one) => !PAGE_PLACEHOLDERS.has(one.name))
      .map((one) => ({ line: one.line, problem: `there is no placeholder {{ ${one.name} }}` })),
    ...unfinished(text),
    ...[...new Set(placeholdersIn(model ?? '').map((one) => one.name))]
      .filter((one) => !there.has(one))
      .map((one) => lacking(`the placeholder {{ ${one} }} is missing`)),
    ...[...new Set(wanted)]
      .filter((id) => !fragments.has(id))
      .map((id) => lacking(`no heading has the fragment {#${id}}`)),
  ].toSorted((a, b) => a.line - b.line);
}

function placeholdersIn(text: string): readonly { readonly name: string; readonly line: number }[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(PLACEHOLDER)].map(([, name = '']) => ({ name, line: index + 1 })),
    );
}

/** Braces outside of placeholders. */
function unfinished(text: string): readonly LineProblem[] {
  return text.split('\n').flatMap((line, index) => {
    const rest = line.replaceAll(PLACEHOLDER, '').replace(/\{#[\w-]+\}\s*$/, '');
    return /\{\{|\}\}/.test(rest)
      ? [{ line: index + 1, problem: 'a placeholder is written {{ name }}' }]
      : [];
  });
}
