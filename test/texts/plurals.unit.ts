/** Numbers in messages: every language writes each with the word in the form that it has there (CLDR). */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { readMessages } from '../../src/texts/fluent-messages.js';

const FOLDERS = { en: 'texts', 'sr-Latn': 'texts', es: 'data/demo/texts' } as const;
const SHOWN = [1, 2, 5, 21, 22, 25] as const;

/** Placeholders that are numbers. */
const NUMBERS = [
  ...['all', 'count', 'days', 'higher', 'hours', 'lower'],
  ...['metres', 'missing', 'percent', 'same', 'shown'],
];

/** Values of `$side`, for each of which a message has a sentence of its own. */
const SIDES = ['higher', 'lower', 'same', 'usual'];

/** The name of a message, and its text with the lines that continue it. */
const MESSAGE = /^([a-z][\w-]*) =(.*(?:\n[ }].*)*)/gm;

for (const [language, folder] of Object.entries(FOLDERS)) {
  const text = readFileSync(`${folder}/${language}/portal.ftl`, 'utf8');
  const ordinals = new Intl.PluralRules(language, { type: 'ordinal' });
  const valueOf = (name: string, number: number, side: string): string | number => {
    if (name === 'place' || NUMBERS.includes(name)) return number;
    if (name === 'side') return side;
    return name === 'ordinal' ? ordinals.select(number) : '…';
  };

  void t.test(`${language}: each number with its word`, async (t) => {
    const read = readMessages(text, language);
    const lines = [...text.matchAll(MESSAGE)].flatMap(([, id = '', source = '']) => {
      const names = Array.from(source.matchAll(/\$([\w-]+)/g), ([, name = '']) => name);
      if (!names.some((name) => NUMBERS.includes(name))) return [];
      const said = (names.includes('side') ? SIDES : ['']).flatMap((side) => {
        const forms = SHOWN.map((number) => {
          const values = names.map((name) => [name, valueOf(name, number, side)] as const);
          const words = read(id, Object.fromEntries(values)).matchAll(wordsAfter(number));
          return Array.from(words, ([form]) => form);
        });
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
