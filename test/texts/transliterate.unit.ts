/** Serbian Latin to Cyrillic: digraphs, words that only seem to have one, and exceptions. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { inCyrillic, parseWords, transliterate } from '../../src/texts/transliterate.js';

const CASES = JSON.parse(await readFile('test/fixtures/cases/cyrillic.json', 'utf8')) as Readonly<
  Record<'words' | 'texts', Readonly<Record<string, string>>>
>;

/** With words that stay, and one that is written in its own way. */
const WORDS = parseWords('# comment\nApache Parquet\nLinux\nRS = РС\n');

void t.test('writes words and texts in Cyrillic letters', async (t) => {
  for (const [latin, cyrillic] of Object.entries(CASES.words)) {
    t.equal(transliterate(latin), cyrillic);
  }
  for (const [latin, cyrillic] of Object.entries(CASES.texts)) {
    t.equal(inCyrillic(WORDS)(latin), cyrillic);
  }
});
