/** Clients that prefer HTML by their `Accept`, and the language that a client gets by its `Accept-Language`. */
import t from 'tap';
import { preferredLanguage, prefersHtml } from '../../../src/http/semantics/accept.js';

const ACCEPTS = new Map([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML ; Q=0.5', true],
  ['application/xhtml+xml', true],
  ['text/html;charset=utf-8', true],
  ['application/json;q=0.5,text/html', true],
  ['application/*;q=0.2,text/html;q=0.3', true],
  ['text/html;q=0.9,application/json;q=0.1,*/*', true],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['text/html,*/*', false],
  ['application/json', false],
  ['application/json,text/html;q=0.5', false],
  ['application/json,text/html', false],
  ['text/html;q=0', false],
  ['text/html;q=1.5', false],
  ['text/html;q=x,application/xhtml+xml;q=0', false],
  ['image/avif,image/webp,*/*;q=0.8', false],
  [`text/html,${'a/b,'.repeat(200)}`, false],
]);

void t.test('HTML is for who names it and prefers it to JSON', async (t) => {
  for (const [accept, expected] of ACCEPTS) t.equal(prefersHtml(accept), expected, accept);
});

const LANGUAGES = ['sr-Latn', 'sr-Cyrl', 'en', 'es', 'pt-BR'];

/** With `en` for clients without a preference. */
const PREFERENCES = new Map([
  ['', 'en'],
  ['*', 'en'],
  ['es', 'es'],
  ['ES-mx', 'es'],
  ['es-419,es;q=0.9,en;q=0.8', 'es'],
  ['de,es;q=0.5', 'es'],
  ['de,fr', 'en'],
  ['es;q=0.5,en-GB;q=0.6', 'en'],
  ['es;q=0.5,*', 'en'],
  ['es,*;q=0.5', 'es'],
  ['de-DE,es;q=0,*;q=0.1', 'en'],
  ['en;q=0,*', 'sr-Latn'],
  ['es;q=0', 'en'],
  ['es-MX,es;q=0', 'en'],
  ['sr', 'sr-Latn'],
  ['sr-RS,sr;q=0.9', 'sr-Latn'],
  ['sr-Cyrl', 'sr-Cyrl'],
  ['sr-Cyrl-RS', 'sr-Cyrl'],
  ['sr-Latn-ME', 'sr-Latn'],
  ['sr,sr-Latn;q=0', 'sr-Cyrl'],
  ['sr-Cyrl,sr;q=0', 'sr-Cyrl'],
  ['hr,bs;q=0.9,sh;q=0.8,cnr;q=0.7,me;q=0.6', 'en'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['s', 'en'],
  ['es_MX', 'en'],
  ['es;q=2', 'en'],
  ['es;q=', 'en'],
  ['es;;q=1', 'es'],
  [',,es', 'es'],
  [';q=1', 'en'],
  ['español', 'en'],
  ['en-x-pirate', 'en'],
  // No more than ten ranges, and no more than two hundred characters.
  ['a,b,c,d,e,f,g,h,i,es', 'es'],
  ['a,b,c,d,e,f,g,h,i,j,es', 'en'],
  [`${' '.repeat(198)},es`, 'en'],
  [`${' '.repeat(197)},es`, 'es'],
  [`es-${'x'.repeat(300)}`, 'en'],
]);

void t.test('a language is looked up', async (t) => {
  for (const [preference, expected] of PREFERENCES) {
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
