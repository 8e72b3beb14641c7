/** The pages of every language, read at their first use in a thread. */
import type { PageFile } from './text-files.js';
import { parsePage, type ProsePage } from './markdown.js';
import { readIn, type Language } from './texts.js';

/** A page, and whether the operator wrote it. */
interface LanguagePage extends ProsePage {
  readonly isOwn: boolean;
}

const pages = new Map<string, LanguagePage>();

export function pageIn(language: Language, file: PageFile): LanguagePage {
  const key = `${language}/${file}`;
  let made = pages.get(key);
  if (made === undefined) {
    const { text, transform, isOwn } = readIn(language, `${file}.md`);
    made = { ...parsePage(text, transform).page, isOwn };
    pages.set(key, made);
  }
  return made;
}
