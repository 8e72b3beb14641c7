/** The portal over HTTP: what comes back of what operators and address lines say, and charts as pictures for any site. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { chartDocument } from '../../support/documents/chart-document.js';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import { NAMES, portalDocument } from '../../support/documents/portal-document.js';
import { inlineCode, invalidMarkup, visibleText } from '../../support/readers/html.js';
import { scaled, seedOf } from '../../support/faults/chance.js';
import { get } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually } from '../../support/service/service.js';

const CHART = '/portal/chart.svg?station_id=1&component_id=1&language=en';

void t.test('the portal', async (t) => {
  const service = await startServing(t, portalDocument(), { env: { DEFAULT_LANGUAGE: 'en' } });

  await t.test('names of operators are text, whatever they hold', async (t) => {
    const page = visibleText((await get(service, '/')).body.toString());
    for (const [index, name] of NAMES.entries()) {
      const { body } = await get(service, `/portal/station-modal?station_id=${index + 1}`);
      t.ok(visibleText(`<body>${body.toString()}`).includes(name), name);
      t.ok(page.includes(name), name);
    }
  });

  await t.test('whatever the address line says, nothing of it comes back', async (t) => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('"><script>', '-1', '1e9', '2', '9007199254740993', 'sr-Latn', 'dark', '1d'),
    );
    const query = fc.record(
      Object.fromEntries(
        ['language', 'theme', 'station_id', 'component_id', 'compare', 'window', 'sort', 'q'].map(
          (name) => [name, value],
        ),
      ),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.constantFrom('/', '/portal/station-modal'),
        async (asked, path) => {
          const text = new URLSearchParams(asked as Record<string, string>).toString();
          const answer = await get(service, `${path}?${text}`);
          const html = answer.body.toString();
          t.equal(answer.status, 200, text);
          const code = inlineCode(html.replaceAll(/="[^"<>]*"/g, '=""'));
          if (code !== undefined) throw new Error(code);
          if (html.includes('"><script>')) throw new Error('reflected');
          t.strictSame(invalidMarkup(html), [], text);
        },
      ),
      { numRuns: scaled(50), seed: seedOf(t) },
    );
  });

  await t.test('a colour means the same value on the map and in the month by hours', async (t) => {
    // Wind speed has no fixed steps: they follow from the measured values.
    const components = [{ component_id: 3, short_name: 'WS', unit: 'm/s' }];
    const document = portalDocument();
    const wind = snapshotDocument({
      snapshot_id: 'wind',
      generated_at: document['generated_at'],
      components,
      stations: objectsOf(document, 'stations').map((one) => ({ ...one, component_ids: [3] })),
      measurements: objectsOf(document, 'measurements').filter((row) => row['component_id'] === 3),
    });
    await publishAndServe(service, wind);
    const html = (await get(service, '/?station_id=5&component_id=3')).body.toString();
    const [ofMap = [], ofMonth = [], ...others] = [
      ...html.matchAll(/<ul class="legend".*?<\/ul>/gs),
    ]
      .map(([legend]) => [...legend.matchAll(/swatch (m\d)"><\/span>([^<]+)/g)])
      .map((classes) => classes.map(([, color, label]) => `${color} ${label}`))
      .toSorted((a, b) => b.length - a.length);
    t.ok(ofMap.length > 2);
    t.same(ofMonth, ofMap);
    t.same(others, []);
  });

  await t.test('charts as pictures', async (t) => {
    await publishAndServe(service, chartDocument());
    const chart = async (query: string): Promise<string> => {
      const { status, headers, body } = await get(service, `${CHART}${query}`);
      t.equal(status, 200, query);
      t.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
      return body.toString();
    };
    const sizeOf = (svg: string) =>
      /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg)?.slice(1).map(Number);
    const count = (svg: string, text: string): number => svg.split(text).length - 1;

    await t.test('any site may show one, and caches know it by its tag', async (t) => {
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
    });

    await t.test('sizes are moved to what is drawn; what is no size counts as none', async (t) => {
      for (const [query, size] of [
        ['', [800, 400]],
        ['&width=99&height=2001', [100, 2000]],
        ['&width=-5&height=640', [100, 640]],
        ['&width=1e3&height=abc', [800, 400]],
        ['&width=99999999999999999999', [2000, 400]],
      ] as const) {
        t.same(sizeOf(await chart(query)), size, query);
      }
    });

    await t.test('bad values count as none, and a station that is not there is 404', async (t) => {
      const plain = await chart('');
      for (const query of [
        '&window=2d&theme=blue&compare=77&width=wide',
        '&compare=1',
        '&compare=9',
        '&compare=c2,c1,c77',
        '&compare=x,1.5,c,-',
        '&component_id=x',
        '&component_id=',
        '&theme=light&window=1d&width=800',
      ]) {
        t.equal(await chart(query), plain, query);
      }
      t.equal((await get(service, `${CHART}&language=xx`)).headers['content-language'], 'en');
      for (const path of [
        '/portal/chart.svg',
        '/portal/chart.svg?station_id=9',
        '/portal/chart.svg?station_id=x',
        ...['chart.svg', 'chart.png', 'days.csv', 'station.xlsx', 'episode.csv'].map(
          (name) => `/portal/${name}?station_id=1&component_id=99`,
        ),
        // A direction is ranked nowhere.
        '/portal/episode.csv?component_id=2',
      ]) {
        const { status, body } = await get(service, path);
        t.equal(status, 404, path);
        t.match(body.toString(), 'No public data found');
      }
    });

    await t.test('files suggest a name of their own', async (t) => {
      const hours = 'from=2026-04-03T22:00Z&to=2026-04-04T22:00Z';
      for (const [path, field] of [
        ['chart.svg?station_id=1&component_id=1', 'inline; filename="chart-1-1-1d.svg"'],
        ['chart.svg?station_id=1', 'inline; filename="chart-1-1d.svg"'],
        [
          `chart.png?station_id=1&component_id=1&${hours}`,
          'inline; filename="chart-1-1-2026-04-03T22-2026-04-04T22.png"',
        ],
        ['days.csv?station_id=1&component_id=2', 'attachment; filename="days-1-2.csv"'],
        ['episode.csv?component_id=1', 'attachment; filename="episode-1.csv"'],
        ['episode.csv', 'attachment; filename="episode.csv"'],
      ] as const) {
        const { status, headers } = await get(service, `/portal/${path}`);
        t.same([status, headers['content-disposition']], [200, field], path);
      }
    });

    await t.test('language, theme and window change it', async (t) => {
      const svg = await chart('');
      t.match(svg, 'Source: Agencija za zaštitu životne sredine, preliminary hourly data');
      t.match(svg, '24 hours until 5 April 2026 at 02:00 (Europe/Belgrade)');
      t.match(svg, '4 of 24 hours without a value');
      t.equal(count(svg, '<rect class="gap"'), 1);
      t.match(await chart('&language=sr-Latn'), 'Izvor: ');
      t.match(await chart('&language=sr-Cyrl'), 'Извор: ');
      t.match(svg, '.paper{fill:#ffffff}');
      t.match(await chart('&theme=dark'), '.paper{fill:#172025}');
      t.match(await chart('&window=7d'), '7 days until');
    });

    await t.test('one hour is a number with its hour, of two stations two numbers', async (t) => {
      const value = /"value":([\d.]+)/.exec(
        (
          await get(
            service,
            `/measurements?organization_id=1&station_id=1&component_id=1&window=1h`,
          )
        ).body.toString(),
      )?.[1];
      const texts = async (query: string): Promise<readonly string[]> =>
        [...(await chart(`&window=1h${query}`)).matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(
          ([, text = '']) => text,
        );
      const hour = '01:00–02:00, 5 Apr 2026, CEST';
      t.ok(value);
      for (const size of ['', '&width=100&height=100', '&width=2000&height=2000']) {
        const small = size.includes('100&');
        const said = await texts(size);
        t.ok(said.includes(`${value} µg/m³`) || (small && said.includes(`${value} µg/…`)), size);
        t.ok(
          said.some((text) => text === hour || (small && text.startsWith('01:00–02:00'))),
          size,
        );
        t.notOk(
          said.some((text) => text.includes('There are no values')),
          size,
        );
      }
      const both = await texts('&compare=2');
      t.ok(
        both.some((text) => new RegExp(`^${value} · \\d+ µg/m³$`).test(text)),
        both.join('|'),
      );
      t.ok(both.includes(hour));
      t.ok((await texts('&component_id=2')).includes('N'), 'a direction is named');
      const cyrillic = await texts('&language=sr-Cyrl');
      t.ok(cyrillic.includes('01:00–02:00, 5. апр 2026., CEST'), cyrillic.join('|'));
    });

    await t.test('a second station is told apart without colour', async (t) => {
      const svg = await chart('&compare=2&window=7d');
      t.equal(count(svg, '<path class="line"'), 4, 'two lines, and two of the legend');
      t.match(svg, '.s2{color:#a8481a;stroke-dasharray:4 6}');
      t.match(svg, '>Шабац</text>');
      t.match(
        await chart('&compare=3&window=7d'),
        '>– Kikinda</text>',
        'one that does not measure',
      );
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
      const { body } = await get(
        service,
        '/portal/station-modal?station_id=1&component_id=2&window=7d',
      );
      t.notMatch(body.toString(), /<path class="line/);
      t.match(body.toString(), 'Mostly from');
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
});

void t.test('what is named by its digest is good for ever, without a snapshot too', async (t) => {
  const service = await startServing(t, portalDocument(), { expect: ['unavailable'] });
  const home = (await get(service, '/')).body.toString();
  const [, map = ''] = /"(\/portal\/map\.svg\?[^"]+)"/.exec(home)?.map(decoded) ?? [];
  const [, script = ''] = /src="(\/[^"]+\.js)"/.exec(home) ?? [];
  const named = await Promise.all(
    [map, script].map(async (path) => ({ path, ...(await get(service, path)) })),
  );
  for (const { path, status, headers } of named) {
    t.strictSame([status, headers['cache-control']], [200, FOR_EVER], path);
  }
  const other = await get(service, map.replace(/v=\w+/, 'v=00000000'));
  t.notMatch(other.headers['cache-control'], /immutable/, 'another digest');

  await rm(join(service.published, 'active.json'));
  await eventually('no snapshot is served', async () => {
    return (await get(service, '/meta')).status === 503;
  });
  for (const { path, headers, body } of named) {
    const again = await get(service, path);
    t.strictSame([again.status, again.headers['cache-control']], [200, FOR_EVER], path);
    t.ok(again.body.equals(body), path);
    const known = { headers: { 'If-None-Match': headers.etag ?? '' } };
    t.equal((await get(service, path, known)).status, 304, path);
  }
});

const FOR_EVER = 'public, max-age=31536000, immutable';

function decoded(text: string): string {
  return text.replaceAll('&amp;', '&');
}
