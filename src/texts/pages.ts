/** The pages of every language, read when they are first asked for, once a thread. */
import type { PageFile } from './files.js';
import { parsePage, type Page } from './markdown.js';
import { readIn, type Language } from './texts.js';

const pages = new Map<string, Page>();

/** A page with its placeholders. */
export function pageIn(language: Language, file: PageFile): Page {
  const key = `${language}/${file}`;
  let made = pages.get(key);
  if (made === undefined) {
    const { text, transform } = readIn(language, `${file}.md`);
    made = parsePage(text, transform).page;
    pages.set(key, made);
  }
  return made;
}
