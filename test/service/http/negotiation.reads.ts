/**
 * Effects of `Accept` and `Accept-Language`: the 404s that people see, and the language of the bare `/`; nothing else.
 */
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { portalDocument } from '../../support/documents/portal-document.js';
import { addressesIn, inlineCode, invalidMarkup } from '../../support/readers/html.js';
import { get, type Received } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';

/** As browsers send it when they open an address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** `Accept` fields of programs, not of browsers. */
const PROGRAMS = [undefined, '*/*', 'application/json', 'application/json,text/html;q=0.5', 'x'];

const NOT_FOUND = '{"detail":"Not Found"}';
const NO_DATA = '{"detail":"No public data found for the requested resource."}';

/** The languages of the demonstration: ours, and its own. */
const LANGUAGES = ['sr-Latn', 'sr-Cyrl', 'en', 'es'];

const UNKNOWN_PATHS = [
  '/no/such/path',
  '/portal',
  '/1%2Fstations',
  '/metb/',
  '//meta/',
  '/portal/../meta',
  '/%',
  '/legal/licence',
  '/api-docs/nothing',
  '/index.html',
];

const UNKNOWN_STATIONS = ['/portal/chart.svg?station_id=999', '/portal/days.csv?station_id=x'];

/** Addresses that programs request: JSON for everybody. */
const JSON_ERRORS = [
  ['/api/v1/nothing', NOT_FOUND],
  ['/api/nothing', NOT_FOUND],
  ['/api/v1/bulk/nothing.csv', '{"detail":"Bulk resource not found."}'],
  ['/9/stations', NO_DATA],
  ['/1/stations/999/meta', NO_DATA],
  ['/1/stations/999/measurements/last_hour', NO_DATA],
  ['/measurements?organization_id=1&station_id=999&component_id=1&window=1d', NO_DATA],
  ['/portal/export?organization_id=1&station_id=999&component_id=1&window=1d&format=csv', NO_DATA],
] as const;

const ENV = { TEXTS_DIR: resolve('data/demo/texts'), DEFAULT_LANGUAGE: 'sr-Latn' };

void t.test('with a snapshot', async (t) => {
  const service = await startServing(t, portalDocument(), { env: ENV });
  const ask = async (
    path: string,
    fields: Readonly<Record<string, string | undefined>> = {},
    method = 'GET',
  ): Promise<Received> => {
    const given = Object.entries(fields).filter((one): one is [string, string] => Boolean(one[1]));
    return await get(service, path, { headers: Object.fromEntries(given), method });
  };

  await t.test('a person gets a page with the search, and a program gets JSON', async (t) => {
    for (const [paths, json, heading] of [
      [UNKNOWN_PATHS, NOT_FOUND, 'There is no page at this address'],
      [UNKNOWN_STATIONS, NO_DATA, 'There is no such station'],
    ] as const) {
      for (const path of paths) {
        const target = `${path}${path.includes('?') ? '&' : '?'}language=en&theme=dark`;
        const page = await ask(target, { Accept: BROWSER });
        const html = page.body.toString();
        t.equal(page.status, 404, target);
        t.equal(page.headers['content-type'], 'text/html; charset=utf-8');
        t.equal(page.headers['content-language'], 'en');
        t.equal(page.headers['cache-control'], 'no-store');
        t.equal(page.headers['vary'], 'Accept-Encoding, Accept');
        t.equal(page.headers.etag, undefined);
        t.equal(page.headers['x-snapshot-id'], undefined);
        t.equal(page.headers['access-control-allow-origin'], '*');
        t.match(page.headers['content-security-policy'], /^default-src 'none'; script-src 'self'/);
        t.match(html, `<h1>${heading}</h1>`);
        t.match(html, '<html lang="en" data-theme="dark"');
        t.strictSame([inlineCode(html), invalidMarkup(html)], [undefined, []]);
        for (const accept of PROGRAMS) {
          const error = await ask(target, { Accept: accept });
          t.strictSame([error.status, error.body.toString()], [404, json], `${target} ${accept}`);
          t.equal(error.headers['content-type'], 'application/json');
          t.equal(error.headers['vary'], 'Accept');
          t.equal(error.headers['cache-control'], 'no-store');
          t.equal(error.headers.etag, undefined);
        }
      }
    }
  });

  await t.test('HEAD, gzip, languages, and nothing of the request', async (t) => {
    const whole = await ask('/nothing', { Accept: BROWSER });
    const head = await ask('/nothing', { Accept: BROWSER }, 'HEAD');
    t.equal(whole.headers['content-language'], 'sr-Latn', 'of the operator');
    t.strictSame([head.status, head.body.length], [404, 0]);
    t.same({ ...head.headers, date: '' }, { ...whole.headers, date: '' });
    const gzip = await ask('/nothing', { Accept: BROWSER, 'Accept-Encoding': 'gzip' });
    t.equal(gzip.headers['content-encoding'], 'gzip');
    t.ok(gunzipSync(gzip.body).equals(whole.body));
    for (const query of ['language=de&theme=blue', 'evil=%22%3E%3Cscript%3E', '%']) {
      const page = await ask(`/evil?${query}`, { Accept: BROWSER, 'Accept-Language': 'es' });
      t.ok(page.body.equals(whole.body), query);
      t.equal(page.headers['x-ignored-parameters'], undefined);
    }
    const known = await ask('/nothing', { Accept: BROWSER, 'If-None-Match': '*' });
    t.equal(known.status, 404, 'never 304');
    const html = (await ask('/nothing?language=es', { Accept: BROWSER })).body.toString();
    const links = addressesIn(html).filter((one) => one.startsWith('/'));
    t.ok(links.includes('/?language=es') && links.includes('/api-docs?language=es'));
    for (const link of new Set(links)) t.equal((await ask(link)).status, 200, link);
  });

  await t.test('other methods, and what programs ask for, are JSON to everybody', async (t) => {
    for (const accept of [BROWSER, undefined]) {
      for (const [path, json] of JSON_ERRORS) {
        const error = await ask(path, { Accept: accept });
        t.strictSame([error.status, error.body.toString()], [404, json], path);
        t.equal(error.headers['vary'], undefined);
      }
      for (const method of ['POST', 'OPTIONS', 'DELETE']) {
        const error = await ask('/nothing', { Accept: accept }, method);
        t.strictSame([error.status, error.body.toString()], [404, NOT_FOUND], method);
        t.equal(error.headers['vary'], undefined);
      }
      const wrong = await ask('/meta', { Accept: accept }, 'POST');
      t.equal(wrong.body.toString(), '{"detail":"Method Not Allowed"}');
      t.equal((await ask('/meta/', { Accept: accept })).status, 308);
    }
  });

  await t.test('the bare / is in the language that the client prefers', async (t) => {
    const tags = new Map<string, string>();
    for (const [preference, language] of [
      ['', 'sr-Latn'],
      ['*', 'sr-Latn'],
      ['de-DE,de;q=0.9', 'sr-Latn'],
      ['sr-RS,sr;q=0.9,en;q=0.5', 'sr-Latn'],
      ['es-MX,es;q=0.9,en;q=0.8', 'es'],
      ['en-US,en;q=0.9', 'en'],
      ['sr-Cyrl-RS', 'sr-Cyrl'],
    ] as const) {
      for (const time of ['first', 'cached']) {
        const page = await ask('/', { 'Accept-Language': preference });
        const label = `${preference}, ${time}`;
        t.equal(page.status, 200, label);
        t.equal(page.headers['content-language'], language, label);
        t.equal(page.headers['vary'], 'Accept-Encoding, Accept-Language');
        t.match(page.body.toString(), `<html lang="${language}"`, label);
        const named = await ask(`/?language=${language}`);
        t.ok(named.body.equals(page.body), 'the same page as at its own address');
        tags.set(language, page.headers.etag ?? '');
      }
    }
    t.equal(new Set(tags.values()).size, LANGUAGES.length, 'each has a tag of its own');
    for (const [language, etag] of tags) {
      for (const [other] of tags) {
        for (const method of ['GET', 'HEAD']) {
          const fields = { 'Accept-Language': other, 'If-None-Match': etag };
          const answer = await ask('/', fields, method);
          t.equal(answer.status, other === language ? 304 : 200, `${etag} for ${other}`);
          t.equal(answer.headers['vary'], 'Accept-Encoding, Accept-Language');
        }
      }
    }
  });

  await t.test('no other address knows Accept-Language', async (t) => {
    for (const path of [
      '/?window=1d',
      '/?q=',
      '/?language=',
      '/overview',
      '/legal/terms',
      '/api-docs',
      '/docs',
      '/portal/station-modal',
      '/api-docs/recipes',
      '/api/v1/data-dictionary',
      '/meta',
      '/nothing',
    ]) {
      const [plain, other] = [await ask(path), await ask(path, { 'Accept-Language': 'es' })];
      t.same({ ...other.headers, date: '' }, { ...plain.headers, date: '' }, path);
      t.ok(other.body.equals(plain.body), path);
      t.notMatch(plain.headers['vary'], /Language/);
    }
  });
});
