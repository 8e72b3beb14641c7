/** Legal and documentation pages over HTTP: what they say, what comes with them, and where their links lead. */
import t, { type Test } from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import {
  DOCUMENTATION_PAGES,
  LEGAL_PAGES,
  RECIPES_PATH,
  THEMES,
} from '../../../src/views/pages/page.js';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import { addressesIn, inlineCode, invalidMarkup, visibleText } from '../../support/readers/html.js';
import { get, getJson, type Received } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';

const LEGAL = LEGAL_PAGES.map((name) => `/legal/${name}`);
const DOCUMENTATION = [...DOCUMENTATION_PAGES.map((name) => `/${name}`), RECIPES_PATH];
const ALL = [...LEGAL, ...DOCUMENTATION];

const NAME = `<script>alert(1)</script> & "Zavod" 😀`;

function document(): ReturnType<typeof snapshotDocument> {
  const [first = {}, ...others] = objectsOf(snapshotDocument(), 'organizations');
  const contact = { email: 'vazduh@example.rs', description: '<img src=x onerror=alert(1)>' };
  return snapshotDocument({ organizations: [{ ...first, name: NAME, ...contact }, ...others] });
}

void t.test('with a snapshot', async (t) => {
  const service = await startServing(t, document(), { env: { DEFAULT_LANGUAGE: 'en' } });

  await t.test('every page answers in every language and theme', async (t) => {
    for (const path of ALL) {
      for (const [at, theme] of [undefined, ...THEMES].entries()) {
        const language = LANGUAGES[at] ?? 'en';
        const query = `?language=${language}${theme === undefined ? '' : `&theme=${theme}`}`;
        const answer = await get(service, path + query);
        const html = answer.body.toString();
        t.equal(answer.status, 200, path + query);
        t.match(html, `<html lang="${language}" data-theme="${theme ?? 'auto'}"`);
        t.match(html, /<title>[^<]{4,}<\/title>/);
        t.match(html, /<meta name="description" content="[^"]{30,}">/);
        t.match(html, `<link rel="canonical" href="${path}?language=${language}">`);
        t.equal(inlineCode(html), undefined, path + query);
        t.strictSame(invalidMarkup(html), [], path + query);
        protects(t, answer, language);
      }
    }
  });

  await t.test('links keep language and theme, and lead to parts that there are', async (t) => {
    for (const path of ALL) {
      for (const language of LANGUAGES) {
        const query = `language=${language}&theme=dark`;
        const html = (await get(service, `${path}?${query}`)).body.toString();
        const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
        const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
        for (const address of addressesIn(main)) {
          if (address.startsWith('#')) t.ok(ids.includes(address.slice(1)), address);
          if (/^\/(?:legal|docs|redoc|api-docs|\?)/.test(address)) t.match(address, `?${query}`);
        }
      }
    }
  });

  await t.test('what the organization says comes out as text', async (t) => {
    for (const path of ['/legal/contact', '/legal/license', '/legal/terms', '/legal/dataset']) {
      const html = (await get(service, path)).body.toString();
      t.ok(visibleText(html).includes(NAME), path);
      t.notMatch(html, /<script>|<img/);
    }
    const contact = (await get(service, '/legal/contact')).body.toString();
    t.match(contact, '<a href="mailto:vazduh@example.rs">vazduh@example.rs</a>');
    t.ok(visibleText(contact).includes('<img src=x onerror=alert(1)>'));
  });

  await t.test('the address in the recipes is that of the request', async (t) => {
    const path = '/api-docs/recipes?language=en';
    const here = await get(service, path, { headers: { Host: 'air.example:8443' } });
    t.match(visibleText(here.body.toString()), 'http://air.example:8443/api/v1/observations.csv');
    t.match(here.headers.vary, /Host/);
    const etag = here.headers.etag ?? '';
    const fields = { 'If-None-Match': etag };
    const again = await get(service, path, { headers: { ...fields, Host: 'air.example:8443' } });
    t.equal(again.status, 304);
    t.equal((await get(service, path, { headers: fields })).status, 200);
    const nobody = await get(service, path, { headers: { Host: '-$(id)-' } });
    t.equal(nobody.status, 200);
    t.match(visibleText(nobody.body.toString()), 'http://localhost:8080/api/v1/observations.csv');
    t.notMatch(nobody.body.toString(), '(id)');
  });

  await t.test('the station of the recipes is one that this network has', async (t) => {
    const { body } = await getJson(service, '/api/v1/stations');
    const ids = (body as readonly { readonly station_id: string }[]).map((one) => one.station_id);
    const page = await get(service, `${RECIPES_PATH}?language=en`);
    const text = visibleText(page.body.toString());
    const [, station = ''] = /station_id=(\d+)&layout=wide/.exec(text) ?? [];
    t.ok(ids.includes(station), station);
    t.match(text, `${station} is one of the stations`);
  });
});

function protects(t: Test, { headers }: Received, language: string): void {
  t.equal(headers['content-type'], 'text/html; charset=utf-8');
  t.equal(headers['content-language'], language);
  t.equal(headers['x-content-type-options'], 'nosniff');
  t.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin');
  const policy = String(headers['content-security-policy']);
  t.match(policy, "default-src 'none'");
  t.match(policy, "script-src 'self';");
  t.match(policy, "frame-ancestors 'none'");
  t.notMatch(policy, /unsafe|https?:|\*/);
}
