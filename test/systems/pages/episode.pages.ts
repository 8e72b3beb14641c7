/** A week of one component at every station in a browser: what leads to it and from it, and what axe finds. */
import { parse } from 'csv-parse/sync';
import { accessibilityProblems, PHONE, testInTab, VIEWS } from '../support/browser.js';
import { get } from '../../support/service/requests.js';

interface Day {
  readonly station_name: string;
  readonly highest: string;
  readonly hours_with_value: string;
  readonly highest_hour_utc: string;
}

const onPhone = { viewport: PHONE, path: '/?language=en&component_id=10' };
testInTab('the worst hour of the week is two actions away', onPhone, async (t, page, service) => {
  await page.click('.menu summary');
  await page.click('.main-navigation a:has-text("Week")');
  const { body } = await get(service, '/portal/episode.csv?component_id=10');
  const days = parse<Day>(body, { columns: true });
  const most = Math.max(...days.map(({ highest }) => Number(highest)));
  const worst = days.find(({ highest }) => Number(highest) === most);
  const name = worst?.station_name ?? '';
  t.match(await page.innerText('.facts'), `The highest hour: ${most} µg/m³ at ${name}, `);
  await page.locator('.facts a').first().click();
  await page.locator('#station-name', { hasText: name }).waitFor();
  const from = new URL(page.url()).searchParams.get('from') ?? '';
  t.ok(Date.parse(from) <= Date.parse(worst?.highest_hour_utc ?? ''), 'of that day');
  t.equal(await page.locator('.values tbody tr').count(), Number(worst?.hours_with_value));
});

for (const { language, theme, viewport } of VIEWS) {
  const path = `/episode?language=${language}&theme=${theme}&component_id=8`;
  testInTab(`axe finds nothing in ${path}`, { viewport, path }, async (t, page) => {
    t.strictSame(await accessibilityProblems(page), []);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
  });
}
