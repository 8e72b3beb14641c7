/** Pages of text as data: what they hold with a snapshot and without, and that each language is used throughout. */
import t from 'tap';
import { LANGUAGES, type Language } from '../../../src/texts/texts.js';
import { BULK_FILES } from '../../../src/views/hvd/bulk.js';
import { viewDocumentationPage } from '../../../src/pages/documentation/documentation-view.js';
import { viewLegalPage, type LegalSource } from '../../../src/pages/legal/legal-view.js';
import { DOCUMENTATION_PAGES, LEGAL_PAGES, type LegalPage } from '../../../src/views/pages/page.js';
import { viewRecipesPage } from '../../../src/pages/recipes/recipes-view.js';
import { readRecipe } from '../../../src/pages/recipes/read-recipe.js';
import { HEADER } from '../../support/expected/observation-columns.js';
import { addressesIn, visibleText } from '../../support/readers/html.js';

const OPERATOR = 'Zavod <script>alert(1)</script> & sinovi';

const CONTACT = {
  email: 'vazduh@example.rs',
  phone: '+381 (11) 123-456',
  address: 'Ulica 1, Beograd',
  website: 'https://example.rs/vazduh',
};

const PUBLISHER = { id: 1, name: OPERATOR, shortName: 'ZAVOD', additional: CONTACT };

const SOURCE: LegalSource = {
  header: {
    ...HEADER,
    generatedAtMs: Date.UTC(2026, 8, 10, 4, 30),
    counts: { ...HEADER.counts, measurement_rows: 450_123 },
  },
  publisher: PUBLISHER,
  hasWeather: true,
  files: BULK_FILES.map(({ name }, index) => ({ name, sizeBytes: 1234 * 10 ** index })),
};

const SITE = {
  timeZone: 'Europe/Belgrade',
  assets: {},
  baseMap: undefined,
  requestLog: 'none',
  pathPrefix: '',
  hasArchive: false,
  navigation: [],
} as const;

/** @param more members that replace the source's; null: without a snapshot. */
function view(
  name: LegalPage,
  language: Language,
  more: Partial<LegalSource> | null = {},
  hasArchive = false,
) {
  const source = more === null ? undefined : { ...SOURCE, ...more };
  const style = { language, theme: undefined };
  const page = viewLegalPage({ name, ...style }, { source, site: { ...SITE, hasArchive } });
  const html = page.sections.map(({ heading, html }) => `<h2>${heading}</h2>${html}`).join('\n');
  return { ...page, html, text: visibleText(`<body>${html}`) };
}

void t.test('a page is whole without a snapshot, and says that there are no data', async (t) => {
  for (const name of LEGAL_PAGES) {
    for (const language of LANGUAGES) {
      const [page, bare] = [view(name, language), view(name, language, null)];
      t.same([page.notice, typeof bare.notice], [null, 'string']);
      t.ok(bare.text.length > 300, `${name}: ${bare.text.length} characters`);
    }
  }
  t.match(view('license', 'en', null).text, /Article 26.*attribution/);
  t.match(view('terms', 'en', null).text, /preliminary.*No personal data/);
});

void t.test('retention is said as it is, with an archive and without', async (t) => {
  for (const language of LANGUAGES) {
    const archived = view('terms', language, {}, true);
    const plain = view('terms', language);
    t.ok(
      addressesIn(archived.html).some((href) => href.startsWith('/legal/dataset')),
      language,
    );
    t.not(archived.text, plain.text, language);
    t.ok(addressesIn(view('dataset', language, {}, true).html).includes('/api/v1/archive.sql'));
    t.notMatch(view('dataset', language).text, 'api/v1/archive', language);
  }
  t.match(view('terms', 'en', {}, true).text, /Older hours and daily values are in the archive/);
  t.notMatch(view('terms', 'en', {}, true).text, /keep what you download/);
  t.match(view('terms', 'en').text, /keep what you download/);
});

/** The visible text of a page, without code and addresses. */
function shown(parts: readonly string[]): string {
  return visibleText(`<body>${parts.join('\n').replaceAll(/<(code|pre).*?<\/\1>/gs, '')}`);
}

void t.test('every part of a Cyrillic page is Cyrillic', async (t) => {
  const style = { language: 'sr-Cyrl', theme: undefined } as const;
  const recipes = viewRecipesPage(
    { style, baseUrl: undefined },
    { codeOf: readRecipe, portal: undefined, timeZone: 'UTC' },
  );
  const all = recipes.sections.flatMap((tool) => tool.recipes);
  const parts = [
    ...LEGAL_PAGES.flatMap((name) => {
      const { title, description, sections } = view(name, 'sr-Cyrl');
      return [title, description, ...sections.map(({ heading, html }) => heading + html)];
    }),
    ...DOCUMENTATION_PAGES.flatMap((name) => {
      const { title, description, viewerHeading, note, loading, ...page } = viewDocumentationPage({
        name,
        ...style,
      });
      const sections = page.sections.map(({ heading, html }) => heading + html);
      return [title, description, viewerHeading, note, loading, page.withoutScripts, ...sections];
    }),
    ...[recipes.title, recipes.description, recipes.contents, recipes.copy, recipes.copied],
    ...[...recipes.introduction, ...all.flatMap(({ title, text }) => [title, text])],
  ];
  for (const part of parts.map((one) => shown([one])).filter((text) => text.trim() !== '')) {
    t.match(part, /\p{Script=Cyrl}{3}/u);
    t.notMatch(part.replaceAll(OPERATOR, ''), /[čćžšđ]/i);
  }
});

void t.test('the contact page shows what the organization tells, and leads there', async (t) => {
  const { text, html } = view('contact', 'en');
  const { email, phone, address, website } = CONTACT;
  for (const part of [OPERATOR, 'ZAVOD', email, phone, address]) t.ok(text.includes(part), part);
  const links = addressesIn(html);
  for (const href of [`mailto:${email}`, 'tel:+38111123456', website]) {
    t.ok(links.includes(href), href);
  }
  const additional = {
    email: 'javascript:alert(1)',
    website: 'javascript:alert(1)',
    phone: '<b>1</b>',
    url: 'https://',
    description: 7,
  };
  const bad = view('contact', 'en', { publisher: { ...PUBLISHER, additional } });
  t.notMatch(bad.text, /javascript|<b>/, 'what is not what it is called is left out');
  t.match(bad.text, /publishes no address/);
  t.notMatch(bad.html, 'javascript');
});

void t.test('the dataset page has figures in its language and the site’s zone', async (t) => {
  const expected: Readonly<Record<string, readonly RegExp[]>> = {
    en: [/450,123/, /1\.23 kB/, /snapshot of 2026-09-10 04:30 UTC \(20260910T000000Z-test\)/],
    'sr-Latn': [/450\.123/, /10\. septembar 2026\. (u )?06:30/, /1,23 kB/],
    'sr-Cyrl': [/10\. септембар 2026\. (у )?06:30/],
  };
  for (const [language, patterns] of Object.entries(expected)) {
    const { text } = view('dataset', language);
    for (const pattern of [...patterns, ...BULK_FILES.map(({ name }) => name)]) {
      t.match(text, pattern);
    }
  }
});
