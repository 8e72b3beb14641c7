/** Forms that clients get by `Accept`, `Accept-Encoding` and `Accept-Language`. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { preferredLanguage, prefersHtml } from '../../../src/http/semantics/accept.js';
import { prefersGzip } from '../../../src/http/semantics/representation.js';

const LANGUAGES = ['sr-Latn', 'sr-Cyrl', 'en', 'es', 'pt-BR'];

const languageOf = (preference: string, fallback = 'en'): string =>
  preferredLanguage(preference, { languages: LANGUAGES, fallback });

/** No more than ten ranges of languages count, and no more than two hundred characters. */
const CHOICES = { html: prefersHtml, gzip: prefersGzip, language: languageOf };

/** By what is chosen: values of the field, each with the choice. */
type Cases = Readonly<Record<keyof typeof CHOICES, Readonly<Record<string, boolean | string>>>>;

void t.test('what is preferred is chosen', async (t) => {
  const text = await readFile('test/fixtures/cases/preferences.json', 'utf8');
  const cases = JSON.parse(text) as Cases;
  for (const kind of ['html', 'gzip', 'language'] as const) {
    for (const [preference, expected] of Object.entries(cases[kind])) {
      t.equal(CHOICES[kind](preference), expected, `${kind}: ${preference}`);
    }
  }
});

void t.test('Serbian without a script is in the script of the operator', async (t) => {
  for (const fallback of ['sr-Cyrl', 'sr-Latn', 'en']) {
    const expected = fallback === 'en' ? 'sr-Latn' : fallback;
    for (const range of ['sr', 'sr-RS', 'SR-rs;q=0.3']) {
      t.equal(languageOf(range, fallback), expected, range);
    }
  }
});
