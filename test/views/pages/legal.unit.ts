/** Pages of text as data: what they hold with a snapshot and without, and that each language is used throughout. */
import t from 'tap';
import { LANGUAGES, type Language } from '../../../src/texts/texts.js';
import { BULK_FILES } from '../../../src/views/hvd/bulk.js';
import { viewDocumentationPage } from '../../../src/pages/documentation/documentation-view.js';
import { viewLegalPage, type LegalSource } from '../../../src/pages/legal/legal-view.js';
import { DOCUMENTATION_PAGES, LEGAL_PAGES, type LegalPage } from '../../../src/views/pages/page.js';
import { viewRecipesPage } from '../../../src/pages/recipes/recipes-view.js';
import { HEADER } from '../../support/expected/observation-columns.js';
import { addressesIn, visibleText } from '../../support/readers/html.js';
import { SITE } from './portal/portals.js';

const OPERATOR = 'Zavod <script>alert(1)</script> & sinovi';
const CONTACT = { email: 'vazduh@example.rs', phone: '+381 (11) 123-456', address: 'Ulica 1' };

const SOURCE: LegalSource = {
  header: {
    ...HEADER,
    generatedAtMs: Date.UTC(2026, 8, 10, 4, 30),
    counts: { ...HEADER.counts, measurement_rows: 450_123 },
  },
  publisher: { id: 1, name: OPERATOR, shortName: 'ZAVOD', additional: CONTACT },
  hasWeather: true,
  files: BULK_FILES.map(({ name }, index) => ({ name, sha256: '', sizeBytes: 1234 * 10 ** index })),
};

function view(name: LegalPage, language: Language, hasArchive = false) {
  const page = viewLegalPage(
    { name, language, theme: undefined },
    { source: SOURCE, site: { ...SITE, hasArchive } },
  );
  const html = page.sections.map(({ heading, html }) => `<h2>${heading}</h2>${html}`).join('\n');
  return { ...page, html, text: visibleText(`<body>${html}`) };
}

void t.test('retention is said as it is, with an archive and without', async (t) => {
  for (const language of LANGUAGES) {
    t.not(view('terms', language, true).text, view('terms', language).text, language);
    const addresses = addressesIn(view('dataset', language, true).html);
    t.ok(addresses.includes('/api/v1/archive.sql'), language);
    t.notMatch(view('dataset', language).text, 'api/v1/archive', language);
  }
  const { text } = view('terms', 'en', true);
  t.match(text, /Older hours and daily values are in the archive/);
  t.notMatch(text, /keep what you download/);
  t.match(view('terms', 'en').text, /keep what you download/);
});

/** The visible text of a part, without code and addresses. */
function shown(part: string): string {
  return visibleText(`<body>${part.replaceAll(/<(code|pre).*?<\/\1>/gs, '')}`);
}

void t.test('every part of a Cyrillic page is Cyrillic', async (t) => {
  const style = { language: 'sr-Cyrl', theme: undefined } as const;
  const recipes = viewRecipesPage(
    { style, baseUrl: undefined },
    { portal: undefined, timeZone: 'UTC' },
  );
  const pages = [
    ...LEGAL_PAGES.map((name) => view(name, 'sr-Cyrl')),
    ...DOCUMENTATION_PAGES.map((name) => viewDocumentationPage({ name, ...style })),
  ];
  const parts = [
    ...pages.flatMap(({ title, description, sections }) => {
      return [title, description, ...sections.map(({ heading, html }) => heading + html)];
    }),
    ...[recipes.title, recipes.description, recipes.contents, recipes.copy, recipes.copied],
    ...recipes.introduction,
    ...recipes.sections.flatMap((tool) => tool.recipes).flatMap((one) => [one.title, one.text]),
  ];
  for (const part of parts.map(shown).filter((text) => text.trim() !== '')) {
    t.match(part, /\p{Script=Cyrl}{3}/u);
    t.notMatch(part.replaceAll(OPERATOR, ''), /[čćžšđ]/i);
  }
});

void t.test('the dataset page has figures in its language and the site’s zone', async (t) => {
  for (const [language, patterns] of [
    ['en', [/450,123/, /1\.23 kB/, /of 2026-09-10 04:30 UTC \(20260910T000000Z-test\)/]],
    ['sr-Latn', [/450\.123/, /10\. septembar 2026\. (u )?06:30/, /1,23 kB/]],
    ['sr-Cyrl', [/10\. септембар 2026\. (у )?06:30/]],
  ] as const) {
    const { text } = view('dataset', language);
    for (const part of [...patterns, ...BULK_FILES.map(({ name }) => name)]) t.match(text, part);
  }
});
