/**
 * The hours of a month by days: a table with a row for each local day and a column for each hour of the clock.
 *
 * Clocks change: a day in spring lacks an hour, which is shown as one that there is not; a day in autumn has one twice,
 * and both values are in its cell.
 */
import { html } from '../../../html.js';
import { isDirection, isSummed, prettyUnit } from '../../../../snapshot/domain/units.js';
import type { Window } from '../../../../snapshot/domain/model.js';
import { HOUR_MS, type HourInterval } from '../../../../snapshot/domain/windows.js';
import type { Messages } from '../../../../texts/messages.js';
import { escapeMarkup } from '../../../xml.js';
import { DAY_HOURS } from '../clock.js';
import { colorOf, legendOf, type ColorScale } from '../color-scale.js';
import type { Formatters } from '../formatters.js';
import type { HourlyValue, PortalComponent } from '../portal-model.js';
import { coverageOf } from '../statistics.js';
import { compassOf, prevailingDirection, sectorOf } from './direction.js';
import { localDays, wholeDay, type ClockHour } from './days.js';

/** Where the wind blows that comes from each of the eight points of the compass. */
const ARROWS = ['↓', '↙', '←', '↖', '↑', '↗', '→', '↘'] as const;

interface CalendarOptions {
  readonly component: PortalComponent;
  /** Ascending by hour. */
  readonly points: readonly HourlyValue[];
  readonly interval: HourInterval;
  /** The window that the interval is. */
  readonly window: Window;
  readonly scale: ColorScale;
  readonly timeZone: string;
  readonly texts: Messages;
  readonly format: Formatters;
  /** A link to the chart of a whole day of the clock. */
  readonly linkTo: (day: HourInterval) => string;
}

/** Heads of the columns. */
const HOURS_HEAD = Array.from({ length: DAY_HOURS }, (_, hour) => {
  const major = hour % 6 === 0 && html` class="major"`;
  return html`<th scope="col"${major}>${String(hour).padStart(2, '0')}</th>`;
});

type CellValue = Readonly<Record<'color' | 'markup', string>>;

/** Undefined where there is no value. */
export function viewCalendar(options: CalendarOptions) {
  const { component, points, interval, window, scale, timeZone, texts, format, linkTo } = options;
  if (points.length === 0) return undefined;
  const isCompass = isDirection(component);
  /** Class and content of a value; instead of the name of a direction, which is for those who listen, its arrow is seen. */
  const viewValue = (value: number): CellValue => {
    if (!isCompass)
      return { color: colorOf(value, scale), markup: escapeMarkup(format.shortNumber(value)) };
    const arrow = `<span aria-hidden="true">${ARROWS[sectorOf(value)] ?? ''}</span>`;
    const name = escapeMarkup(compassOf(texts)[sectorOf(value)] ?? '');
    return { color: 'wind', markup: `${arrow}<span class="visually-hidden">${name}</span>` };
  };
  const days = localDays(options, format).map((day) => ({
    weekday: format.weekday(day.firstHour * HOUR_MS),
    label: format.day(day.firstHour * HOUR_MS),
    href: linkTo(wholeDay(day)),
    cells: day.cells.map((hours) => cellOf(hours, viewValue, format)).join(''),
    summary: summaryOf(
      day.cells.flatMap((hours) => hours.flatMap(({ value }) => value ?? [])),
      options,
    ),
  }));
  return {
    days,
    /** The same as markup. */
    rows: days
      .map(
        ({ weekday, label, href, cells, summary }) =>
          `\n<tr><th scope="row"><a href="${escapeMarkup(href)}"><span class="weekday">${escapeMarkup(weekday)}</span> ${escapeMarkup(label)}</a></th>${cells}<td class="day-summary">${escapeMarkup(summary)}</td></tr>`,
      )
      .join(''),
    hours: HOURS_HEAD,
    summaryLabel: texts(isCompass ? 'prevailing' : isSummed(component) ? 'sum' : 'highest'),
    title: texts('calendar', { window: texts(`window-${window}`) }),
    caption: `${texts('calendar-caption', { zone: timeZone })}: ${coverageOf(points, options)}.`,
    unit: prettyUnit(component.unit),
    hasGaps: points.length < interval.to - interval.from,
    legend: isCompass ? [] : legendOf(scale, format),
    isCompass,
  };
}

/**
 * One cell as markup: a template takes 20 ms for the 720 of a month.
 */
function cellOf(
  hours: readonly ClockHour[],
  viewValue: (value: number) => CellValue,
  format: Formatters,
): string {
  const isTwice = hours.length > 1;
  // For a script that reads out the cell: a time that the head of its column does not say.
  const timeOf = ({ hour, pastMs }: ClockHour): string =>
    isTwice || pastMs > 0
      ? ` data-time="${escapeMarkup(format.moment(hour * HOUR_MS, hour * HOUR_MS).text)}"`
      : '';
  const values = hours.flatMap((one) =>
    one.value === undefined ? [] : { ...viewValue(one.value), time: timeOf(one) },
  );
  const [first] = values;
  if (values.length > 1) {
    const both = values.map(
      ({ color, time, markup }) => `<span class="${color}"${time}>${markup}</span>`,
    );
    return `<td class="twice">${both.join(' ')}</td>`;
  }
  if (first !== undefined) return `<td class="${first.color}"${first.time}>${first.markup}</td>`;
  const [missing] = hours;
  // Clocks have skipped this hour.
  if (missing === undefined) return '<td class="skipped"></td>';
  // Without a value, or before or after the interval.
  return hours.some(({ isInside }) => isInside)
    ? `<td class="gap"${isTwice ? '' : timeOf(missing)}>–</td>`
    : '<td class="outside"></td>';
}

/** The highest value of a day, the sum of amounts, or where the wind mostly came from; empty where there is no value. */
function summaryOf(
  values: readonly number[],
  { component, texts, format }: CalendarOptions,
): string {
  if (values.length === 0) return '';
  if (isSummed(component)) return format.sum(values);
  if (!isDirection(component)) return format.shortNumber(Math.max(...values));
  const points = values.map((value) => ({ value }));
  return prevailingDirection(points, compassOf(texts))?.point ?? '';
}
