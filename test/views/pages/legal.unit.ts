/** Legal pages as data: every fact in every language, with a snapshot and without. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { LANGUAGES, type Language } from '../../../src/texts/texts.js';
import { BULK_FILES } from '../../../src/views/hvd/bulk.js';
import { viewLegalPage, type LegalSource } from '../../../src/views/pages/legal/legal-page.js';
import { LEGAL_PAGES, type LegalPage, type PageStyle } from '../../../src/views/pages/page.js';
import { latinWords, linksOf, textOf } from '../../support/readers/prose-reader.js';

const OPERATOR = 'Zavod <script>alert(1)</script> & sinovi';

const SOURCE = {
  header: {
    schemaVersion: '1.2.0',
    snapshotId: 'example-1',
    generatedAtMs: Date.UTC(2026, 8, 10, 4, 30),
    supportedWindows: ['1h', '1d'],
    counts: {
      organizations: 1,
      networks: 2,
      stations: 87,
      components: 15,
      measurement_rows: 450123,
    },
  },
  publisher: {
    id: 1,
    name: OPERATOR,
    shortName: 'ZAVOD',
    additional: {
      email: 'vazduh@example.rs',
      phone: '+381 (11) 123-456',
      address: 'Ulica 1, Beograd',
      website: 'https://example.rs/vazduh',
    },
  },
  hasWeather: true,
  files: BULK_FILES.map(({ name }, index) => ({ name, sizeBytes: 1234 * 10 ** index })),
} as const satisfies LegalSource;

const SITE = {
  timeZone: 'Europe/Belgrade',
  assets: {},
  baseMap: undefined,
  requestLog: 'none',
  pathPrefix: '',
} as const;

const EVERYWHERE: readonly (LegalSource | undefined)[] = [SOURCE, undefined];

function view(name: LegalPage, style: PageStyle, source: LegalSource | undefined) {
  return viewLegalPage({ name, style }, { source, site: SITE });
}

/** What a page must say, whatever the state of the data. */
const FACTS = JSON.parse(await readFile('test/fixtures/legal-facts.json', 'utf8')) as Readonly<
  Record<LegalPage, Readonly<Record<Language, readonly string[]>>>
>;

for (const name of LEGAL_PAGES) {
  for (const language of LANGUAGES) {
    void t.test(`the page ${name} in ${language} states every fact`, async (t) => {
      for (const source of EVERYWHERE) {
        const page = view(name, { language, theme: undefined }, source);
        const text = textOf(page.sections);
        for (const fact of FACTS[name][language] ?? []) t.match(text, new RegExp(fact, 'i'));
        t.equal(page.notice === null, source !== undefined);
        t.match(page.canonical, `/legal/${name}?language=${language}`);
        const ids = page.sections.map(({ id }) => id);
        t.equal(new Set(ids).size, ids.length);
        t.ok(
          page.title.length > 5 && page.description.length > 40 && page.description.length < 200,
        );
      }
    });
  }
}

void t.test('Cyrillic pages have no Latin words but names and codes', async (t) => {
  for (const name of LEGAL_PAGES) {
    for (const source of EVERYWHERE) {
      const page = view(name, { language: 'sr-Cyrl', theme: undefined }, source);
      const known = [OPERATOR, 'ZAVOD', 'Ulica 1, Beograd', 'example-1'];
      t.strictSame(latinWords(page.sections, known), [], name);
      t.notMatch(page.title + page.description, /[A-Za-zčćžšđ]{3,}/);
    }
  }
});

void t.test('the contact page shows what the organization tells, and leads there', async (t) => {
  const page = view('contact', { language: 'en', theme: undefined }, SOURCE);
  const text = textOf(page.sections);
  for (const part of [
    OPERATOR,
    'ZAVOD',
    'vazduh@example.rs',
    '+381 (11) 123-456',
    'Ulica 1, Beograd',
  ]) {
    t.ok(text.includes(part), part);
  }
  const links = linksOf(page.sections);
  for (const href of [
    'mailto:vazduh@example.rs',
    'tel:+38111123456',
    'https://example.rs/vazduh',
  ]) {
    t.ok(links.includes(href), href);
  }
});

void t.test('contact members that are not what they are called are left out', async (t) => {
  const publisher = {
    ...SOURCE.publisher,
    additional: {
      email: 'javascript:alert(1)',
      website: 'javascript:alert(1)',
      phone: '<b>1</b>',
      url: 'https://',
      description: 7,
    },
  };
  const page = view('contact', { language: 'en', theme: undefined }, { ...SOURCE, publisher });
  t.notMatch(textOf(page.sections), /javascript|<b>/);
  t.match(textOf(page.sections), /publishes no address/);
  t.notOk(linksOf(page.sections).some((href) => href.startsWith('javascript')));
});

void t.test('the dataset page has figures in its language and the site’s zone', async (t) => {
  const text = (language: Language): string =>
    textOf(view('dataset', { language, theme: undefined }, SOURCE).sections);
  t.match(text('en'), /450,123/);
  t.match(text('sr-Latn'), /450\.123/);
  t.match(text('sr-Latn'), /10\. septembar 2026\. (u )?06:30/);
  t.match(text('sr-Cyrl'), /10\. септембар 2026\. (у )?06:30/);
  t.match(text('en'), /1\.23 kB/);
  t.match(text('sr-Latn'), /1,23 kB/);
  t.match(text('en'), /snapshot of 2026-09-10 04:30 UTC \(example-1\)/);
  for (const { name } of BULK_FILES) t.match(text('en'), name);
});
