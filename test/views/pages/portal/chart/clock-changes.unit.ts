/** The nights on which clocks change, in five places: what axes, hours and the month by hours say of them. */
import t from 'tap';
import { HOUR_MS, windowHours } from '../../../../../src/snapshot/domain/windows.js';
import { messagesOf, LANGUAGES } from '../../../../../src/texts/texts.js';
import { daysOf } from '../../../../../src/views/pages/portal/chart/local-days.js';
import { viewCalendar } from '../../../../../src/views/pages/portal/chart/heat-calendar.js';
import { viewPlot } from '../../../../../src/views/pages/portal/chart/plot.js';
import { colorScale } from '../../../../../src/views/pages/portal/color-scale.js';
import { formattersFor } from '../../../../../src/views/pages/portal/formatters.js';
import { clockIn, PM10, portalOf, type Clock } from '../portals.js';

/** The first hour after each change, UTC. */
const NIGHTS = {
  'Europe/Belgrade': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Europe/Athens': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Atlantic/Azores': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'America/Santiago': ['2026-04-05T03:00Z', '2026-09-06T04:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T16:00Z'],
} as const;
type Zone = keyof typeof NIGHTS;

const SCALE = colorScale(portalOf([], []), PM10);

function hourOf(time: string): number {
  return Date.parse(time) / HOUR_MS;
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

const pointsOf = ({ from, to }: Interval) =>
  Array.from({ length: to - from }, (_, at) => ({ hour: from + at, value: 20 + (at % 7) }));

/** When the days of a clock begin within an interval, or equal parts of them: once each, at whatever time it is then. */
function beginnings({ from, to }: Interval, clock: Clock, distance: number): readonly number[] {
  const begun = new Set<string>();
  const moments: number[] = [];
  for (let ms = (from - 24) * HOUR_MS; ms < to * HOUR_MS; ms += HOUR_MS / 2) {
    const { date, clockHour } = clock(ms);
    const part = `${date} ${Math.floor(clockHour / distance)}`;
    if (!begun.has(part) && ms >= from * HOUR_MS) moments.push(ms);
    begun.add(part);
  }
  return moments;
}

void t.test('an axis has each day and hour of the clock once, in order', async (t) => {
  let axes = 0;
  for (const zone of Object.keys(NIGHTS) as Zone[]) {
    const clock = clockIn(zone);
    for (const night of NIGHTS[zone]) {
      for (const after of [-1, 0, 2, 24, 100]) {
        for (const window of ['1d', '7d', '14d', '30d'] as const) {
          const interval = windowHours(window, {
            generatedAtMs: (hourOf(night) + after) * HOUR_MS,
          });
          const expected = (window === '1d' ? [3, 6, 12, 24] : [24]).map((distance) =>
            beginnings(interval, clock, distance),
          );
          const plotted = { points: pointsOf(interval), interval, scale: SCALE };
          // One language and one width after the other.
          const language = LANGUAGES[axes % LANGUAGES.length] ?? 'en';
          const size = { width: 150 + ((axes * 37) % 1850), height: 200 };
          for (const [today, more] of [
            [interval.to * HOUR_MS, {}],
            [undefined, { size }],
          ] as const) {
            const format = formattersFor(language, zone, today);
            const axis = viewPlot({ ...plotted, ...more, format });
            for (const { ticks } of axis === undefined ? [] : [axis, ...axis.narrower]) {
              axes += 1;
              const wrong = faultsOf(ticks, { interval, clock, format, expected });
              const name = `${zone}, ${window}, ${after} after ${night}, ${language}`;
              if (wrong.length > 0) t.same(wrong, [], `${name}, ${JSON.stringify(more)}`);
            }
          }
        }
      }
    }
  }
  t.ok(axes > 900, `${axes} axes`);
});

interface Axis {
  readonly interval: Interval;
  readonly clock: Clock;
  readonly format: ReturnType<typeof formattersFor>;
  /** Allowed distances of an axis of hours; for days one list, any number of which is allowed. */
  readonly expected: readonly (readonly number[])[];
}

function faultsOf(
  ticks: NonNullable<ReturnType<typeof viewPlot>>['ticks'],
  { interval, clock, format, expected }: Axis,
): readonly string[] {
  const times = ticks.map(({ hours, label, below }) => {
    const ms = Math.round((interval.from + hours) * HOUR_MS);
    return { ms, label, below, ...clock(ms) };
  });
  const moments = times.map(({ ms }) => ms).join();
  const labels = ticks.map(({ label }) => label);
  const [days = []] = expected;
  const step = days.indexOf(times[1]?.ms ?? NaN);
  const isKnown =
    expected.some((all) => all.join() === moments) ||
    (expected.length === 1 &&
      days.filter((_, at) => at % (step < 0 ? days.length : step) === 0).join() === moments);
  return [
    ...(ticks.length > 0 && isKnown ? [] : [`not these: ${labels.join()}`]),
    ...(new Set(labels).size < labels.length ? ['one label twice'] : []),
    ...times.flatMap(({ ms, date, time, label, below }, at) => {
      const isFirst = date !== times[at - 1]?.date;
      const hasBegun = clock(ms - HOUR_MS / 2).date === date;
      const named = isFirst ? label.startsWith(format.day(ms)) : label === time;
      const timed = below.startsWith(time) === (isFirst && hasBegun);
      return named && timed ? [] : [`${label} ${below} at ${date} ${time}`];
    }),
  ];
}

void t.test('an hour in which the clock changes names both offsets, in words too', async (t) => {
  const spans = (['Europe/Belgrade', 'Atlantic/Azores', 'Australia/Lord_Howe'] as const).map(
    (zone) => {
      const format = formattersFor('en', zone, Date.UTC(2026, 6));
      return NIGHTS[zone].map((night) => format.hourSpan(hourOf(night) - 1).text).join(' | ');
    },
  );
  t.same(spans, [
    '01:00 CET–03:00 CEST, 29 Mar | 02:00 CEST–02:00 CET, 25 Oct',
    '23:00 GMT-1–01:00 GMT+0, 28 Mar | 00:00 GMT+0–00:00 GMT-1, 25 Oct',
    '01:00 GMT+11–01:30 GMT+10:30, 5 Apr | 01:30 GMT+10:30–03:00 GMT+11, 4 Oct',
  ]);
  const belgrade = formattersFor('en', 'Europe/Belgrade', Date.UTC(2026, 6));
  const night = hourOf(NIGHTS['Europe/Belgrade'][1]);
  t.equal(belgrade.moment(night * HOUR_MS, night * HOUR_MS).text, '02:00 CET');
  t.equal(belgrade.moment((night + 1) * HOUR_MS).text, '25 Oct, 03:00');
  t.equal(belgrade.fullMoment(night * HOUR_MS).text, '25 October 2026 at 02:00 CET');
});

void t.test('no two hours have one name', async (t) => {
  for (const timeZone of [...Object.keys(NIGHTS), 'Asia/Kathmandu', 'Antarctica/Troll', 'UTC']) {
    const changes = [NIGHTS['Europe/Belgrade'], NIGHTS['America/Santiago']].flat().map(hourOf);
    const hours = changes.flatMap((change) => pointsOf({ from: change - 40, to: change + 40 }));
    for (const language of LANGUAGES) {
      const format = formattersFor(language, timeZone, Date.UTC(2026, 6));
      const names = hours.flatMap(({ hour }) => format.moment(hour * HOUR_MS).text);
      t.equal(new Set(names).size, hours.length, `${timeZone}, ${language}`);
      const spans = hours.map(({ hour }) => format.hourSpan(hour).text);
      t.equal(new Set(spans).size, hours.length, `${timeZone}, ${language}`);
    }
  }
});

function calendarOf(
  timeZone: string,
  interval: Interval,
  { points = pointsOf(interval), component = PM10 } = {},
) {
  const format = formattersFor('en', timeZone);
  return viewCalendar({
    component,
    points,
    interval,
    days: daysOf({ points, interval }, format),
    window: '30d',
    linkTo: () => '',
    scale: SCALE,
    timeZone,
    texts: messagesOf('en', 'portal'),
    format,
  });
}

void t.test('the month by hours tells two equal hours apart', async (t) => {
  const timesOf = (timeZone: string, night: string): readonly string[] => {
    const to = hourOf(night) + 40;
    const interval = { from: to - 96, to };
    const calendar = calendarOf(timeZone, interval);
    const cells = (calendar?.days ?? []).map((day) => day.cells.text).join('');
    return [...cells.matchAll(/data-time="([^"]*)"/g)].map(([, time = '']) => time);
  };
  t.same(timesOf('Europe/Belgrade', '2026-10-25T01:00Z'), ['02:00 CEST', '02:00 CET']);
  t.same(timesOf('Europe/Belgrade', '2026-03-29T01:00Z'), []);
  const first = ['01:00', '01:30 GMT+10:30', '02:30'];
  t.same(timesOf('Australia/Lord_Howe', '2026-04-04T15:00Z').slice(0, 3), first);
});

/** Rows of three days until `to`, whose values count up from 0; `missing` is the one without a value. */
function daysUntil(timeZone: string, to: number, { missing = -1, unit = 'ug/m3' } = {}) {
  const interval = { from: to - 72, to };
  const points = pointsOf(interval)
    .map(({ hour }, value) => ({ hour, value }))
    .filter(({ value }) => value !== missing);
  const calendar = calendarOf(timeZone, interval, { points, component: { ...PM10, unit } });
  return (calendar?.days ?? []).map(({ cells, summary }) => ({
    summary,
    cells: Array.from(
      cells.text.matchAll(/<td class="([^"]*)">(.*?)<\/td>/g),
      ([, name, text]) => text || name,
    ),
  }));
}

void t.test('the month by hours has hours without a value, and hours that are none', async (t) => {
  const spring = daysUntil('Europe/Belgrade', hourOf('2026-03-30T22:00Z'), { missing: 30 })[2];
  t.same(spring?.cells.slice(0, 7), ['25', '26', 'skipped', '27', '28', '29', '–']);
  const days = daysUntil('UTC', hourOf('2026-06-10T12:00Z'));
  const outside = Array.from({ length: 12 }, () => 'outside');
  t.same([days[0]?.cells.slice(0, 12), days[3]?.cells.slice(12)], [outside, outside]);
  // Directions are arrows to where the wind blows, named by its origin.
  const wind = daysUntil('UTC', hourOf('2026-06-11T00:00Z'), { unit: 'deg' });
  t.match(wind[0]?.cells[0], '<span aria-hidden="true">↓</span>');
  t.match(wind[0]?.cells[0], '<span class="visually-hidden">N</span>');
  t.equal(wind[2]?.summary, 'NE', 'most of 48 to 71 degrees');
});
