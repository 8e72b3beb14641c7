/** A week of one component at every station, compared with its CSV and the API, and the links to and from it. */
import { parse } from 'csv-parse/sync';
import { accessibilityProblems, PHONE, testInTab, VIEWS } from '../support/browser.js';
import { get, getJson } from '../../support/service/requests.js';
import type { Service } from '../../support/service/service.js';

const NO2 = 8;

interface Day {
  readonly station_id: string;
  readonly station_name: string;
  readonly date: string;
  readonly mean: string;
  readonly highest: string;
  readonly hours_with_value: string;
  readonly highest_hour_utc: string;
}

async function daysOf(service: Service, component: number): Promise<readonly Day[]> {
  const { body } = await get(service, `/portal/episode.csv?component_id=${component}`);
  return parse(body, { columns: true });
}

for (const viewport of [PHONE, undefined]) {
  const options = { path: '/?language=en&component_id=10', ...(viewport && { viewport }) };
  const where = viewport ? 'a telephone' : 'a desk';
  testInTab(
    `the worst hour of the week is two actions away at ${where}`,
    options,
    async (t, page, service) => {
      if (viewport) await page.click('.menu summary');
      await page.click('.main-navigation a:has-text("Week")');
      const days = await daysOf(service, 10);
      const most = Math.max(...days.map(({ highest }) => Number(highest)));
      const worst = days.find(({ highest }) => Number(highest) === most);
      t.match(
        await page.locator('.facts').innerText(),
        `The highest hour: ${most} µg/m³ at ${worst?.station_name ?? ''}, `,
      );
      await page.locator('.facts a').first().click();
      await page.locator('#station-name', { hasText: worst?.station_name ?? '' }).waitFor();
      const from = new URL(page.url()).searchParams.get('from') ?? '';
      t.ok(
        Date.parse(from) <= Date.parse(worst?.highest_hour_utc ?? ''),
        'the panel is of that day',
      );
      t.equal(await page.locator('.values tbody tr').count(), Number(worst?.hours_with_value));
    },
  );
}

const plain = { javaScriptEnabled: false, path: `/episode?language=en&component_id=${NO2}` };
testInTab(
  'the table has the days of the CSV, which are those of the API',
  plain,
  async (t, page, service) => {
    const days = await daysOf(service, NO2);
    for (const figure of ['highest', 'mean'] as const) {
      await page.goto(`/episode?language=en&component_id=${NO2}&figure=${figure}&sort=name`);
      const rows = await page.locator('.overview tbody tr').all();
      const names = new Set(days.map(({ station_name }) => station_name));
      t.equal(rows.length, names.size);
      for (const row of rows.slice(0, 5)) {
        const [name = '', , ...cells] = (await row.locator('th, td').allInnerTexts()).map((text) =>
          text.split('\n')[0]?.trim(),
        );
        const own = days.filter(({ station_name }) => station_name === name);
        t.same(
          cells,
          own.map((day) => (day[figure] === '' ? '–' : String(Number(day[figure])))),
          name,
        );
      }
    }
    const [day] = days.filter(({ hours_with_value }) => hours_with_value === '24');
    const query = `station_id=${day?.station_id ?? ''}&parameter_code=NO2&limit=1000`;
    const { body } = await getJson(service, `/api/v1/observations?${query}`);
    const { data } = body as {
      readonly data: readonly { readonly time_start_utc: string; readonly value: number | null }[];
    };
    // The days of the demonstration are an hour ahead of UTC.
    const begin = Date.parse(`${day?.date ?? ''}T00:00:00+01:00`);
    const values = data
      .filter(({ time_start_utc }) => {
        const at = Date.parse(time_start_utc);
        return at >= begin && at < begin + 24 * 3_600_000;
      })
      .map(({ value }) => value ?? NaN);
    t.equal(values.length, 24);
    t.equal(Math.max(...values), Number(day?.highest));
    t.ok(Math.abs(values.reduce((a, b) => a + b) / 24 - Number(day?.mean)) <= 0.05 + 1e-9);
  },
);

testInTab('stations are ordered by the week, by a day and by name', plain, async (t, page) => {
  const figures = async (column: number): Promise<readonly number[]> =>
    (await page.locator(`.overview tbody tr td:nth-child(${column})`).allInnerTexts()).map((text) =>
      parseFloat(text),
    );
  const falls = (values: readonly number[]): boolean =>
    values.every((value, at) => at === 0 || !(value > (values[at - 1] ?? Infinity)));
  t.ok(falls(await figures(2)));
  for (const link of await page.locator('.overview tbody tr').first().locator('td a').all()) {
    const { searchParams } = new URL((await link.getAttribute('href')) ?? '', 'http://localhost');
    const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
    t.equal(Number(to) - Number(from), 24 * 3_600_000, 'a whole day, of today too');
  }
  await page.locator('.overview thead a').nth(4).click();
  t.ok(falls(await figures(5)));
  t.equal(await page.locator('.overview [aria-sort="descending"]').count(), 1);
  await page.goto(`/episode?language=en&component_id=81&sort=nonsense&figure=x`);
  t.ok(falls(await figures(2)), 'what is not known counts as none');
});

for (const { language, theme, viewport } of VIEWS) {
  const path = `/episode?language=${language}&theme=${theme}&component_id=${NO2}`;
  testInTab(`axe finds nothing in ${path}`, { viewport, path }, async (t, page) => {
    t.strictSame(await accessibilityProblems(page), []);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
  });
}

testInTab(
  'ties and components are said in words',
  { path: '/episode?language=en' },
  async (t, page) => {
    const components = await page.innerText('.components');
    t.match(components, 'Solar radiation');
    t.notMatch(components, 'Sunshine');
    const hours = await page.locator('.overview tbody td > small:not(.late)').allInnerTexts();
    t.ok(hours.some((text) => /^\d\d:\d\d and \d+ more hours?$/.test(text)));
    t.strictSame(
      hours.filter((text) => text.includes('+')),
      [],
    );
  },
);
