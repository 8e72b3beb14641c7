/** Forms that clients get by `Accept`, `Accept-Encoding` and `Accept-Language`. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { preferredLanguage, prefersHtml } from '../../../src/http/semantics/accept.js';
import { prefersGzip } from '../../../src/http/semantics/representation.js';

/** By what is chosen: values of the field, each with the choice. */
const CASES = JSON.parse(await readFile('test/fixtures/cases/preferences.json', 'utf8')) as {
  readonly html: Readonly<Record<string, boolean>>;
  readonly gzip: Readonly<Record<string, boolean>>;
  readonly language: Readonly<Record<string, string>>;
};

const LANGUAGES = ['sr-Latn', 'sr-Cyrl', 'en', 'es', 'pt-BR'];

void t.test('HTML is for who names it and prefers it to JSON', async (t) => {
  for (const [accept, expected] of Object.entries(CASES.html)) {
    t.equal(prefersHtml(accept), expected, accept);
  }
});

void t.test('gzip follows the weights', async (t) => {
  for (const [preference, expected] of Object.entries(CASES.gzip)) {
    t.equal(prefersGzip(preference), expected, preference);
  }
});

void t.test('a language is looked up', async (t) => {
  // With `en` for clients without a preference; no more than ten ranges, and no more than two hundred characters.
  for (const [preference, expected] of Object.entries(CASES.language)) {
    const offered = { languages: LANGUAGES, fallback: 'en' };
    t.equal(preferredLanguage(preference, offered), expected, preference);
  }
});

void t.test('Serbian without a script is in the script of the operator', async (t) => {
  for (const [fallback, expected] of [
    ['sr-Cyrl', 'sr-Cyrl'],
    ['sr-Latn', 'sr-Latn'],
    ['en', 'sr-Latn'],
  ] as const) {
    for (const range of ['sr', 'sr-RS', 'SR-rs;q=0.3']) {
      t.equal(preferredLanguage(range, { languages: LANGUAGES, fallback }), expected, range);
    }
  }
});
