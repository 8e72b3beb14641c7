/** The portal over HTTP: what comes back of what operators and address lines say, and charts as pictures for any site. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { chartDocument, HOSTILE } from '../../support/documents/chart-document.js';
import { objectsOf } from '../../support/documents/documents.js';
import { NAMES, portalDocument } from '../../support/documents/portal-document.js';
import {
  inlineCode,
  invalidMarkup,
  unescapeHtml,
  visibleText,
} from '../../support/readers/html.js';
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
    const names = 'language theme station_id component_id compare window sort q'.split(' ');
    const query = fc.dictionary(fc.constantFrom(...names), value);
    const check = async (asked: Record<string, string>, path: string): Promise<void> => {
      const text = new URLSearchParams(asked).toString();
      const answer = await get(service, `${path}?${text}`);
      const html = answer.body.toString();
      t.equal(answer.status, 200, text);
      const code = inlineCode(html.replaceAll(/="[^"<>]*"/g, '=""'));
      if (code !== undefined) throw new Error(code);
      if (html.includes('"><script>')) throw new Error('reflected');
      t.strictSame(invalidMarkup(html), [], text);
    };
    const paths = fc.constantFrom('/', '/portal/station-modal');
    await fc.assert(fc.asyncProperty(query, paths, check), {
      numRuns: scaled(25),
      seed: seedOf(t),
    });
  });

  await t.test('a colour means the same value on the map and in the month by hours', async (t) => {
    // Wind speed has no fixed steps: they follow from the measured values.
    const document = portalDocument();
    const components = objectsOf(document, 'components').map((one) => ({ ...one, unit: 'm/s' }));
    await publishAndServe(service, { ...document, components, snapshot_id: 'wind' });
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
        ['', 'width="800" height="400"'],
        ['&width=99&height=2001', 'width="100" height="2000"'],
        ['&width=-5&height=640', 'width="100" height="640"'],
        ['&width=1e3&height=abc', 'width="800" height="400"'],
        ['&width=99999999999999999999', 'width="2000" height="400"'],
      ] as const) {
        t.match((await chart(query)).split('>')[0], size, query);
      }
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

    await t.test('files suggest a name of their own', async (t) => {
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
        const { status, headers } = await get(service, `/portal/${path}`);
        t.same([status, headers['content-disposition']], [200, field], path);
      }
    });

    await t.test('language, theme and window change it', async (t) => {
      const svg = await chart('');
      for (const part of [
        'Source: Agencija za zaštitu životne sredine, preliminary hourly data',
        '24 hours until 5 April 2026 at 02:00 (Europe/Belgrade)',
        '4 of 24 hours without a value',
        '.paper{fill:#ffffff}',
      ]) {
        t.match(svg, part);
      }
      t.equal(count(svg, '<rect class="gap"'), 1);
      t.match(
        await chart('&language=sr-Cyrl&theme=dark&window=7d'),
        /\.paper\{fill:#172025\}.*Извор: /s,
      );
    });

    await t.test('one hour is a number with its hour, of two stations two numbers', async (t) => {
      const query = 'organization_id=1&station_id=1&component_id=1&window=1h';
      const measured = (await get(service, `/measurements?${query}`)).body.toString();
      const value = /"value":([\d.]+)/.exec(measured)?.[1] ?? 'none';
      const texts = async (query: string): Promise<string> =>
        [...(await chart(`&window=1h${query}`)).matchAll(/<text [^>]*>([^<]*)<\/text>/g)]
          .map(([, text = '']) => text)
          .join('|');
      for (const size of ['', '&width=2000&height=2000']) {
        t.match(await texts(size), new RegExp(`${value} µg/m³\\|.*01:00–02:00, 5 Apr 2026, CEST`));
      }
      const small = await texts('&width=100&height=100');
      t.match(small, `${value} µg/`);
      t.match(small, '01:00–02:00');
      t.notMatch(small, 'There are no values');
      t.match(await texts('&compare=2'), new RegExp(`(?:^|\\|)${value} · \\d+ µg/m³`));
      t.match(await texts('&component_id=2'), '|N|', 'a direction is named');
      t.match(await texts('&language=sr-Cyrl'), '01:00–02:00, 5. апр 2026., CEST');
      const panel = (await get(service, `/portal/station-modal?${query}&language=en`)).body;
      t.match(panel.toString(), '01:00–02:00, 5 Apr 2026, CEST');
      t.notMatch(panel.toString(), 'class="plot"');
    });

    await t.test('what a panel shares is what it shows', async (t) => {
      const query = 'language=en&theme=dark&station_id=2&component_id=1&window=7d&compare=1';
      const host = `localhost:${service.port}`;
      const page = await get(service, `/?${query}`, { headers: { Host: host } });
      const html = page.body.toString();
      t.match(html, `value="http://${host}/?${query.replaceAll('&', '&amp;')}"`);
      const [, code = ''] = /id="share-image"[^>]*value="([^"]*)"/.exec(html) ?? [];
      const image = unescapeHtml(code);
      // A character that XML cannot hold is replaced.
      const name = HOSTILE.replace('\u0001', '\uFFFD');
      t.match(unescapeHtml(image), `alt="PM₁₀, Шабац / ${name}, 7 days"`);
      const [, source = ''] = /src="([^"]*)"/.exec(image) ?? [];
      t.ok(source.startsWith(`http://${host}/portal/chart.svg?`), source);
      const path = unescapeHtml(source).slice(`http://${host}`.length);
      const svg = (await get(service, path)).body.toString();
      t.match(svg, '.paper{fill:#172025}', 'the theme is kept');
      t.match(svg, /<g class="s2"><path class="line/, 'and the comparison');
    });

    await t.test('a second station is told apart without colour', async (t) => {
      const svg = await chart('&compare=2&window=7d');
      t.equal(count(svg, '<path class="line"'), 4, 'two lines, and two of the legend');
      t.match(svg, '.s2{color:#a8481a;stroke-dasharray:4 6}');
      t.match(svg, '>Шабац</text>');
      const other = await chart('&compare=3&window=7d');
      t.match(other, '>– Kikinda</text>', 'one that does not measure');
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
