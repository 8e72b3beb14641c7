/** Where texts lie: ours beside the compiled code, and the operator's own in `TEXTS_DIR`, whose files replace ours one by one. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files of messages (Project Fluent) that every language has, without their ending. */
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

/** Files of pages (Markdown) that every language has, without their ending. */
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

/** Names of all of them. */
export const TEXT_FILES: readonly string[] = [
  ...MESSAGE_FILES.map((name) => `${name}.ftl`),
  ...PAGE_FILES.map((name) => `${name}.md`),
];

export const OUR_LANGUAGES = ['sr-Latn', 'sr-Cyrl', 'en'] as const;

/** The language that the others are compared with. */
export const REFERENCE = 'en';

/** Words whose Cyrillic form does not follow the rule. */
export const WORDS_FILE = 'words.txt';

/** Folder of the texts that come with the service. */
export const OUR_TEXTS = fileURLToPath(new URL('./', import.meta.url));

/** Names the copy of the operator's folder that all processes of an instance read (src/supervisor/operator-files.ts); empty: none. */
export const TEXTS_COPY = 'TEXTS_COPY';

/** The operator's folder; undefined without one. A process has one, and so do its workers. */
export function operatorTexts(): string | undefined {
  const folder = process.env[TEXTS_COPY] ?? process.env['TEXTS_DIR'];
  return folder === '' ? undefined : folder;
}

/** The text of a file, from the first of the folders that has it. */
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

/** Names of the folders of languages, in alphabetical order: those whose name is a language tag (BCP 47). */
export function languageFolders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isLanguageTag(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** Whether a text is a language tag of two or three letters and what may follow, written as it is written best: `pt-BR`, not `pt-br`. */
export function isLanguageTag(text: string): boolean {
  try {
    return /^[a-z]{2,3}(?:-|$)/.test(text) && Intl.getCanonicalLocales(text)[0] === text;
  } catch {
    return false;
  }
}

/** A problem of a text. */
export interface LineProblem {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}
