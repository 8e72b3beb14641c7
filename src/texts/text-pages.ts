/** The pages of every language, read when they are first asked for, once a thread. */
import type { PageFile } from './text-files.js';
import { parsePage, type ProsePage } from './markdown.js';
import { readIn, type Language } from './texts.js';

/** A page, and whether its text is the operator's. */
interface LanguagePage extends ProsePage {
  readonly isOwn: boolean;
}

const pages = new Map<string, LanguagePage>();

/** A page with its placeholders. */
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
