/** `/llms.txt`, `/robots.txt` and `/sitemap.xml` against the service that they describe. */
import t from 'tap';
import { readWords } from '../../../src/http/openapi/words.js';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { casesOf } from '../../support/readers/cases.js';
import { readSitemap } from '../../support/readers/sitemap.js';
import { get } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

/** Whether a crawler may fetch a target: the longest rule that fits decides (RFC 9309 §2.2.2). */
function mayFetch(robots: string, target: string): boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, kind, path = '']) => {
    const pattern = path.replaceAll(/[.?+()[\]]/g, '\\$&').replaceAll('*', '.*');
    return { allows: kind === 'Allow', length: path.length, fits: new RegExp(`^${pattern}`) };
  });
  const [best] = rules
    .filter(({ fits }) => fits.test(target))
    .toSorted((a, b) => b.length - a.length || Number(b.allows) - Number(a.allows));
  return best?.allows ?? true;
}

void t.test('what crawlers and language models are told is so', async (t) => {
  const service = await sharedService();
  const textOf = async (path: string): Promise<string> =>
    (await get(service, path)).body.toString();

  await t.test('llms.txt has every endpoint, and links that work', async (t) => {
    const { headers, body } = await get(service, '/llms.txt');
    t.equal(headers['content-type'], 'text/plain; charset=utf-8');
    const text = body.toString();
    t.match(text, /^# Open data: [^\n]+\n\n> [^\n]+\n/);
    const items = text.split(/^- /m).slice(1);
    const { endpoints } = readWords('texts/openapi', DOCUMENTED_ENDPOINTS);
    for (const { path, parameters, operation } of endpoints) {
      const url = service.url + path;
      const item = items.find(
        (one) => one.startsWith(`[GET ${path}](${url}): `) || one.startsWith(`GET \`${url}\``),
      );
      t.ok(item?.includes(operation.summary), path);
      const listed = [...(item ?? '').matchAll(/^ {2}- `([^`]+)` \((path|query)/gm)];
      t.same(
        listed.map(([, name, place]) => [name, place]),
        Object.entries(parameters).map(([name, { in: place }]) => [name, place]),
        path,
      );
    }
    const links = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) => link);
    t.ok(links.length > 20, `${links.length} links`);
    for (const link of links) {
      t.ok(link.startsWith(`${service.url}/`), link);
      // A stream of events would not end.
      const answer = await get(service, link.slice(service.url.length), { method: 'HEAD' });
      // Addresses without a required parameter are refused: pictures and days need a station.
      const isOfStation = /\/(?:years|portal\/(?:chart\.\w+|days\.csv|station\.xlsx))$/.test(link);
      const statuses = [200, 308, 422, isOfStation ? 404 : 400];
      t.ok(statuses.includes(answer.status), `${link} ${answer.status}`);
    }
    t.notMatch(text, /<base-url|undefined|\[object/);
  });

  await t.test('robots.txt lets crawlers at every page', async (t) => {
    const text = await textOf('/robots.txt');
    t.match(text, `\nSitemap: ${service.url}/sitemap.xml\n`);
    t.match(text, /^User-agent: \*\n/);
    for (const { loc } of readSitemap((await get(service, '/sitemap.xml')).body)) {
      t.ok(mayFetch(text, loc.slice(service.url.length)), loc);
    }
    t.ok(mayFetch(text, /\/assets\/[^"]+/.exec(await textOf('/'))?.[0] ?? '/?q=1'), 'files');
  });

  await t.test('robots.txt keeps crawlers from what has no end', async (t) => {
    const text = await textOf('/robots.txt');
    // Each parameter of a page, but for the ones that choose among what there is, in either position.
    const finite = new Set(['language', 'station_id', 'component_id', 'v']);
    const pages = DOCUMENTED_ENDPOINTS.filter(
      ({ operation }) => operation.content[0]?.mediaType === 'text/html',
    );
    const names = new Set(pages.flatMap(({ parameters }) => Object.keys(parameters)));
    t.ok(names.size > 10, [...names].join(' '));
    for (const name of names) {
      for (const target of [`/?${name}=1`, `/years?language=en&${name}=1`]) {
        t.equal(mayFetch(text, target), finite.has(name), target);
      }
    }
    for (const state of ['closed', 'open']) {
      for (const target of casesOf('targets', `${state} to crawlers`)) {
        t.equal(mayFetch(text, target), state === 'open', target);
      }
    }
  });

  await t.test('the sitemap has every page in every language', async (t) => {
    const { body, headers } = await get(service, '/sitemap.xml');
    t.equal(headers['content-type'], 'application/xml; charset=utf-8');
    const urls = readSitemap(body);
    const pages = DOCUMENTED_ENDPOINTS.filter(
      ({ operation, parameters }) =>
        operation.content.some(({ mediaType }) => mediaType === 'text/html') &&
        'language' in parameters &&
        operation.id !== 'getStationModal',
    );
    // The page of years is among them because the service has an archive.
    const expected = pages.flatMap(({ path }) =>
      LANGUAGES.map((language) => `${service.url}${path}?language=${language}`),
    );
    t.equal(urls.map(({ loc }) => loc).join('\n'), expected.join('\n'));
    for (const { loc, alternates } of urls) {
      t.equal(new URL(loc).href, loc, 'absolute, and escaped as an address');
      // All versions of a page name each other, or none of them counts.
      const { 'x-default': chosen = '', ...versions } = alternates;
      t.equal(chosen, loc.replace(/\?.*$/, ''));
      t.equal((await get(service, chosen.slice(service.url.length))).status, 200, chosen);
      for (const version of Object.values(versions)) {
        t.same(urls.find((one) => one.loc === version)?.alternates, alternates, version);
      }
      const answer = await get(service, loc.slice(service.url.length));
      const language = answer.headers['content-language'] ?? '';
      t.equal(answer.status, 200, loc);
      t.equal(alternates[language], loc, 'it is one of its own alternates');
      t.same(Object.keys(alternates), [...LANGUAGES, 'x-default']);
    }
  });
});
