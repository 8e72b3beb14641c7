/** Charts as PNG, and the previews of links, over HTTP. */
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { chartDocument } from '../../support/documents/chart-document.js';
import { differenceOf, inkIn, readPng } from '../../support/readers/png.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';

const QUERY = '?station_id=2&component_id=1&language=en&window=7d';
const PNG = `/portal/chart.png${QUERY}`;

/** The head of a chart of 640 x 340 pixels: the name of the station, and the line below it. */
const HEAD = { x: 4, y: 8, width: 300, height: 24 };
const BELOW = { x: 4, y: 33, width: 300, height: 16 };
const PLOT = { x: 60, y: 80, width: 560, height: 200 };

void t.test('charts as PNG', async (t) => {
  const service = await startServing(t, chartDocument(), { env: { DEFAULT_LANGUAGE: 'en' } });
  const draw = async (query: string) => {
    const { status, headers, body } = await get(service, `${PNG}${query}`);
    t.equal(status, 200, query);
    t.equal(headers['content-type'], 'image/png');
    return readPng(body);
  };

  await t.test('it is compressed inside, and no page', async (t) => {
    const { headers, body } = await get(service, PNG, { headers: { 'Accept-Encoding': 'gzip' } });
    t.equal(headers['content-encoding'], undefined);
    t.equal(headers['content-length'], String(body.byteLength));
    t.equal(headers['content-security-policy'], "default-src 'none'");
    t.equal(headers['content-language'], 'en');
  });

  await t.test('text and line are drawn in every language and theme', async (t) => {
    const drawn = new Set<string>();
    for (const [at, language] of LANGUAGES.entries()) {
      const theme = THEMES[at % 2] ?? 'light';
      const query = `station_id=2&width=640&height=340&language=${language}&theme=${theme}`;
      const pixels = readPng((await get(service, `/portal/chart.png?${query}`)).body);
      t.same([pixels.width, pixels.height], [640, 340]);
      const ground = pixels.lightness(0, 0);
      t.ok(theme === 'light' ? ground > 250 : ground < 50, query);
      const ink = [HEAD, BELOW, PLOT].map((box) => inkIn(pixels, box));
      t.ok(
        ink.every((count) => count > 300),
        `${query}: ${String(ink)}`,
      );
      drawn.add(String(ink[1]));
    }
    t.equal(drawn.size, LANGUAGES.length, 'the words differ');
  });

  await t.test('a second station is drawn, and a direction as such', async (t) => {
    const size = '&width=640&height=340';
    const plain = await draw(size);
    t.ok(differenceOf(plain, await draw(`${size}&compare=1`)) > 2);
    const wind = await get(service, `/portal/chart.png?station_id=2&component_id=2${size}`);
    t.ok(inkIn(readPng(wind.body), PLOT) > 300);
  });

  await t.test('a link to a station names its chart, absolutely', async (t) => {
    const page = `/?station_id=2&component_id=1&window=7d&compare=1&language=en&theme=dark`;
    const host = `localhost:${service.port}`;
    const tags = await previewOf(page, { Host: host });
    const { headers: own } = await get(service, page, { headers: { Host: 'other.example' } });
    t.equal(own['vary'], 'Accept-Encoding, Host');
    t.match(tags, {
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:type': 'image/png',
      'og:title': 'Шабац: PM₁₀',
      'og:image:alt': /^PM₁₀, Шабац \/ /,
      'twitter:card': 'summary_large_image',
    });
    const url = new URL(tags['og:url'] ?? '');
    t.equal(url.origin, `http://${host}`);
    t.equal((await get(service, url.pathname + url.search)).status, 200);
    const image = new URL(tags['og:image'] ?? '');
    t.equal(image.origin, `http://${host}`);
    t.equal(image.searchParams.get('compare'), '1');
    const { headers, body } = await get(service, image.pathname + image.search);
    t.equal(headers['content-type'], 'image/png');
    const pixels = readPng(body);
    t.same([pixels.width, pixels.height], [1200, 630]);
    t.ok(pixels.lightness(0, 0) < 50, 'the theme is kept');
  });

  await t.test('without a station there is no picture', async (t) => {
    t.equal((await previewOf('/'))['og:image'], undefined);
  });

  async function previewOf(path: string, headers: Readonly<Record<string, string>> = {}) {
    const { body } = await get(service, path, { headers });
    const tags = body
      .toString()
      .matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">/g);
    return Object.fromEntries(
      Array.from(tags, ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
    ) as Readonly<Record<string, string | undefined>>;
  }
});
