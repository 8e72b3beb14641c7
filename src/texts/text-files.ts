/** Finds texts: the service's own, replaced file by file by those of `TEXTS_DIR`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Names of message files (Project Fluent), without extension. */
export const MESSAGE_FILES = [
  'language',
  'layout',
  'portal',
  'legal',
  'documentation',
  'dictionary',
  'catalog',
  'readme',
] as const;
export type MessageFile = (typeof MESSAGE_FILES)[number];

/** Names of pages (Markdown), without extension. */
const PAGE_FILES = [
  'license',
  'terms',
  'qos',
  'contact',
  'dataset',
  'api-docs',
  'docs',
  'redoc',
  'recipes',
] as const;
export type PageFile = (typeof PAGE_FILES)[number];

export const TEXT_FILES: readonly string[] = [
  ...MESSAGE_FILES.map((name) => `${name}.ftl`),
  ...PAGE_FILES.map((name) => `${name}.md`),
];

export const OUR_LANGUAGES = ['sr-Latn', 'sr-Cyrl', 'en'] as const;

/** The language that others are compared with. */
export const REFERENCE = 'en';

export const LOGO_FILES: readonly string[] = ['logo.svg', 'logo-dark.svg'];

/** The file of exceptions from the rule of transliteration. */
export const WORDS_FILE = 'words.txt';

export const OUR_TEXTS = fileURLToPath(new URL('./', import.meta.url));

/** Variable with the path of the copied operator's folder (src/supervisor/operator-files.ts); empty without one. */
export const TEXTS_COPY = 'TEXTS_COPY';

/** The operator's folder, if any, for this process and its workers. */
export function operatorTexts(): string | undefined {
  const folder = process.env[TEXTS_COPY] ?? process.env['TEXTS_DIR'];
  return folder === '' ? undefined : folder;
}

/** The text of a file, from the first folder that has it. */
export function readText(
  folders: readonly (string | undefined)[],
  path: string,
): string | undefined {
  for (const folder of folders) {
    if (folder === undefined) continue;
    try {
      return readFileSync(`${folder}/${path}`, 'utf8');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return undefined;
}

/** Folders whose name is a language tag (BCP 47), in alphabetical order. */
export function languageFolders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isLanguageTag(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** The service's languages, then the operator's in alphabetical order. */
export function knownLanguages(folder = operatorTexts()): readonly string[] {
  return [...new Set([...OUR_LANGUAGES, ...languageFolders(folder ?? OUR_TEXTS)])];
}

/** Whether a text is a language tag in its canonical form: `pt-BR`, not `pt-br`. */
export function isLanguageTag(text: string): boolean {
  try {
    return /^[a-z]{2,3}(?:-|$)/.test(text) && Intl.getCanonicalLocales(text)[0] === text;
  } catch {
    return false;
  }
}

export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export interface LineProblem {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}
