/** The pages of every language, read at their first use in a thread. */
import type { PageFile } from './text-files.js';
import { cached } from './cached.js';
import { parsePage } from './markdown.js';
import { readIn, type Language } from './texts.js';

/** Pages, and whether the operator wrote them. */
const pages = cached((language: Language) =>
  cached((file: PageFile) => {
    const { text, transform, isOwn } = readIn(language, `${file}.md`);
    return { ...parsePage(text, transform).page, isOwn };
  }),
);

export function pageIn(language: Language, file: PageFile) {
  return pages(language)(file);
}
