/** The month by hours: days of the page's zone, hours that clocks skip and repeat, hours without a value. */
import t from 'tap';
import { messagesOf } from '../../../../../src/texts/texts.js';
import { daysOf } from '../../../../../src/views/pages/portal/chart/local-days.js';
import { viewCalendar } from '../../../../../src/views/pages/portal/chart/heat-calendar.js';
import { colorScale } from '../../../../../src/views/pages/portal/color-scale.js';
import { formattersFor } from '../../../../../src/views/pages/portal/formatters.js';
import { PM10, portalOf } from '../portals.js';

const HOUR_MS = 3_600_000;
const HOURS = 3 * 24;

/** The rows of three days until `toMs`, UTC, whose values count up from 0; `missing` are those without one. */
function daysUntil(
  toMs: number,
  timeZone: string,
  missing: readonly number[] = [],
  unit = 'ug/m3',
) {
  const to = toMs / HOUR_MS;
  const points = Array.from({ length: HOURS }, (_, index) => ({
    hour: to - HOURS + index,
    value: index,
  })).filter((_, index) => !missing.includes(index));
  const interval = { from: to - HOURS, to };
  const format = formattersFor('en', timeZone);
  const calendar = viewCalendar({
    component: { ...PM10, unit },
    points,
    interval,
    days: daysOf({ points, interval }, format),
    scale: colorScale(portalOf([], []), PM10),
    window: '30d',
    linkTo: () => '',
    timeZone,
    texts: messagesOf('en', 'portal'),
    format,
  });
  return (calendar?.days ?? []).map(({ label, cells, summary }) => ({
    label,
    summary,
    cells: [...cells.text.matchAll(/<td class="([^"]*)">(.*?)<\/td>/g)].map(
      ([, name = '', text = '']) =>
        name === 'twice' ? text.replaceAll(/<[^>]*>/g, '') : text || name,
    ),
  }));
}

void t.test('an hour that clocks skip is none, and not a missing value', async (t) => {
  const days = daysUntil(Date.UTC(2026, 2, 30, 22), 'Europe/Belgrade', [30]);
  const spring = days.find(({ label }) => label === '29 Mar')?.cells ?? [];
  t.equal(spring.length, 24);
  t.same(spring.slice(0, 5), ['25', '26', 'skipped', '27', '28']);
  t.equal(spring.filter((text) => text === 'skipped').length, 1);
  t.equal(spring[6], '–', 'a missing value');
});

void t.test('hours before and after the interval are neither', async (t) => {
  const days = daysUntil(Date.UTC(2026, 5, 10, 12), 'UTC');
  t.equal(days.length, 4);
  t.same(new Set(days[0]?.cells.slice(0, 12)), new Set(['outside']));
  t.same(new Set(days[3]?.cells.slice(12)), new Set(['outside']));
});

void t.test('directions are arrows to where the wind blows, named by its origin', async (t) => {
  const days = daysUntil(Date.UTC(2026, 5, 11), 'UTC', [], 'deg');
  const [first = ''] = days[0]?.cells ?? [];
  t.match(first, '<span aria-hidden="true">↓</span>');
  t.match(first, '<span class="visually-hidden">N</span>');
  t.equal(days[2]?.summary, 'NE', 'most of 48 to 71 degrees');
});
