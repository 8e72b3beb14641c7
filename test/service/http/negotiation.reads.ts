/** Effects of `Accept` and `Accept-Language`: the 404s that people see, and the language of the bare `/`; nothing else. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { casesOf, namedCasesOf } from '../../support/readers/cases.js';
import { addressesIn, inlineCode, invalidMarkup } from '../../support/readers/html.js';
import { get, type Received } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

type Fields = Readonly<Record<string, string>>;

/** As browsers send it when they open an address. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const NOT_FOUND = '{"detail":"Not Found"}';
const NO_DATA = '{"detail":"No public data found for the requested resource."}';

void t.test('negotiation', async (t) => {
  const service = await sharedService();
  const ask = async (path: string, headers: Fields = {}, method = 'GET'): Promise<Received> =>
    await get(service, path, { headers, method });
  /** Fails where the fields of an answer, a missing one as undefined, are others. */
  const checkFields = ({ headers }: Received, fields: Readonly<Record<string, unknown>>): void => {
    const names = Object.keys(fields);
    t.same(Object.fromEntries(names.map((name) => [name, headers[name]])), fields);
  };

  await t.test('a person gets a page with the search, and a program gets JSON', async (t) => {
    const common = { 'cache-control': 'no-store', etag: undefined };
    for (const [list, json, heading] of [
      ['unknown paths', NOT_FOUND, 'There is no page at this address'],
      ['unknown stations', NO_DATA, 'There is no such station'],
    ] as const) {
      for (const path of casesOf('refused', list)) {
        const target = `${path}${path.includes('?') ? '&' : '?'}language=en&theme=dark`;
        const page = await ask(target, BROWSER);
        const html = page.body.toString();
        t.equal(page.status, 404, target);
        checkFields(page, {
          ...common,
          'content-type': 'text/html; charset=utf-8',
          'content-language': 'en',
          vary: 'Accept-Encoding, Accept',
          'x-snapshot-id': undefined,
          'access-control-allow-origin': '*',
        });
        t.match(page.headers['content-security-policy'], /^default-src 'none'; script-src 'self'/);
        t.match(html, `<h1>${heading}</h1>`);
        t.match(html, '<html lang="en" data-theme="dark"');
        t.strictSame([inlineCode(html), invalidMarkup(html)], [undefined, []]);
        for (const fields of [{}, { Accept: 'application/json,text/html;q=0.5' }]) {
          const error = await ask(target, fields);
          t.strictSame([error.status, error.body.toString()], [404, json], target);
          checkFields(error, { ...common, 'content-type': 'application/json', vary: 'Accept' });
        }
      }
    }
  });

  await t.test('a page has nothing of the request, and links that work', async (t) => {
    const whole = await ask('/nothing', BROWSER);
    t.equal(whole.headers['content-language'], 'sr-Latn', 'of the operator');
    const gzip = await ask('/nothing', { ...BROWSER, 'Accept-Encoding': 'gzip' });
    t.ok(gunzipSync(gzip.body).equals(whole.body));
    for (const query of ['language=de&theme=blue', 'evil=%22%3E%3Cscript%3E', '%']) {
      const page = await ask(`/evil?${query}`, { ...BROWSER, 'Accept-Language': 'en' });
      t.ok(page.body.equals(whole.body), query);
      t.equal(page.headers['x-ignored-parameters'], undefined);
    }
    t.equal((await ask('/nothing', { ...BROWSER, 'If-None-Match': '*' })).status, 404, 'not 304');
    const html = (await ask('/nothing?language=en', BROWSER)).body.toString();
    const links = addressesIn(html).filter((one) => one.startsWith('/'));
    t.ok(links.includes('/?language=en') && links.includes('/api-docs?language=en'));
    for (const link of new Set(links)) t.equal((await ask(link)).status, 200, link);
  });

  await t.test('other methods, and what programs ask for, are JSON to everybody', async (t) => {
    for (const [path, json] of namedCasesOf('refused', 'JSON for everybody')) {
      const error = await ask(path, BROWSER);
      t.strictSame([error.status, error.body.toString()], [404, json], path);
      t.equal(error.headers['vary'], undefined);
    }
    const error = await ask('/nothing', BROWSER, 'POST');
    t.strictSame([error.status, error.body.toString()], [404, NOT_FOUND]);
  });

  await t.test('the bare / is in the language that the client prefers', async (t) => {
    const vary = 'Accept-Encoding, Host, Accept-Language';
    const tags = new Map<string, string>();
    for (const [preference, language] of namedCasesOf('refused', 'languages of preferences')) {
      const page = await ask('/', { 'Accept-Language': preference });
      t.equal(page.status, 200, preference);
      checkFields(page, { 'content-language': language, vary });
      const named = await ask(`/?language=${language}`);
      t.ok(named.body.equals(page.body), 'the same page as at its own address');
      tags.set(language, page.headers.etag ?? '');
    }
    t.equal(new Set(tags.values()).size, 3, 'each has a tag of its own');
    for (const [language, etag] of tags) {
      for (const [other] of tags) {
        const answer = await ask('/', { 'Accept-Language': other, 'If-None-Match': etag });
        t.equal(answer.status, other === language ? 304 : 200, `${etag} for ${other}`);
        t.equal(answer.headers['vary'], vary);
      }
    }
  });

  await t.test('no other address knows Accept-Language', async (t) => {
    for (const path of casesOf('targets', 'in one language')) {
      const [plain, other] = [await ask(path), await ask(path, { 'Accept-Language': 'en' })];
      t.same({ ...other.headers, date: '' }, { ...plain.headers, date: '' }, path);
      t.ok(other.body.equals(plain.body), path);
      t.notMatch(plain.headers['vary'], /Language/);
    }
  });
});
