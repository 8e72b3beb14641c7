/** Hours that stay: `from` and `to` of panel, chart, pictures and files, and an `hour` of thirty days on the map. */
import fc from 'fast-check';
import t from 'tap';
import { MONTH_END_MS, monthDocument, valueAt } from '../../support/documents/month-document.js';
import { invalidMarkup, visibleText } from '../../support/readers/html.js';
import { scaled, seedOf } from '../../support/faults/chance.js';
import { get } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';

const HOUR_MS = 3_600_000;
const service = await startServing(t, monthDocument('month'), {
  env: { DEFAULT_LANGUAGE: 'en', TIME_ZONE: 'Europe/Belgrade' },
});

/** 2 April by the clock of Belgrade. */
const DAY = 'from=2026-04-01T22:00Z&to=2026-04-02T22:00Z';
const GONE = 'no longer here: this page has the last 30 days';
const PANEL = '/portal/station-modal?station_id=1&component_id=1';

async function read(path: string): Promise<string> {
  const { status, body } = await get(service, path);
  t.equal(status, 200, path);
  return body.toString();
}

async function textOf(path: string): Promise<string> {
  return visibleText(`<body>${await read(path)}</body>`);
}

/** Hours since the epoch of the rows of the panel's table, ascending. */
function hoursOf(panel: string): readonly number[] {
  return [...panel.matchAll(/<tr data-h="(\d+)"/g)].map(([, hour]) => Number(hour)).reverse();
}

function hourOf(time: string): number {
  return Date.parse(time) / HOUR_MS;
}

function linkIn(html: string, link: RegExp): string {
  return (link.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
}

await t.test('the same hours are in the panel and in all that it links to', async (t) => {
  const panel = await read(`${PANEL}&${DAY}&window=7d`);
  const first = hourOf('2026-04-01T22:00Z');
  const hours = Array.from({ length: 24 }, (_, at) => first + at);
  t.same(hoursOf(panel), hours);
  t.match(panel, /aria-current="true">Thu 2 Apr 2026<\/a>/);
  t.match(panel, 'data-title="Station 1: PM₁₀, Thu 2 Apr 2026"');
  const csv = await read(linkIn(panel, /"(\/api\/v1\/observations\.csv[^"]+)"/));
  const lines = csv.trimEnd().split('\r\n').slice(1);
  t.same(
    lines.map((line) => line.split(',').slice(0, 3).join(' ')),
    hours.map((hour) => `1 PM10 ${new Date(hour * HOUR_MS).toISOString().replace('.000', '')}`),
  );
  const api = JSON.parse(await read(linkIn(panel, /<code>GET ([^<]+)</))) as { data: unknown[] };
  t.equal(api.data.length, 24);
  const picture = await read(linkIn(panel, /"(\/portal\/chart\.svg[^"]+)" download/));
  t.match(picture, '<title id="title">PM₁₀, Station 1, Thu 2 Apr 2026</title>');
  const days = await read(`/portal/days.csv?station_id=1&component_id=1&${DAY}`);
  t.same(
    days.split('\r\n').flatMap((line) => line.split(',').slice(5, 6)),
    ['date', '2026-04-02'],
  );
});

await t.test('a panel says whether its link stays or moves, and links to the other', async (t) => {
  const moving = await read(PANEL);
  t.match(visibleText(`<body>${moving}</body>`), 'This link moves');
  const staying = linkIn(moving, /href="([^"]+)">A link that stays/);
  t.match(staying, 'from=2026-04-04T00%3A00Z&to=2026-04-05T00%3A00Z');
  const panel = await read(`/portal/station-modal?${staying.split('?')[1] ?? ''}`);
  t.match(visibleText(`<body>${panel}</body>`), 'This link stays');
  t.same(hoursOf(panel), hoursOf(moving));
  t.notMatch(linkIn(panel, /href="([^"]+)">A link that moves/), 'from=');
});

await t.test('a day of the calendar is a link to the whole day of the clock', async (t) => {
  const days = [...(await read(PANEL)).matchAll(/<th scope="row"><a href="\/\?([^"]+)">/g)].map(
    ([, query = '']) => new URLSearchParams(query.replaceAll('&amp;', '&')),
  );
  const hours = days.map((day) => hourOf(day.get('to') ?? '') - hourOf(day.get('from') ?? ''));
  t.equal(days.length, 31);
  t.equal(hours.filter((count) => count === 24).length, 30);
  const short = hours.indexOf(23);
  t.equal(days[short]?.get('from'), '2026-03-28T23:00Z', 'clocks are put forward');
  for (const at of [0, short, 30]) {
    const panel = await read(`/portal/station-modal?${String(days[at])}`);
    if (at === short) t.equal(hoursOf(panel).length, 23);
    const said = visibleText(`<body>${panel}</body>`);
    t.equal(said.includes(`Earlier hours of this link are ${GONE}`), at === 0);
    t.equal(said.includes('Later hours of this link are not published yet'), at === 30);
  }
});

await t.test('hours that a snapshot has not are said, and no others shown', async (t) => {
  for (const [query, sentence] of [
    ['from=2026-01-01T00:00Z&to=2026-01-02T00:00Z', `The hours of this link are ${GONE}`],
    ['from=2026-05-01T00:00Z&to=2026-05-02T00:00Z', 'The hours of this link are not published yet'],
  ] as const) {
    const panel = await read(`${PANEL}&${query}&language=en`);
    t.match(visibleText(`<body>${panel}</body>`), sentence);
    t.same(hoursOf(panel), []);
    t.match(await read(`/portal/chart.svg?station_id=1&component_id=1&${query}`), sentence);
    // The links of the page are of the same state.
    const again = linkIn(await read(`/?station_id=1&${query}`), /"(\/\?[^"]+)" lang="sr-Latn"/);
    t.match(again, 'from=');
    t.same(hoursOf(await read(again.replace('sr-Latn', 'en'))), []);
  }
});

await t.test('what is no time counts as none, and what is far away is one state', async (t) => {
  const plain = await read(PANEL);
  for (const query of [
    'from=x&to=2026-04-02',
    'from=2026-04-02',
    `from=2026-04-02&to=2026-04-01`,
  ]) {
    t.equal(await read(`${PANEL}&${query}`), plain, query);
  }
  t.equal(
    await read(`${PANEL}&from=2020-01-01&to=2020-01-02`),
    await read(`${PANEL}&from=2021-01-01&to=2025-01-02`),
  );
  t.same(hoursOf(await read(`${PANEL}&from=1900-01-01&to=2200-01-01`)).length, 720);
  const time = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('2026-02-30', '2026-04-01T00:30Z', '9999-12-31T23:00Z', '0000-01-01', '1e9'),
  );
  await fc.assert(
    fc.asyncProperty(time, time, time, async (from, to, hour) => {
      const query = new URLSearchParams({ station_id: '2', from, to, hour }).toString();
      t.strictSame(invalidMarkup(await read(`/?${query}`)), [], query);
    }),
    { numRuns: scaled(15), seed: seedOf(t) },
  );
});

await t.test('the map and the list show an hour of any of the days', async (t) => {
  const newest = visibleText(await read('/'));
  t.match(newest, 'Newest hour:');
  for (const time of ['2026-03-06T00:00Z', '2026-04-04T20:00Z']) {
    const page = await read(`/?component_id=1&hour=${time}`);
    t.match(page, `Station 3: ${valueAt(hourOf(time), 3)} µg/m³`, time);
    const output = /<option value="([^"]+)" selected>/.exec(
      page.split('<select id="hour"')[1] ?? '',
    );
    t.equal(output?.[1], time);
  }
  // The slider is the one of that day, without the hour that clocks have skipped.
  const page = await read('/?hour=2026-03-29T10:00Z');
  t.equal((page.split('<select id="hour"')[1] ?? '').split('<option').length - 1, 23);
  t.match(await textOf('/?hour=2026-03-05T00:00Z'), `The hour of this link is ${GONE}`);
  t.match(await textOf('/?hour=2026-04-06T00:00Z'), 'The hour of this link is not published yet');
});

await t.test('a link that stays says when its time has left', async (t) => {
  t.equal(hoursOf(await read(`${PANEL}&${DAY}`)).length, 24);
  await publishAndServe(
    service,
    monthDocument('later', MONTH_END_MS + 28 * 24 * HOUR_MS - 12 * HOUR_MS),
  );
  const cut = await read(`${PANEL}&${DAY}`);
  t.match(visibleText(`<body>${cut}</body>`), `Earlier hours of this link are ${GONE}`);
  t.equal(hoursOf(cut).length, 10);
  await publishAndServe(service, monthDocument('much-later', MONTH_END_MS + 30 * 24 * HOUR_MS));
  t.match(await textOf(`${PANEL}&${DAY}`), `The hours of this link are ${GONE}`);
});
