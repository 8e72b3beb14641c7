/** Finds texts of an additional language that are still the English ones of `bura texts init`. */
import { FluentParser, lineOffset, Message, TextElement } from '@fluent/syntax';
import { nodesOf } from './check-messages.js';
import type { LineProblem } from './text-files.js';

/** Texts with fewer words may be equal in two languages: names, codes, formats. */
const MIN_WORDS = 4;

/** One problem for the file, at its first untranslated text; empty for a translated file. */
export function untranslatedTexts(
  name: string,
  text: string,
  english: string,
): readonly LineProblem[] {
  const read = name.endsWith('.ftl') ? messageTexts : pageTexts;
  const ours = new Set(read(english).flatMap(({ parts }) => parts));
  const all = read(text).filter(({ parts }) => wordsOf(parts.join(' ')) >= MIN_WORDS);
  const same = all.filter(({ parts }) => parts.every((part) => ours.has(part)));
  const [first] = same;
  if (first === undefined) return [];
  const problem = `${same.length} of ${all.length} texts are still in English`;
  return [{ line: first.line, problem }];
}

/** Texts without their placeholders, and their lines (from 1). */
function messageTexts(text: string) {
  return new FluentParser().parse(text).body.flatMap((entry) => {
    if (!(entry instanceof Message) || entry.value === null) return [];
    const parts = nodesOf(entry.value).flatMap((node) =>
      node instanceof TextElement && wordsOf(node.value) > 0 ? [node.value.trim()] : [],
    );
    return [{ line: lineOffset(text, entry.span?.start ?? 0) + 1, parts }];
  });
}

function pageTexts(text: string) {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    return isCode ? [] : [{ line: index + 1, parts: [line.trim()] }];
  });
}

function wordsOf(text: string): number {
  const prose = text.replaceAll(/`[^`]*`|\]\([^)]*\)|\{[^}]*\}/g, ' ');
  // Codes such as DCAT-AP are equal in every language.
  return prose.match(/\p{L}*\p{Ll}\p{L}*/gu)?.length ?? 0;
}
