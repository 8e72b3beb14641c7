/** The portal over HTTP: what operators and address lines say, and charts as pictures for any site and for links. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { chartDocument, HOSTILE } from '../../support/documents/chart-document.js';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import { portalDocument } from '../../support/documents/portal-document.js';
import { inlineCode, invalidMarkup, unescapeHtml } from '../../support/readers/html.js';
import { readPng } from '../../support/readers/png.js';
import { scaled, seedOf } from '../../support/faults/chance.js';
import { get } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually } from '../../support/service/service.js';

const CHART = '/portal/chart.svg?station_id=1&component_id=1&language=en';

void t.test('the portal', async (t) => {
  const options = { env: { DEFAULT_LANGUAGE: 'en' }, expect: ['unavailable'] };
  const service = await startServing(t, portalDocument(), options);

  await t.test('whatever the address line says, nothing of it comes back', async (t) => {
    const values = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('"><script>', '-1', '1e9', '2', '9007199254740993', 'sr-Latn', 'dark', '1d'),
      fc.constantFrom('2026-02-30', '2026-04-01T00:30Z', '9999-12-31T23:00Z', '0000-01-01'),
    );
    const names = 'language theme station_id component_id compare window sort q from to hour'.split(
      ' ',
    );
    const queries = fc.dictionary(fc.constantFrom(...names), values);
    const paths = fc.constantFrom('/', '/portal/station-modal');
    const property = fc.asyncProperty(queries, paths, async (asked, path) => {
      const text = new URLSearchParams(asked).toString();
      const answer = await get(service, `${path}?${text}`);
      const html = answer.body.toString();
      t.equal(answer.status, 200, text);
      const code = inlineCode(html.replaceAll(/="(?!application\/ld)[^"<>]*"/g, '=""'));
      if (code !== undefined) throw new Error(code);
      if (html.includes('"><script>')) throw new Error('reflected');
      t.strictSame(invalidMarkup(html), [], text);
    });
    await fc.assert(property, { numRuns: scaled(40), seed: seedOf(t) });
  });

  await t.test('data of a past time alarm, but not those of a demonstration', async (t) => {
    const textOf = async (path: string): Promise<string> =>
      (await get(service, `${path}?language=en`)).body.toString();
    const at = { station_id: 1, component_id: 8, date: '2025-01-10', time: '07:00', value: 21.5 };
    const past = { generated_at: '2025-01-10T08:00:00Z', measurements: [at] };
    for (const demonstration of [true, false]) {
      const document = { ...past, snapshot_id: `past-${demonstration}`, demonstration };
      await publishAndServe(service, snapshotDocument(document));
      const page = await textOf('/');
      t.equal(page.includes('<p class="warning">'), !demonstration);
      t.equal(page.includes('<p class="demonstration">'), demonstration);
      t.equal((await textOf('/meta')).includes('"demonstration"'), demonstration);
      const said = 'a demonstration with measurements of a past time';
      t.equal((await textOf('/legal/dataset')).includes(said), demonstration);
    }
  });

  await t.test('a colour means the same value on the map and in the month by hours', async (t) => {
    // Wind speed has no fixed steps: they follow from the measured values.
    const document = portalDocument();
    const components = objectsOf(document, 'components').map((one) => ({ ...one, unit: 'm/s' }));
    await publishAndServe(service, { ...document, components, snapshot_id: 'wind' });
    const html = (await get(service, '/?station_id=5&component_id=3')).body.toString();
    const legends = Array.from(html.matchAll(/<ul class="legend".*?<\/ul>/gs), ([legend]) =>
      Array.from(legend.matchAll(/swatch (m\d)"><\/span>([^<]+)/g), ([, ...parts]) => parts.join()),
    ).toSorted((a, b) => b.length - a.length);
    t.ok(Number(legends[0]?.length) > 2);
    t.same(legends, [legends[0], legends[0]]);
    t.equal(
      html.split('they judge nothing.</li>').length,
      3,
      'each legend says that it judges nothing',
    );
  });

  await t.test('charts as pictures', async (t) => {
    await publishAndServe(service, chartDocument());
    const chart = async (query: string): Promise<string> => {
      const { status, headers, body } = await get(service, `${CHART}${query}`);
      t.equal(status, 200, query);
      t.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
      return body.toString();
    };
    const count = (svg: string, text: string): number => svg.split(text).length - 1;

    await t.test('any site may show one, caches know its tag, and files have names', async (t) => {
      for (const path of [CHART, CHART.replace('svg', 'png')]) {
        const { headers } = await get(service, path);
        t.equal(headers['cross-origin-resource-policy'], 'cross-origin');
        t.equal(headers['access-control-allow-origin'], '*');
        t.equal(headers['cache-control'], 'public, max-age=60, stale-while-revalidate=600');
        const tag = { 'If-None-Match': headers.etag ?? '' };
        t.equal((await get(service, path, { headers: tag })).status, 304);
        const other = await get(service, path, { headers: { Host: 'other.example' } });
        t.equal(other.headers.etag, headers.etag);
      }
      const { headers } = await get(service, CHART);
      t.equal(headers['vary'], 'Accept-Encoding');
      t.match(headers['content-security-policy'], /^default-src 'none'; style-src 'sha256-/);
      const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
      const { headers: png } = await get(service, CHART.replace('svg', 'png'), gzip);
      t.equal(png['content-encoding'], undefined, 'it is compressed inside');
      t.equal(png['content-security-policy'], "default-src 'none'");
      t.same([png['content-type'], png['content-language']], ['image/png', 'en']);
      const hours = 'from=2026-04-03T22:00Z&to=2026-04-04T22:00Z';
      for (const [path, field] of [
        ['chart.svg?station_id=1', 'inline; filename="chart-1-1d.svg"'],
        [
          `chart.png?station_id=1&component_id=1&${hours}`,
          'inline; filename="chart-1-1-2026-04-03T22-2026-04-04T22.png"',
        ],
        ['days.csv?station_id=1&component_id=2', 'attachment; filename="days-1-2.csv"'],
        ['episode.csv', 'attachment; filename="episode.csv"'],
      ] as const) {
        const file = await get(service, `/portal/${path}`);
        t.same([file.status, file.headers['content-disposition']], [200, field], path);
      }
    });

    await t.test('size, language, theme, window and comparison change it', async (t) => {
      for (const [query, size] of [
        ['', 'width="800" height="400"'],
        ['&width=99&height=2001', 'width="100" height="2000"'],
        ['&width=-5&height=640', 'width="100" height="640"'],
        ['&width=1e3&height=abc', 'width="800" height="400"'],
        ['&width=99999999999999999999', 'width="2000" height="400"'],
      ] as const) {
        t.match((await chart(query)).split('>')[0], size, query);
      }
      const svg = await chart('');
      t.match(svg, 'Source: Agencija za zaštitu životne sredine, preliminary hourly data');
      t.match(svg, '24 hours until 5 April 2026 at 02:00 (Europe/Belgrade)');
      t.match(svg, '4 of 24 hours without a value');
      t.match(svg, '.paper{fill:#ffffff}');
      t.equal(count(svg, '<rect class="gap"'), 1);
      const other = await chart('&language=sr-Cyrl&theme=dark&window=7d');
      t.match(other, /\.paper\{fill:#172025\}.*Извор: /s);
      // A second station is told apart without colour.
      const two = await chart('&compare=2&window=7d');
      t.equal(count(two, '<path class="line"'), 4, 'two lines, and two of the legend');
      t.match(two, '.s2{color:#a8481a;stroke-dasharray:4 6}');
      t.match(two, '>Шабац</text>');
      const lacking = await chart('&compare=3&window=7d');
      t.match(lacking, '>– Kikinda</text>', 'one that does not measure');
    });

    await t.test('bad values count as none, and a station that is not there is 404', async (t) => {
      const plain = await chart('');
      for (const query of [
        '&window=2d&theme=blue&compare=77&width=wide',
        ...['&compare=1', '&compare=9', '&compare=c2,c1,c77', '&compare=x,1.5,c,-'],
        ...['&component_id=x', '&component_id=', '&theme=light&window=1d&width=800'],
      ]) {
        t.equal(await chart(query), plain, query);
      }
      t.equal((await get(service, `${CHART}&language=xx`)).headers['content-language'], 'en');
      for (const path of [
        ...['chart.svg', 'chart.svg?station_id=9', 'chart.svg?station_id=x'],
        ...['station.xlsx', 'station.xlsx?station_id=999999999', 'station.xlsx?station_id=x'],
        ...['chart.svg', 'chart.png', 'days.csv', 'station.xlsx', 'episode.csv'].map(
          (name) => `${name}?station_id=1&component_id=99`,
        ),
        // A direction is ranked nowhere.
        'episode.csv?component_id=2',
      ]) {
        const { status, body } = await get(service, `/portal/${path}`);
        t.equal(status, 404, path);
        t.match(body.toString(), 'No public data found');
      }
    });

    await t.test('one hour is a number with its hour, of two stations two numbers', async (t) => {
      const query = 'organization_id=1&station_id=1&component_id=1&window=1h';
      const measured = (await get(service, `/measurements?${query}`)).body.toString();
      const value = /"value":([\d.]+)/.exec(measured)?.[1] ?? 'none';
      const texts = async (query: string): Promise<string> =>
        [...(await chart(`&window=1h${query}`)).matchAll(/<text [^>]*>([^<]*)<\/text>/g)]
          .map(([, text = '']) => text)
          .join('|');
      t.match(await texts(''), new RegExp(`${value} µg/m³\\|.*01:00–02:00, 5 Apr 2026, CEST`));
      const small = await texts('&width=100&height=100');
      t.match(small, `${value} µg/`);
      t.match(small, '01:00–02:00');
      t.notMatch(small, 'There are no values');
      t.match(await texts('&compare=2'), new RegExp(`(?:^|\\|)${value} · \\d+ µg/m³`));
      t.match(await texts('&component_id=2'), '|N|', 'a direction is named');
      const panel = (await get(service, `/portal/station-modal?${query}&language=en`)).body;
      t.match(panel.toString(), '01:00–02:00, 5 Apr 2026, CEST');
      t.notMatch(panel.toString(), 'class="plot"');
    });

    await t.test('what a panel shares, and the preview of its link, are alike', async (t) => {
      const query = 'language=en&theme=dark&station_id=2&component_id=1&window=7d&compare=1';
      const host = `localhost:${service.port}`;
      const page = await get(service, `/?${query}`, { headers: { Host: host } });
      t.equal(page.headers['vary'], 'Accept-Encoding, Host');
      const html = page.body.toString();
      t.match(html, `value="http://${host}/?${query.replaceAll('&', '&amp;')}"`);
      const [, code = ''] = /id="share-image"[^>]*value="([^"]*)"/.exec(html) ?? [];
      const image = unescapeHtml(code);
      // A character that XML cannot hold is replaced.
      const name = HOSTILE.replace('\u0001', '\uFFFD');
      t.match(unescapeHtml(image), `alt="PM₁₀, Шабац / ${name}, 7 days"`);
      const follow = async (address = ''): Promise<Buffer> => {
        t.ok(address.startsWith(`http://${host}/`), address);
        const { status, body } = await get(service, address.slice(`http://${host}`.length));
        t.equal(status, 200, address);
        return body;
      };
      const svg = String(await follow(unescapeHtml(/src="([^"]*)"/.exec(image)?.[1] ?? '')));
      t.match(svg, '.paper{fill:#172025}', 'the theme is kept');
      t.match(svg, /<g class="s2"><path class="line/, 'and the comparison');

      const metas = html.matchAll(
        /<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">/g,
      );
      const tags = new Map(
        Array.from(metas, ([, tag = '', value = '']) => [tag, unescapeHtml(value)] as const),
      );
      t.match(Object.fromEntries(tags), {
        'og:image:width': '1200',
        'og:image:height': '630',
        'og:image:type': 'image/png',
        'og:title': 'Шабац: PM₁₀',
        'og:image:alt': /^PM₁₀, Шабац \/ /,
        'og:image': /compare=1/,
        'twitter:card': 'summary_large_image',
      });
      await follow(tags.get('og:url'));
      const pixels = readPng(await follow(tags.get('og:image')));
      t.same([pixels.width, pixels.height], [1200, 630]);
      t.ok(pixels.lightness(0, 0) < 50, 'the theme is kept');
      const bare = String((await get(service, '/')).body);
      t.notMatch(bare, 'og:image', 'without a station there is no picture');
    });

    await t.test('wind direction is drawn as direction', async (t) => {
      const day = await chart('&component_id=2');
      t.equal(count(day, '<path class="arrow"'), 20, 'an arrow for each hour with a value');
      t.notMatch(day, '<path class="line"');
      for (const point of ['N', 'E', 'S', 'W']) t.match(day, `dy="4">${point}</text>`);
      // The last hour: 7 degrees, from the north, drawn towards the south.
      t.match(day, 'rotate(187)');
      const week = await chart('&component_id=2&window=7d');
      t.equal(/<path class="dots[^"]*" d="([^"]*)"/.exec(week)?.[1]?.split('M').length, 1 + 164);
      const path = '/portal/station-modal?station_id=1&component_id=2&window=7d';
      const panel = (await get(service, path)).body.toString();
      t.notMatch(panel, /<path class="line/);
      t.match(panel, 'Mostly from');
      // On the map too: an arrow, and no highest or lowest of what has neither.
      const portal = (await get(service, '/?component_id=2')).body.toString();
      t.match(
        portal,
        /: 7 ° N, [^<]*<\/title>(?:<circle[^>]*>)+<path class="arrow" transform="rotate\(187\)"/,
      );
      t.match(portal, '<span class="point">N</span> 7<');
      t.match(portal, '<dt>Mostly from</dt><dd><b>N</b></dd>');
      t.notMatch(portal, '<dt>Highest</dt>');
    });
  });

  await t.test('what is named by its digest is good for ever, also without data', async (t) => {
    const forEver = [200, 'public, max-age=31536000, immutable'];
    const home = (await get(service, '/')).body.toString();
    const [, map = ''] = /"(\/portal\/map\.svg\?[^"]+)"/.exec(home)?.map(unescapeHtml) ?? [];
    const [, script = ''] = /src="(\/[^"]+\.js)"/.exec(home) ?? [];
    const named = await Promise.all(
      [map, script].map(async (path) => ({ path, ...(await get(service, path)) })),
    );
    for (const { path, status, headers } of named) {
      t.strictSame([status, headers['cache-control']], forEver, path);
    }
    const other = await get(service, map.replace(/v=\w+/, 'v=00000000'));
    t.notMatch(other.headers['cache-control'], /immutable/, 'another digest');

    await rm(join(service.published, 'active.json'));
    await eventually('no snapshot is served', async () => {
      return (await get(service, '/meta')).status === 503;
    });
    for (const { path, headers, body } of named) {
      const again = await get(service, path);
      t.strictSame([again.status, again.headers['cache-control']], forEver, path);
      t.ok(again.body.equals(body), path);
      const known = { headers: { 'If-None-Match': headers.etag ?? '' } };
      t.equal((await get(service, path, known)).status, 304, path);
    }
  });
});
