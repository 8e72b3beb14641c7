/** Hours that stay: `from` and `to` of panel, chart, pictures and files, and an `hour` of thirty days on the map. */
import { rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import readWorkbook from 'read-excel-file/universal';
import t from 'tap';
import { monthDocument, valueAt } from '../../support/documents/month-document.js';
import { unescapeHtml, visibleText } from '../../support/readers/html.js';
import { get } from '../../support/service/requests.js';
import { keptFile, served } from '../../support/service/serve-archive.js';
import { startServing } from '../../support/service/serve-documents.js';
import { eventually } from '../../support/service/service.js';
import { storeArchive } from '../../support/stores/stored-archive.js';

const HOUR_MS = 3_600_000;
const env = { DEFAULT_LANGUAGE: 'en', TIME_ZONE: 'Europe/Belgrade' };
const expect = ['store unreachable', 'archive incomplete'];
const service = await startServing(t, monthDocument('month'), { env, expect });

/** Hours of station 1 alone, the first one in another unit. */
const ARCHIVED = `DELETE FROM observations WHERE station_id <> '1' OR parameter_code <> 'NO2';
  UPDATE observations SET parameter_code = 'PM10', unit = 'µg/m³',
    value = (epoch(time_start_utc) / 3600)::BIGINT % 1000;
  UPDATE observations SET unit = 'ppb' WHERE time_start_utc = '2025-12-31 23:00:00+00'`;

const GONE = 'no longer here: this page has the last 30 days';
const PANEL = '/portal/station-modal?station_id=1&component_id=1';

async function read(path: string): Promise<string> {
  const { status, body } = await get(service, path);
  t.equal(status, 200, path);
  return body.toString();
}

function textOf(html: string): string {
  return visibleText(`<body>${html}</body>`);
}

/** Hours since the epoch of the rows of the panel's table, ascending. */
function hoursOf(panel: string): readonly number[] {
  return [...panel.matchAll(/<tr data-h="(\d+)"/g)].map(([, hour]) => Number(hour)).reverse();
}

function hourOf(time: string): number {
  return Date.parse(time) / HOUR_MS;
}

function linkIn(html: string, link: RegExp): string {
  return unescapeHtml(link.exec(html)?.[1] ?? '');
}

await t.test('the same hours are in the panel and in all that it links to', async (t) => {
  // 2 April by the clock of Belgrade.
  const panel = await read(`${PANEL}&from=2026-04-01T22:00Z&to=2026-04-02T22:00Z&window=7d`);
  const hours = Array.from({ length: 24 }, (_, at) => hourOf('2026-04-01T22:00Z') + at);
  t.same(hoursOf(panel), hours);
  t.match(panel, /aria-current="true">Thu 2 Apr 2026<\/a>/);
  t.match(panel, 'data-title="Station 1: PM₁₀, Thu 2 Apr 2026"');
  const csv = await read(linkIn(panel, /"(\/api\/v1\/observations\.csv[^"]+)"/));
  const lines = [...csv.matchAll(/^1,PM10,([^,]+),/gm)].map(([, time = '']) => hourOf(time));
  t.same(lines, hours);
  const api = JSON.parse(await read(linkIn(panel, /<code>GET ([^<]+)</))) as { data: unknown[] };
  t.equal(api.data.length, 24);
  const picture = await read(linkIn(panel, /"(\/portal\/chart\.svg[^"]+)" download/));
  t.match(picture, '<title id="title">PM₁₀, Station 1, Thu 2 Apr 2026</title>');
});

await t.test('rows of a workbook have the offset of their own hour', async (t) => {
  const { body } = await get(service, '/portal/station.xlsx?station_id=1&component_id=1');
  const [sheet] = await readWorkbook(new Blob([new Uint8Array(body)]));
  const offsets = sheet?.data.slice(1).map(([, offset]) => offset) ?? [];
  t.same([...new Set(offsets)], ['+01:00', '+02:00']);
  // Clocks go forward at 1:00 UTC on 29 March.
  const first = hourOf('2026-04-05T00:00Z') - 720;
  t.equal(offsets.indexOf('+02:00'), hourOf('2026-03-29T01:00Z') - first);
});

await t.test('a panel says whether its link stays or moves, and links to the other', async (t) => {
  const moving = await read(PANEL);
  t.match(textOf(moving), 'This link moves');
  const staying = linkIn(moving, /href="([^"]+)">A link that stays/);
  t.match(staying, 'from=2026-04-04T00%3A00Z&to=2026-04-05T00%3A00Z');
  const panel = await read(`/portal/station-modal?${staying.split('?')[1] ?? ''}`);
  t.match(textOf(panel), 'This link stays');
  t.same(hoursOf(panel), hoursOf(moving));
  t.notMatch(linkIn(panel, /href="([^"]+)">A link that moves/), 'from=');
});

await t.test('a day of the calendar is a link to the whole day of the clock', async (t) => {
  const days = [...(await read(PANEL)).matchAll(/<th scope="row"><a href="\/\?([^"]+)">/g)].map(
    ([, query = '']) => new URLSearchParams(unescapeHtml(query)),
  );
  const hours = days.map((day) => hourOf(day.get('to') ?? '') - hourOf(day.get('from') ?? ''));
  const short = hours.indexOf(23);
  t.equal(hours.join(), Array.from(hours, (_, at) => (at === short ? 23 : 24)).join());
  t.equal(hours.length, 31);
  t.equal(days[short]?.get('from'), '2026-03-28T23:00Z', 'clocks are put forward');
  for (const at of [0, short, 30]) {
    const panel = await read(`/portal/station-modal?${String(days[at])}`);
    if (at === short) t.equal(hoursOf(panel).length, 23);
    const said = textOf(panel);
    t.equal(said.includes(`Earlier hours of this link are ${GONE}`), at === 0);
    t.equal(said.includes('Later hours of this link are not published yet'), at === 30);
  }
});

await t.test('hours that a snapshot has not are said, and no others shown', async (t) => {
  for (const [query, sentence] of [
    ['from=2026-01-01T00:00Z&to=2026-01-02T00:00Z', `The hours of this link are ${GONE}`],
    ['from=2026-05-01T00:00Z&to=2026-05-02T00:00Z', 'The hours of this link are not published yet'],
  ] as const) {
    const panel = await read(`${PANEL}&${query}`);
    t.match(textOf(panel), sentence);
    t.same(hoursOf(panel), []);
    t.match(await read(`/portal/chart.svg?station_id=1&component_id=1&${query}`), sentence);
    // The links of the page are of the same state.
    const again = linkIn(await read(`/?station_id=1&${query}`), /"(\/\?[^"]+)" lang="sr-Latn"/);
    t.match(again, 'from=');
    t.same(hoursOf(await read(again)), []);
  }
});

await t.test('what is no time counts as none, and what is far away is one state', async (t) => {
  const plain = await read(PANEL);
  const none = ['from=x&to=2026-04-02', 'from=2026-04-02', 'from=2026-04-02&to=2026-04-01'];
  for (const query of none) t.equal(await read(`${PANEL}&${query}`), plain, query);
  const far = await read(`${PANEL}&from=2020-01-01&to=2020-01-02`);
  t.equal(await read(`${PANEL}&from=2021-01-01&to=2025-01-02`), far);
  t.equal(hoursOf(await read(`${PANEL}&from=1900-01-01&to=2200-01-01`)).length, 720);
});

await t.test('the map shows an hour of any of the days', async (t) => {
  t.match(textOf(await read('/')), 'Newest hour:');
  const optionsOf = (page: string): string => page.split('<select id="hour"')[1] ?? '';
  for (const time of ['2026-03-06T00:00Z', '2026-04-04T20:00Z']) {
    const page = await read(`/?component_id=1&hour=${time}`);
    t.match(page, `Station 3: ${valueAt(hourOf(time), 3)} µg/m³`, time);
    t.equal(/<option value="([^"]+)" selected>/.exec(optionsOf(page))?.[1], time);
  }
  // The slider is the one of that day, without the hour that clocks have skipped.
  const page = await read('/?hour=2026-03-29T10:00Z');
  t.equal(optionsOf(page).split('<option').length - 1, 23);
  const sentences = { '03-05': `is ${GONE}`, '04-06': 'is not published yet' };
  for (const [day, sentence] of Object.entries(sentences)) {
    t.match(textOf(await read(`/?hour=2026-${day}T00:00Z`)), `The hour of this link ${sentence}`);
  }
});

await t.test('hours that have left a snapshot are drawn from the archive', async (t) => {
  const options = { months: ['2025-12', '2026-01', '2026-02'], stations: 2, changes: ARCHIVED };
  const archive = await storeArchive(t, service.published, options);
  await served(service, archive);
  const valuesOf = (panel: string): readonly string[] =>
    [...panel.matchAll(/<td data-v="[^"]*">([^<]*)</g)].map(([, value = '']) => value).reverse();
  // 1 January by the clock of Belgrade, over the end of a file.
  const day = 'from=2025-12-31T23:00Z&to=2026-01-01T23:00Z';
  const panel = await read(`${PANEL}&${day}`);
  const hours = Array.from({ length: 24 }, (_, at) => hourOf('2025-12-31T23:00Z') + at);
  t.same(hoursOf(panel), hours.slice(1), 'one is in another unit');
  t.same(
    valuesOf(panel),
    hours.slice(1).map((hour) => String(hour % 1000)),
  );
  t.match(panel, 'aria-current="true">Thu 1 Jan 2026</a>');
  t.notMatch(textOf(panel), GONE);
  t.match(textOf(panel), 'also when they are only in the archive');
  t.notMatch(panel, 'observations.csv', 'files have the hours of the snapshot');
  t.notMatch(panel, 'On the map');
  const picture = await read(`/portal/chart.svg?station_id=1&component_id=1&${day}`);
  t.match(picture, 'PM₁₀, Station 1, Thu 1 Jan 2026');
  t.match(picture, '1 of 24 hours without a value');
  t.match(picture, 'class="line"');
  const png = await get(service, `/portal/chart.png?station_id=1&component_id=1&${day}`);
  t.equal(png.status, 200);
  t.same(hoursOf(await read(`/?station_id=1&component_id=1&${day}&language=en`)), hours.slice(1));
  // Part of a period, and hours of neither.
  const both = await read(`${PANEL}&from=2026-02-28T20:00Z&to=2026-03-06T02:00Z`);
  t.same(
    hoursOf(both).slice(0, 4),
    Array.from({ length: 4 }, (_, at) => hourOf('2026-02-28T20:00Z') + at),
  );
  t.equal(hoursOf(both).at(-1), hourOf('2026-03-06T01:00Z'));
  t.notMatch(textOf(both), GONE);
  const long = await read(`${PANEL}&from=2025-12-01T00:00Z&to=2026-01-01T01:00Z`);
  t.match(textOf(long), `The hours of this link are ${GONE}`, 'more than 31 days');
  t.match(textOf(await read(`${PANEL}&from=2020-01-01&to=2020-01-02`)), GONE);
  t.match(
    textOf(await read(`/portal/station-modal?station_id=2&component_id=1&${day}`)),
    'no values',
  );
  // A damaged file is fetched again.
  const file = archive.files.find(({ path }) => path.includes('month=02'));
  await rename(join(service.root, 'store'), join(service.root, 'away'));
  await service.waitForLog('store unreachable');
  if (file !== undefined) await truncate(keptFile(service, file), 100);
  const damaged = `${PANEL}&from=2026-02-01T00:00Z&to=2026-02-02T00:00Z`;
  t.equal((await get(service, damaged)).status, 503);
  await rename(join(service.root, 'away'), join(service.root, 'store'));
  await eventually('it is back', async () => (await get(service, damaged)).status === 200);
});
