/** An ESLint rule: comments of code, and paragraphs of Markdown, without the phrases of `words.mjs`. */
import { BEGINNINGS, PHRASES } from './words.mjs';

/** @type {import('eslint').Rule.RuleModule} */
export const plainEnglish = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { met: '"{{ met }}" stops a reader. Expected: {{ expected }}.' },
  },
  create(context) {
    const check = (text, loc, patterns) => {
      for (const [pattern, expected] of patterns) {
        const met = pattern.exec(text)?.[0];
        if (met !== undefined) context.report({ loc, messageId: 'met', data: { met, expected } });
      }
    };
    return {
      // Markdown.
      text({ value, position }) {
        if (position !== undefined) check(value, position, PHRASES);
      },
      // Code.
      Program() {
        for (const { text, loc } of commentsOf(context.sourceCode))
          check(text, loc, [...BEGINNINGS, ...PHRASES]);
      },
    };
  },
};

/** Comments as they are read: without stars, and lines of `//` that follow each other as one. */
function commentsOf(sourceCode) {
  const comments = [];
  for (const { type, value, loc } of sourceCode.getAllComments()) {
    const text = value
      .replaceAll(/^\s*\*?/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const last = comments.at(-1);
    const isNext =
      type === 'Line' && last?.type === type && last.loc.end.line === loc.start.line - 1;
    if (isNext && last.loc.start.column === loc.start.column) {
      last.text += ` ${text}`;
      last.loc = { start: last.loc.start, end: loc.end };
    } else comments.push({ type, text, loc: { ...loc } });
  }
  return comments;
}
