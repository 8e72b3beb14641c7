/** The nights on which clocks change, in five places: what axes, hours and comparisons say of them. */
import t, { type Test } from 'tap';
import type { Window } from '../../../../../src/snapshot/domain/model.js';
import { HOUR_MS, windowHours } from '../../../../../src/snapshot/domain/windows.js';
import { messagesOf, LANGUAGES } from '../../../../../src/texts/texts.js';
import { CHART_SIZE } from '../../../../../src/views/pages/page.js';
import { daysOf } from '../../../../../src/views/pages/portal/chart/local-days.js';
import { viewCalendar } from '../../../../../src/views/pages/portal/chart/heat-calendar.js';
import { viewPicture } from '../../../../../src/views/pages/portal/chart/picture.js';
import { viewPlot } from '../../../../../src/views/pages/portal/chart/plot.js';
import { colorScale } from '../../../../../src/views/pages/portal/color-scale.js';
import { formattersFor } from '../../../../../src/views/pages/portal/formatters.js';
import { usualRanges, usualStanding } from '../../../../../src/views/pages/portal/usual.js';
import { renderTemplate } from '../../../../../src/workers/formats/templates.js';
import { PM10, portalOf, stationOf } from '../portals.js';

/** The first hour after each change, UTC. */
const NIGHTS = {
  'Europe/Belgrade': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Europe/Athens': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Atlantic/Azores': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'America/Santiago': ['2026-04-05T03:00Z', '2026-09-06T04:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T16:00Z'],
} as const;
type Zone = keyof typeof NIGHTS;

const WINDOWS = ['1d', '7d', '14d', '30d'] as const satisfies readonly Window[];
const SCALE = colorScale(portalOf([], []), PM10);

function hourOf(time: string): number {
  return Date.parse(time) / HOUR_MS;
}

/** The clock of a place, calculated in another way than the service's. */
function clockIn(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const read = (ms: number) => {
    const [date = '', time = ''] = format.format(ms).split(' ');
    return { date, time, clockHour: Number(time.slice(0, 2)) };
  };
  const known = new Map<number, ReturnType<typeof read>>();
  return (ms: number) => {
    const shown = known.get(ms) ?? read(ms);
    known.set(ms, shown);
    return shown;
  };
}

type Clock = ReturnType<typeof clockIn>;
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
        for (const window of WINDOWS) {
          const interval = windowHours(window, (hourOf(night) + after) * HOUR_MS);
          const expected = (window === '1d' ? [3, 6, 12, 24] : [24]).map((distance) =>
            beginnings(interval, clock, distance),
          );
          const check = (
            axis: ReturnType<typeof viewPlot> | undefined,
            format: ReturnType<typeof formattersFor>,
            name: string,
          ): void => {
            for (const { ticks } of axis === undefined ? [] : [axis, ...axis.narrower]) {
              axes += 1;
              const wrong = faultsOf(ticks, { interval, clock, format, expected });
              if (wrong.length > 0) {
                t.same(wrong, [], `${zone}, ${window}, ${after} after ${night}, ${name}`);
              }
            }
          };
          const plotted = { points: pointsOf(interval), interval, scale: SCALE };
          // One language and one width after the other.
          const language = LANGUAGES[axes % LANGUAGES.length] ?? 'en';
          const now = formattersFor(language, zone, interval.to * HOUR_MS);
          check(viewPlot({ ...plotted, format: now }), now, language);
          const format = formattersFor(language, zone);
          const size = { width: 150 + ((axes * 37) % 1850), height: 200 };
          check(
            viewPlot({ ...plotted, format, size }),
            format,
            `${language}, ${size.width} pixels`,
          );
        }
      }
    }
  }
  t.ok(axes > 900, `${axes} axes`);
});

type Ticks = NonNullable<ReturnType<typeof viewPlot>>['ticks'];

function faultsOf(
  ticks: Ticks,
  {
    interval: { from },
    clock,
    format,
    expected,
  }: {
    readonly interval: Interval;
    readonly clock: Clock;
    readonly format: ReturnType<typeof formattersFor>;
    /** Allowed distances of an axis of hours; for days one list, any number of which is allowed. */
    readonly expected: readonly (readonly number[])[];
  },
): readonly string[] {
  const times = ticks.map(({ hours, label, below }) => {
    const ms = Math.round((from + hours) * HOUR_MS);
    return { ms, label, below, ...clock(ms) };
  });
  const moments = times.map(({ ms }) => ms).join();
  const [days = []] = expected;
  const step = days.indexOf(times[1]?.ms ?? NaN);
  const isKnown =
    expected.some((all) => all.join() === moments) ||
    (expected.length === 1 &&
      days.filter((_, at) => at % (step < 0 ? days.length : step) === 0).join() === moments);
  return [
    ...(ticks.length === 0 ? ['no tick'] : []),
    ...(isKnown ? [] : [`not these: ${times.map(({ label }) => label).join()}`]),
    ...(new Set(ticks.map(({ label }) => label)).size < ticks.length ? ['one label twice'] : []),
    ...times.flatMap(({ ms, date, time, label, below }, at) => {
      const isFirst = date !== times[at - 1]?.date;
      const hasBegun = clock(ms - HOUR_MS / 2).date === date;
      const named = isFirst ? label.startsWith(format.day(ms)) : label === time;
      const timed = below.startsWith(time) === (isFirst && hasBegun);
      return named && timed ? [] : [`${label} ${below} at ${date} ${time}`];
    }),
  ];
}

void t.test('no two texts of an axis cover each other, at any size of a picture', async (t) => {
  const stations = [stationOf(1, { componentIds: [5] }), stationOf(2, { componentIds: [5] })];
  const portal = portalOf([PM10], stations);
  let pictures = 0;
  for (const zone of Object.keys(NIGHTS) as Zone[]) {
    for (const night of NIGHTS[zone]) {
      for (const window of WINDOWS) {
        for (const at of [0, 3, 10]) {
          const width = CHART_SIZE.min + ((pictures * 83) % (CHART_SIZE.max - CHART_SIZE.min + 1));
          const height = CHART_SIZE.min + ((pictures * 29) % 500);
          const interval = windowHours(window, (hourOf(night) + at) * HOUR_MS);
          const language = LANGUAGES[pictures % LANGUAGES.length] ?? 'en';
          const [series, compared] = stations.map((station) => ({
            station,
            component: PM10,
            interval,
            points: pointsOf(interval),
          }));
          if (series === undefined) continue;
          const picture = viewPicture({
            request: {
              language,
              theme: 'light',
              stationId: 1,
              componentId: 5,
              compare: undefined,
              period: window,
              width,
              height,
              isOld: at % 2 === 0,
            },
            timeZone: zone,
            portal,
            series,
            compared: at % 3 === 0 && compared ? [compared] : [],
            longest: undefined,
          });
          pictures += 1;
          compareTexts(t, renderTemplate('chart', { page: picture }), {
            box: picture.box,
            name: `${zone}, ${window} until ${at} hours after ${night}, ${width} x ${height}, ${language}`,
          });
        }
      }
    }
  }
  t.ok(pictures > 100, `${pictures} pictures`);
});

/** Compares the texts of times and of values; none sticks out of the picture. */
function compareTexts(
  t: Test,
  svg: string,
  { box, name }: { readonly box: { readonly width: number }; readonly name: string },
): void {
  const [, originX = '0'] = /<g transform="translate\(([\d.]+),/.exec(svg) ?? [];
  const texts = [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)]
    .map(([, attributes = '', text = '']) => {
      const of = (key: string): string =>
        new RegExp(`(?:^| )${key}="([^"]*)"`).exec(attributes)?.[1] ?? '';
      const isRule = of('class') === 'rule-label';
      const anchor = isRule ? 'end' : of('text-anchor');
      // Rather too wide for digits and narrow signs, which these texts consist of.
      const width = Array.from(text).reduce(
        (sum, sign) => sum + (/[ .,:]/.test(sign) ? 4.2 : 7.7),
        0,
      );
      const left = Number(of('x')) - width * ({ start: 0, middle: 0.5, end: 1 }[anchor] ?? NaN);
      const y = Number(of('y')) + Number(of('dy') || 0);
      return { text, left, right: left + width, top: y - 10, bottom: y + 3, name: of('class') };
    })
    .filter(({ left }) => !Number.isNaN(left));
  const covering = texts.flatMap((a, at) =>
    texts
      .slice(at + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} and ${b.text}`),
  );
  const outside = texts
    .filter(({ left, right }) => Number(originX) + left < 0 || Number(originX) + right > box.width)
    .map(({ text }) => `${text} sticks out`);
  const wrong = [...covering, ...outside];
  if (wrong.length > 0) t.same(wrong, [], name);
}

void t.test('an hour in which the clock changes names both offsets, in words too', async (t) => {
  const spans = Object.entries(NIGHTS).flatMap(([zone, nights]) => {
    const format = formattersFor('en', zone, Date.UTC(2026, 6));
    return nights.map((night) => format.hourSpan(hourOf(night) - 1).text);
  });
  t.same(spans, [
    '01:00 CET–03:00 CEST, 29 Mar',
    '02:00 CEST–02:00 CET, 25 Oct',
    '02:00 EET–04:00 EEST, 29 Mar',
    '03:00 EEST–03:00 EET, 25 Oct',
    '23:00 GMT-1–01:00 GMT+0, 28 Mar',
    '00:00 GMT+0–00:00 GMT-1, 25 Oct',
    '23:00 GMT-3–23:00 GMT-4, 4 Apr',
    '23:00 GMT-4–01:00 GMT-3, 5 Sept',
    '01:00 GMT+11–01:30 GMT+10:30, 5 Apr',
    '01:30 GMT+10:30–03:00 GMT+11, 4 Oct',
  ]);
  const belgrade = formattersFor('en', 'Europe/Belgrade', Date.UTC(2026, 6));
  const night = hourOf(NIGHTS['Europe/Belgrade'][1]);
  t.equal(belgrade.hourSpan(night - 2).text, '01:00–02:00, 25 Oct, CEST');
  t.equal(belgrade.hourSpan(night).text, '02:00–03:00, 25 Oct, CET');
  t.equal(belgrade.moment((night - 1) * HOUR_MS).text, '25 Oct, 02:00 CEST');
  t.equal(belgrade.moment(night * HOUR_MS).text, '25 Oct, 02:00 CET');
  t.equal(belgrade.moment(night * HOUR_MS, night * HOUR_MS).text, '02:00 CET');
  t.equal(belgrade.moment((night + 1) * HOUR_MS).text, '25 Oct, 03:00');
  t.equal(belgrade.fullMoment(night * HOUR_MS).text, '25 October 2026 at 02:00 CET');
});

void t.test('whatever hour it is, no span has one name for two offsets', async (t) => {
  for (const timeZone of [...Object.keys(NIGHTS), 'Asia/Kathmandu', 'Antarctica/Troll', 'UTC']) {
    const zones = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    const offsetOf = (hour: number): string => zones.format(hour * HOUR_MS).split(', ')[1] ?? '';
    const clock = clockIn(timeZone);
    for (const language of LANGUAGES) {
      const format = formattersFor(language, timeZone, Date.UTC(2026, 6));
      const said = new Map<string, number>();
      const changes = [NIGHTS['Europe/Belgrade'], NIGHTS['America/Santiago']].flat().map(hourOf);
      const hours = changes.flatMap((change) => pointsOf({ from: change - 40, to: change + 40 }));
      for (const { hour } of hours) {
        const { text } = format.hourSpan(hour);
        const [from, to] = [clock(hour * HOUR_MS).time, clock((hour + 1) * HOUR_MS).time];
        const parts = text.split(/–|, /);
        const isEven = offsetOf(hour) === offsetOf(hour + 1);
        if (isEven ? parts[0] !== from || parts[1] !== to : parts[0] === from || parts[1] === to) {
          t.fail(`${timeZone}, ${language}: ${text}`);
        }
        const { text: moment } = format.moment(hour * HOUR_MS);
        if (said.has(moment)) t.fail(`${timeZone}, ${language}: ${moment} is said of two hours`);
        said.set(moment, hour);
      }
      t.equal(said.size, hours.length);
    }
  }
});

void t.test('an hour is compared with the same hour of the clock on other days', async (t) => {
  for (const zone of Object.keys(NIGHTS) as Zone[]) {
    const clock = clockIn(zone);
    const format = formattersFor('en', zone);
    for (const night of NIGHTS[zone]) {
      const to = hourOf(night) + 30;
      const interval = { from: to - 720, to };
      // Each hour of the clock has its own value on every day.
      const points = Array.from({ length: 720 }, (_, at) => {
        const hour = interval.from + at;
        return { hour, value: clock(hour * HOUR_MS).clockHour };
      });
      const ranges = usualRanges({ points, interval }, format);
      t.same(
        ranges,
        Array.from({ length: 24 }, (_, clockHour) => [clockHour, clockHour]),
        `${zone}, ${night}`,
      );
      for (const point of points.slice(-40)) {
        const standing = usualStanding(
          { ...point, value: 99 },
          { points, interval },
          { usual: ranges, format },
        );
        const { time, clockHour } = clock(point.hour * HOUR_MS);
        const end = `${String((clockHour + 1) % 24).padStart(2, '0')}${time.slice(2)}`;
        const said = format.clockHour(point.hour);
        if (
          standing?.side !== 'higher' ||
          standing.lower !== standing.days ||
          said !== `${time}–${end}`
        )
          t.fail(`${said} at ${time}`);
      }
      const calendar = viewCalendar({
        component: PM10,
        points,
        interval,
        days: daysOf({ points, interval }, format),
        window: '30d',
        linkTo: () => '',
        scale: SCALE,
        timeZone: zone,
        texts: messagesOf('en', 'portal'),
        format,
      });
      t.match(calendar?.caption, `hour of the clock from 0 to 23 (${zone})`);
      for (const { cells } of calendar?.days ?? []) {
        const values = [...cells.text.matchAll(/<td class="[^"]*"[^>]*>(.*?)<\/td>/g)];
        if (values.length !== 24) t.fail(cells.text);
        for (const [clockHour, [, markup = '']] of values.entries()) {
          const shown = [...markup.matchAll(/(?:^|>)(\d+)(?:<|$)/g)].map(([, value]) => value);
          if (shown.some((value) => Number(value) !== clockHour))
            t.fail(`${markup} at ${clockHour}`);
        }
      }
    }
  }
});

void t.test('the other hour of the same clock and day is no other day', async (t) => {
  const format = formattersFor('en', 'Europe/Belgrade');
  const hour = hourOf('2026-10-25T01:00Z');
  const interval = { from: hour - 719, to: hour + 1 };
  const points = pointsOf(interval).map((one) => ({
    hour: one.hour,
    value: one.hour === hour - 1 ? 100 : 5,
  }));
  const usual = usualRanges({ points, interval }, format);
  t.match(usualStanding({ hour, value: 50 }, { points, interval }, { usual, format }), {
    side: 'higher',
    days: 29,
    lower: 29,
    higher: 0,
  });
});

void t.test('the month by hours tells two equal hours apart', async (t) => {
  const timesOf = (timeZone: string, night: string): readonly string[] => {
    const to = hourOf(night) + 40;
    const interval = { from: to - 96, to };
    const points = pointsOf(interval);
    const format = formattersFor('en', timeZone);
    const calendar = viewCalendar({
      component: PM10,
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
    const cells = (calendar?.days ?? []).map((day) => day.cells.text).join('');
    return [...cells.matchAll(/data-time="([^"]*)"/g)].map(([, time = '']) => time);
  };
  t.same(timesOf('Europe/Belgrade', '2026-10-25T01:00Z'), ['02:00 CEST', '02:00 CET']);
  t.same(timesOf('Europe/Belgrade', '2026-03-29T01:00Z'), []);
  t.same(timesOf('Australia/Lord_Howe', '2026-04-04T15:00Z').slice(0, 3), [
    '01:00',
    '01:30 GMT+10:30',
    '02:30',
  ]);
});
