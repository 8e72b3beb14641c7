/** The hours of a month: a table with a row for each local day and a column for each hour of the clock. */
import { html, type Markup } from '../../../html.js';
import { isDirection, isSummed, prettyUnit } from '../../../../snapshot/domain/units.js';
import type { Window } from '../../../../snapshot/domain/model.js';
import { HOUR_MS, type HourInterval } from '../../../../snapshot/domain/windows.js';
import { DAY_HOURS } from '../../../../snapshot/domain/zone-clock.js';
import { colorOf, legendOf, type ColorScale } from '../color-scale.js';
import type { Wording } from '../context.js';
import type { Formatters } from '../formatters.js';
import type { HourlyValue, PortalComponent } from '../portal-model.js';
import { coverageOf } from '../statistics.js';
import { compassOf, prevailingDirection, sectorOf } from './direction.js';
import { valuesOf, type ClockHour, type Day } from './local-days.js';

/** Arrows by compass point: the wind comes from that point and goes where the arrow points. */
const ARROWS = ['↓', '↙', '←', '↖', '↑', '↗', '→', '↘'] as const;

interface CalendarOptions extends Wording {
  readonly component: PortalComponent;
  readonly points: readonly HourlyValue[];
  readonly interval: HourInterval;
  readonly days: readonly Day[];
  readonly window: Window;
  readonly scale: ColorScale;
  readonly timeZone: string;
  /** A link to the chart of a local day. */
  readonly linkTo: (day: HourInterval) => string;
}

const HOURS_HEAD = Array.from({ length: DAY_HOURS }, (_, hour) => {
  const major = hour % 6 === 0 && html` class="major"`;
  return html`<th scope="col"${major}>${String(hour).padStart(2, '0')}</th>`;
});

interface CellValue {
  readonly color: string;
  readonly shown: string | Markup;
}

/** The calendar of a component; undefined without values. */
export function viewCalendar(options: CalendarOptions) {
  const { component, points, interval, window, scale, timeZone, texts, format, linkTo } = options;
  if (points.length === 0) return undefined;
  const isCompass = isDirection(component);
  /** A direction is shown as an arrow, with its name for screen readers; any other value as a number in its colour. */
  const viewValue = (value: number): CellValue => {
    if (!isCompass) return { color: colorOf(value, scale), shown: format.shortNumber(value) };
    const sector = sectorOf(value);
    return {
      color: 'wind',
      shown: html`<span aria-hidden="true">${ARROWS[sector]}</span><span class="visually-hidden">${compassOf(texts)[sector]}</span>`,
    };
  };
  const days = options.days.map((day) => ({
    weekday: format.weekday(day.firstHour * HOUR_MS),
    label: format.day(day.firstHour * HOUR_MS),
    href: linkTo(day.whole),
    cells: html`${day.cells.map((hours) => cellOf(hours, viewValue, format))}`,
    summary: summaryOf(day, options),
  }));
  return {
    days,
    rows: days.map(
      ({ weekday, label, href, cells, summary }) => html`
<tr><th scope="row"><a href="${href}"><span class="weekday">${weekday}</span> ${label}</a></th>${cells}<td class="day-summary">${summary}</td></tr>`,
    ),
    hours: HOURS_HEAD,
    summaryLabel: texts(isCompass ? 'prevailing' : isSummed(component) ? 'sum' : 'highest'),
    title: texts('calendar', { window: texts(`window-${window}`) }),
    caption: `${texts('calendar-caption', { zone: timeZone })}: ${coverageOf(points, options)}.`,
    unit: prettyUnit(component.unit),
    hasGaps: points.length < interval.to - interval.from,
    legend: isCompass ? [] : legendOf(scale, texts, format),
    isCompass,
  };
}

/** The cell of one hour of the clock; at a clock change the hour is skipped, or has two values. */
function cellOf(
  hours: readonly ClockHour[],
  viewValue: (value: number) => CellValue,
  format: Formatters,
): Markup {
  // The clock skips this hour.
  if (hours.length === 0) return SKIPPED;
  const isTwice = hours.length > 1;
  // For a script that reads out cells: the time of the value, where it differs from the column's.
  const timeOf = ({ hour, pastMs }: ClockHour): Markup | false =>
    (isTwice || pastMs > 0) &&
    html` data-time="${format.moment(hour * HOUR_MS, hour * HOUR_MS).text}"`;
  const [first, ...others] = hours.filter((one) => one.value !== undefined);
  if (first?.value === undefined) {
    // No hour of the cell has a value: the cell is a gap, or outside of the interval.
    return hours.some(({ isInside }) => isInside)
      ? html`<td class="gap"${!isTwice && hours[0] && timeOf(hours[0])}>–</td>`
      : OUTSIDE;
  }
  const { color, shown } = viewValue(first.value);
  if (others.length === 0) return html`<td class="${color}"${timeOf(first)}>${shown}</td>`;
  const both = [first, ...others].map((one, at) => {
    const { color, shown } = viewValue(one.value ?? NaN);
    return html`${at > 0 && ' '}<span class="${color}"${timeOf(one)}>${shown}</span>`;
  });
  return html`<td class="twice">${both}</td>`;
}

const SKIPPED = html`<td class="skipped"></td>`;
const OUTSIDE = html`<td class="outside"></td>`;

/** The highest value of a day, the sum of amounts, or the prevailing direction; empty without a value. */
function summaryOf(day: Day, { component, texts, format }: CalendarOptions): string {
  const values = valuesOf(day);
  if (values.length === 0) return '';
  if (isSummed(component)) return format.sum(values);
  if (!isDirection(component)) return format.shortNumber(Math.max(...values));
  return prevailingDirection(day.points, compassOf(texts))?.point ?? '';
}
