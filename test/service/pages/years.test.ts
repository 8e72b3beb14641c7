/** The page of a station's years, compared with the archive's rows and its CSV, and the links to it. */
import { rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { expectedDaily } from '../../support/expected/expected-daily.js';
import {
  addressesIn,
  invalidMarkup,
  unescapeHtml,
  visibleText,
} from '../../support/readers/html.js';
import { get } from '../../support/service/requests.js';
import { keptFile } from '../../support/service/serve-archive.js';
import { COMPONENTS, serveYears } from '../../support/service/serve-years.js';
import { eventually } from '../../support/service/service.js';
import { removeArchive } from '../../support/stores/stored-archive.js';

const { no2, ozone, xylene, rain, direction, lead } = COMPONENTS;
/** With the day of the snapshot's last hour. */
const DAYS_OF_2026 = Math.ceil((Date.UTC(2026, 8, 11) - Date.UTC(2026, 0, 1)) / 86_400_000);
const HTML = { headers: { Accept: 'text/html' } };

void t.test('with an archive', async (t) => {
  const { service, archive } = await serveYears(t);
  const { database } = archive;
  const read = async (t: Test, query: string): Promise<string> => {
    const { status, body } = await get(service, `/years?language=en&${query}`);
    t.equal(status, 200, query);
    t.strictSame(invalidMarkup(body.toString()), [], query);
    return body.toString();
  };
  const chosen = (html: string): readonly string[] =>
    [...html.matchAll(/<a [^>]*aria-current="true">([^<]*)<\/a>/g)].map(([, text = '']) => text);

  for (const [code, id, year, station] of [
    ['NO2', no2, 2026, 1],
    ['m,p-Xylene', xylene, 2024, 2],
    ['RAIN', rain, 2025, 2],
  ] as const) {
    await t.test(`${code} in ${year} is what the archive was made from`, async (t) => {
      const html = await read(t, `station_id=${station}&component_id=${id}&year=${year}`);
      const own = `station_id = '${station}' AND parameter_code = '${code}' AND year(date) = ${year}`;
      const figure = code === 'RAIN' ? 'sum' : 'mean';
      const days = await database.rows(
        `SELECT CAST(date AS VARCHAR) AS date, ${figure} AS figure, minimum, maximum, hours, hours_expected
          FROM main.daily WHERE hours > 0 AND ${own} ORDER BY daily.date`,
      );
      const rows = [
        ...html.matchAll(/<time datetime="([^"]+)">[^<]*<\/time><\/th>(.*?)<\/tr>/g),
      ].map(([, date, cells = '']) => [date, ...(cells.match(/(?<=<td>)[^<]*/g) ?? [])]);
      t.equal(rows.length, days.length);
      for (const [index, day] of days.entries()) {
        const [date, mean, least, most, hours] = rows[index] ?? [];
        t.same(
          [date, hours],
          [day['date'], `${Number(day['hours'])} / ${Number(day['hours_expected'])}`],
        );
        t.ok(isAs(mean, day['figure']), String(date));
        t.ok(isAs(least, day['minimum']) && isAs(most, day['maximum']), String(date));
      }
      const [all] = await database.rows(
        `SELECT ${code === 'RAIN' ? 'sum(sum)' : 'sum(mean * hours) / sum(hours)'} AS figure,
          max(${figure}) FILTER (hours >= 0.75 * hours_expected) AS most,
          min(${figure}) FILTER (hours >= 0.75 * hours_expected) AS least FROM main.daily WHERE ${own}`,
      );
      const text = visibleText(html);
      const said = (sentence: RegExp): string | undefined => sentence.exec(text)?.[1];
      t.ok(isAs(said(/Their (?:mean|sum) is (\S+) /), all?.['figure']), text);
      t.ok(isAs(said(/Highest day: (\S+) /), all?.['most']));
      t.ok(isAs(said(/Lowest day: (\S+) /), all?.['least']));
      // The snapshot was generated in 2026, which is not over.
      const length = { 2024: 366, 2025: 365, 2026: DAYS_OF_2026 }[year];
      const soFar = year === 2026 ? ' so far' : '';
      t.match(text, `Values on ${days.length} of ${length} days of ${year}${soFar}. Their `);
      const calendar = /<table class="calendar year".*?<\/table>/s.exec(html)?.[0] ?? '';
      const counts = ['[cm]\\d">[^<]', 'gap">–', 'skipped">'].map(
        (cell) => calendar.match(new RegExp(`<td class="${cell}`, 'g'))?.length ?? 0,
      );
      t.same(counts, [days.length, length - days.length, 12 * 31 - length]);
      const csv = addressesIn(html).find((one) => one.includes('daily.csv')) ?? '';
      // Days of the snapshot follow.
      const lines = (await get(service, csv)).body.toString();
      t.ok(lines.startsWith(await expectedDaily(archive, own)));
      t.match(unescapeHtml(html), `<code>GET ${csv}</code>`);
      t.ok(gzipSync(html).byteLength < 60_000);
    });
  }

  for (const [code, id] of [
    ['NO2', no2],
    ['RAIN', rain],
  ] as const) {
    await t.test(`all years of ${code} by month`, async (t) => {
      const html = await read(t, `station_id=1&component_id=${id}&year=all`);
      const name = code === 'RAIN' ? 'sum' : 'mean';
      const months = await database.rows(
        `SELECT CAST(month AS VARCHAR)[:7] AS month, ${name} AS figure, minimum, maximum, hours,
          hours_expected, days FROM main.monthly
        WHERE hours > 0 AND station_id = '1' AND parameter_code = '${code}' ORDER BY monthly.month`,
      );
      const rows = [
        ...html.matchAll(/<time datetime="([^"]+)">[^<]*<\/time><\/th>(.*?)<\/tr>/g),
      ].map(([, month, cells = '']) => [month, ...(cells.match(/(?<=<td>)[^<]*/g) ?? [])]);
      t.equal(rows.length, months.length);
      for (const [index, month] of months.entries()) {
        const [date, figure, least, most, hours] = rows[index] ?? [];
        t.same(
          [date, hours],
          [month['month'], `${Number(month['hours'])} / ${Number(month['hours_expected'])}`],
        );
        t.ok(isAs(figure, month['figure']), String(date));
        t.ok(isAs(least, month['minimum']) && isAs(most, month['maximum']), String(date));
      }
      const all = (Date.UTC(2026, 8, 11) - Date.UTC(2024, 1, 1)) / 86_400_000;
      const days = months.reduce((sum, month) => sum + Number(month['days']), 0);
      const [total] = await database.rows(
        `SELECT ${code === 'RAIN' ? 'sum(value)' : 'avg(value)'} AS figure FROM observations
        WHERE station_id = '1' AND parameter_code = '${code}'`,
      );
      const text = visibleText(html);
      t.match(text, `${days} of ${all} days so far, since 1 Feb 2024, have three quarters`);
      const said = /The (?:mean|sum) of all hours is (\S+) /.exec(text)?.[1];
      t.ok(isAs(said, total?.['figure']), text);
      t.match(text, /Highest month: \S+ \S+, [A-Z][a-z]+ 202\d\./);
      const calendar = /<table class="calendar year".*?<\/table>/s.exec(html)?.[0] ?? '';
      const counts = ['[cm]\\d">[^<]', 'gap">–', 'skipped">'].map(
        (cell) => calendar.match(new RegExp(`<td class="${cell}`, 'g'))?.length ?? 0,
      );
      // February 2024 to September 2026.
      t.same(counts, [months.length, 32 - months.length, 4]);
      t.ok(chosen(html).includes('All years'));
      const links = addressesIn(html);
      for (const year of ['all', 2025])
        t.ok(links.includes(`/years?language=en&station_id=1&component_id=${id}&year=${year}`));
      const csv = links.find((one) => one.includes('monthly.csv')) ?? '';
      t.match((await get(service, csv)).body.toString(), `\r\n1,${code},`);
    });
  }

  await t.test('stations and components that have ended can be chosen', async (t) => {
    const html = await read(t, `station_id=1&component_id=${no2}&year=all`);
    const links = addressesIn(html);
    const ended = '/years?language=en&station_id=1&parameter_code=PM1&year=all';
    t.ok(links.includes(ended), 'a component');
    t.ok(
      links.includes(`/years?language=en&station_id=3&component_id=${no2}&year=all`),
      'a station',
    );
    t.notMatch(html, 'station_id=9', 'hidden');
    const text = visibleText(await read(t, ended.split('?language=en&')[1] ?? ''));
    t.match(text, 'PM₁, Novi Beograd, All years');
    t.match(text, '29 of 953 days so far, since 1 Feb 2024, have three quarters');
    const year = await read(t, 'station_id=3&parameter_code=PM1');
    t.match(
      visibleText(year),
      /PM₁, Station 3, 2024 Values on 30 of 366 days of 2024\. Their mean is/,
    );
    t.match(await read(t, 'station_id=1&parameter_code=WD2'), 'days of 2026 so far', 'unknown');
  });

  await t.test('a year in two units is that of the newest, and says so', async (t) => {
    const html = await read(t, `station_id=1&component_id=${xylene}&year=2025`);
    const text = visibleText(html);
    t.match(text, /Values on \d+ of 365 days of 2025\. Their mean is \S+ µg\/m³/);
    const other = `/years?language=en&station_id=1&component_id=${ozone}&year=2025`;
    t.ok(addressesIn(html).includes(other), 'another component keeps the year');
    t.match(text, 'among days with three quarters of their hours or more');
    t.match(text, '32 other days are in ppb, and only in the file.');
    // The highest of the days that are written alike.
    t.match(text, 'Highest day: 30 µg/m³, 1 Jun. 1 other day has the same figure.');
    t.match(text, 'Lowest day: 10 µg/m³, 2 Apr. 1 other day has the same figure.');
    t.notMatch(html, '>900<');
  });

  await t.test('the newest year with a value comes first, and others are linked', async (t) => {
    const of1 = await read(t, `station_id=1&component_id=${no2}`);
    t.ok(chosen(of1).includes('2026'));
    t.match(visibleText(of1), 'NO₂, Novi Beograd, 2026');
    const html = await read(t, `theme=dark&station_id=2&component_id=${no2}`);
    t.ok(chosen(html).includes('2025'), 'the archive has hours of 2026, but no value');
    const links = addressesIn(html);
    const own = 'language=en&theme=dark&station_id=2&component_id=';
    for (const year of [2026, 2025, 2024]) t.ok(links.includes(`/years?${own}${no2}&year=${year}`));
    for (const id of [no2, ozone, xylene, rain, lead]) t.ok(links.includes(`/years?${own}${id}`));
    t.notOk(links.includes(`/years?${own}${direction}`), 'directions have no mean');
    t.ok(links.includes(`/?${own}${no2}`), 'back to the station');
  });

  await t.test('what there is not is said, or is what other pages say', async (t) => {
    const sentence = async (query: string): Promise<string> =>
      /<p class="facts">(.*?)<\/p>/.exec(await read(t, query))?.[1] ?? '';
    for (const [query, what] of [
      [`station_id=2&component_id=${no2}&year=2026`, 'NO₂ here in 2026'],
      [`station_id=7&component_id=${no2}`, 'NO₂ here in 2026'],
      [`station_id=1&component_id=${lead}&year=2025`, 'Pb here in 2025'],
    ] as const) {
      const said = `The archive has no values of ${what}. The years of the archive:`;
      t.equal(await sentence(query), said);
    }
    for (const query of [
      'station_id=1&year=x',
      ...['4', 'x', `${direction}`].map((id) => `station_id=1&component_id=${id}`),
      ...[1999, -1, 0, 2027, 1e8].map((year) => `station_id=1&component_id=${no2}&year=${year}`),
      // The first station that measures it.
      ...['', '&station_id=', '&station_id=x'].map((station) => `component_id=${no2}${station}`),
    ]) {
      t.match(await sentence(query), 'days of 2026 so far. Their mean', query);
    }
    for (const query of ['station_id=9', 'station_id=77']) {
      const page = await get(service, `/years?language=en&${query}`, HTML);
      t.equal(page.status, 404, query);
      t.match(visibleText(page.body.toString()), 'There is no such station');
    }
    // A station that the document has no more keeps its years.
    const html = await read(t, `station_id=3&component_id=${no2}&year=2025`);
    t.match(visibleText(html), 'Station 3');
    t.match(visibleText(html), 'of 365 days of 2025. Their mean is ');
    t.notOk(addressesIn(html).some((href) => href.startsWith('/?') && href.includes('station_id')));
    const csv = addressesIn(html).find((one) => one.includes('daily.csv')) ?? '';
    t.match((await get(service, csv)).body.toString(), '\r\n3,NO2,');
  });

  await t.test('the panel leads to it, while there is an archive', async (t) => {
    const state = 'language=sr-Cyrl&theme=dark&station_id=1&component_id=';
    const panel = (id: number) => get(service, `/portal/station-modal?${state}${id}`);
    const years = `/years?${state}${no2}`;
    const before = await panel(no2);
    t.ok(addressesIn(before.body.toString()).includes(years));
    // Menu and sitemap lead to it, too.
    const terms = async () => (await get(service, '/legal/terms?language=en')).body.toString();
    const sitemap = async () => (await get(service, '/sitemap.xml')).body.toString();
    t.ok(addressesIn(await terms()).includes('/years?language=en'));
    t.match(await sitemap(), '/years?language=en</loc>');
    t.notMatch((await panel(direction)).body.toString(), '/years');
    const { etag } = (await get(service, years)).headers;
    t.equal((await get(service, years, { headers: { 'If-None-Match': etag ?? '' } })).status, 304);
    await removeArchive(service.published);
    await eventually('the archive is gone', async () => (await get(service, years)).status === 404);
    const after = await panel(no2);
    t.notMatch(after.body.toString(), '/years');
    t.not(after.headers.etag, before.headers.etag);
    t.notMatch(await terms(), '/years');
    t.notMatch(await sitemap(), '/years');
    const page = (await get(service, years, HTML)).body.toString();
    t.match(visibleText(page), 'Овде нема ранијих година');
    const json = (await get(service, years)).body.toString();
    t.equal(json, '{"detail":"Archive resource not found."}');
  });
});

void t.test('a damaged file of days is 503 until it has been fetched again', async (t) => {
  const expect = ['store unreachable', 'archive incomplete'];
  const { service, archive } = await serveYears(t, { expect });
  const year = async (of: number) =>
    await get(service, `/years?language=en&station_id=1&component_id=${no2}&year=${of}`);
  t.match((await year(2025)).body.toString(), 'Values on 331 of 365 days of 2025.');
  await rename(join(service.root, 'store'), join(service.root, 'away'));
  await service.waitForLog('store unreachable');
  for (const file of archive.files) await truncate(keptFile(service, file), 100);
  const { status, headers, body } = await year(2024);
  t.equal(status, 503);
  t.match(headers['retry-after'], /^\d+$/);
  t.equal(body.toString(), '{"detail":"The archive cannot be read at the moment."}');
  await rename(join(service.root, 'away'), join(service.root, 'store'));
  await eventually('it is back', async () => (await year(2024)).status === 200);
});

/** Whether a number is another one as pages write it. */
function isAs(text: string | undefined, exact: unknown): boolean {
  const [shown, value] = [Number(text), Number(exact)];
  const size = Math.abs(value);
  const places =
    size >= 10 ? 1 : size >= 1 ? 2 : size >= 1e-2 ? 3 : 1 - Math.floor(Math.log10(size));
  return Math.abs(shown - value) <= 0.51 * 10 ** -places || shown === value;
}
