/** Charts as PNG, and the previews of links, over HTTP. */
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { chartDocument } from '../../support/documents/chart-document.js';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import { portalDocument } from '../../support/documents/portal-document.js';
import { differenceOf, inkIn, readPng } from '../../support/readers/png.js';
import { get } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';

const HOUR_MS = 3_600_000;

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

  await t.test('it has exactly the pixels that were asked for', async (t) => {
    const { width, height } = await draw('&width=99&height=2001');
    t.same([width, height], [100, 2000]);
  });

  await t.test('text and line are drawn in every language and theme', async (t) => {
    const drawn = new Set<string>();
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const query = `station_id=2&width=640&height=340&language=${language}&theme=${theme}`;
        const { body } = await get(service, `/portal/chart.png?${query}`);
        const pixels = readPng(body);
        const ground = pixels.lightness(0, 0);
        t.ok(theme === 'light' ? ground > 250 : ground < 50, query);
        const ink = [HEAD, BELOW, PLOT].map((box) => inkIn(pixels, box));
        t.ok(
          ink.every((count) => count > 300),
          `${query}: ${String(ink)}`,
        );
        drawn.add(String(ink[1]));
      }
    }
    t.ok(drawn.size >= LANGUAGES.length, 'the words differ');
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
    const [own, other] = await Promise.all(
      [host, 'other.example'].map((one) => get(service, page, { headers: { Host: one } })),
    );
    t.equal(own?.headers['vary'], 'Accept-Encoding, Host');
    t.not(own?.headers.etag, other?.headers.etag);
    t.equal(tags['og:image:width'], '1200');
    t.equal(tags['og:image:height'], '630');
    t.equal(tags['og:image:type'], 'image/png');
    t.match(tags['og:title'], /^Шабац: PM₁₀$/);
    t.match(tags['og:image:alt'], /^PM₁₀, Шабац \/ /);
    t.equal(tags['twitter:card'], 'summary_large_image');
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

  await t.test('without a station or a base URL there is no picture', async (t) => {
    t.equal((await previewOf('/'))['og:image'], undefined);
    const unknown = await previewOf('/?station_id=2', { Host: 'no host' });
    t.equal(unknown['og:image'], undefined);
    t.match(unknown['og:title'], 'Шабац');
  });

  await t.test('the panel has a link to it, which needs no script', async (t) => {
    const { body } = await get(service, `/portal/station-modal${QUERY}`);
    const [, path = '', name] =
      /href="(\/portal\/chart\.png[^"]*)" download="([^"]*)"/.exec(body.toString()) ?? [];
    t.equal(name, '2_1_7d.png');
    const pixels = readPng((await get(service, path.replaceAll('&amp;', '&'))).body);
    t.same([pixels.width, pixels.height], [1600, 800], 'twice the size of the picture');
  });

  await t.test(
    'a component that ends before the newest hour has its hour, and never 1970',
    async (t) => {
      const portal = portalDocument();
      const last = Date.parse(String(portal['generated_at'])) / HOUR_MS - 1;
      const late = { 2: 3, 3: 9 } as Readonly<Record<number, number>>;
      const measurements = objectsOf(portal, 'measurements').filter((row) => {
        const hour = Date.parse(`${String(row['date'])}T${String(row['time'])}Z`) / HOUR_MS;
        return hour <= last - (late[Number(row['component_id'])] ?? 0);
      });
      const counts = { ...(portal['counts'] as object), measurement_rows: measurements.length };
      await publishAndServe(service, { ...portal, measurements, counts, snapshot_id: 'late' });
      for (const component of [1, 2, 3]) {
        for (const back of [0, 2, 3, 8, 9, 23]) {
          const hour = `${new Date((last - back) * HOUR_MS).toISOString().slice(0, 13)}:00Z`;
          const page = `/?component_id=${component}&language=en&hour=${hour}`;
          const { status, body } = await get(service, page);
          t.equal(status, 200);
          t.notMatch(body.toString(), /1970|Invalid|NaN/, page);
        }
        const one = `?station_id=1&component_id=${component}&window=1h&language=en`;
        const { body } = await get(service, `/portal/chart.svg${one}`);
        t.match(body.toString(), /<text class="now none"[^>]*>-?\d[\d.,]* \S+<\/text>/);
        t.notMatch(body.toString(), 'no values');
        const pixels = readPng((await get(service, `/portal/chart.png${one}`)).body);
        t.ok(inkIn(pixels, { x: 200, y: 150, width: 400, height: 100 }) > 0, 'the value is drawn');
      }
    },
  );

  await t.test('a station without anything to draw has an empty picture', async (t) => {
    const document = snapshotDocument({
      snapshot_id: 'nothing',
      generated_at: '2026-04-05T00:00:00.000Z',
      stations: objectsOf(chartDocument(), 'stations').map((one) => ({
        ...one,
        component_ids: [],
      })),
      measurements: [],
    });
    await publishAndServe(service, document);
    const { width } = await draw('');
    t.equal(width, 800);
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
