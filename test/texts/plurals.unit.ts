/** Numbers in messages: every language writes each with the word in the form that it has there (CLDR). */
import {
  FluentParser,
  Identifier,
  Message,
  Placeable,
  SelectExpression,
  VariableReference,
  type Pattern,
} from '@fluent/syntax';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { readMessages, type MessageValues } from '../../src/texts/fluent-messages.js';

const FOLDERS = { en: 'texts', 'sr-Latn': 'texts', es: 'data/demo/texts' } as const;
type Language = keyof typeof FOLDERS;

const SHOWN = [1, 2, 5, 21, 22, 25] as const;

/** Placeholders that are numbers. */
const NUMBERS = [
  ...['all', 'count', 'days', 'higher', 'hours', 'lower'],
  ...['metres', 'missing', 'percent', 'same', 'shown'],
];

for (const language of Object.keys(FOLDERS) as Language[]) {
  const text = readFileSync(`${FOLDERS[language]}/${language}/portal.ftl`, 'utf8');
  const messages = new FluentParser()
    .parse(text)
    .body.flatMap((entry) =>
      entry instanceof Message && entry.value !== null
        ? [[entry.id.name, entry.value] as const]
        : [],
    );

  void t.test(`${language}: each number with its word`, async (t) => {
    const read = readMessages(text, language);
    const lines = messages.flatMap(([id, pattern]) => {
      const variables = variablesOf(pattern);
      if (!variables.some((name) => NUMBERS.includes(name))) return [];
      const values = (number: number, side: string): MessageValues =>
        Object.fromEntries(
          variables.map((name) => [name, valueOf(name, { number, side, language })]),
        );
      const said = sidesOf(pattern).flatMap((side) => {
        const forms = SHOWN.map((number) =>
          [...read(id, values(number, side)).matchAll(wordsAfter(number))].map(([form]) => form),
        );
        return forms[0]?.map((_, at) => forms.map((one) => one[at]).join(', ')) ?? [];
      });
      return [...new Set(said)].map((form) => `${id}: ${form}`);
    });
    const expected = readFileSync(`test/fixtures/plurals/${language}.txt`, 'utf8');
    t.equal(`${lines.join('\n')}\n`, expected);
  });
}

/** A number, the text between, and the next two words. */
function wordsAfter(number: number): RegExp {
  return new RegExp(`(?:\\p{L}+ )?\\b${number}\\b(?:.?%| \\p{L}+(?: \\p{L}+)?)?`, 'gu');
}

function valueOf(
  name: string,
  { number, side, language }: Readonly<{ number: number; side: string; language: Language }>,
): string | number {
  if (name === 'place' || NUMBERS.includes(name)) return number;
  if (name === 'side') return side;
  if (name === 'ordinal') return new Intl.PluralRules(language, { type: 'ordinal' }).select(number);
  return '…';
}

function partsOf(pattern: Pattern) {
  return pattern.elements.map((element) =>
    element instanceof Placeable ? element.expression : element,
  );
}

function variablesOf(pattern: Pattern): readonly string[] {
  const names = partsOf(pattern).flatMap((part): readonly string[] => {
    if (part instanceof VariableReference) return [part.id.name];
    if (!(part instanceof SelectExpression)) return [];
    const { selector } = part;
    const own = selector instanceof VariableReference ? [selector.id.name] : [];
    return [...own, ...part.variants.flatMap(({ value }) => variablesOf(value))];
  });
  return [...new Set(names)];
}

/** Choices of `$side`. */
function sidesOf(pattern: Pattern): readonly string[] {
  const sides = partsOf(pattern).flatMap((part) =>
    part instanceof SelectExpression &&
    part.selector instanceof VariableReference &&
    part.selector.id.name === 'side'
      ? part.variants.flatMap(({ key }) => (key instanceof Identifier ? key.name : []))
      : [],
  );
  return sides.length === 0 ? [''] : sides;
}
