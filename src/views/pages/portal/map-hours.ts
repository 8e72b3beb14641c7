/** The hours that map and list can show, in the last 24 hours or on an earlier day, and their choices. */
import { html, type Markup } from '../../html.js';
import {
  HOUR_MS,
  retainedHours,
  windowHours,
  type HourInterval,
} from '../../../snapshot/domain/windows.js';
import type { PortalState } from '../page.js';
import { localHours } from '../../../snapshot/domain/zone-clock.js';
import type { PortalContext } from './context.js';
import { isoMinute, type Formatters } from './formatters.js';
import type { Portal } from './portal-model.js';

/** The last 24 hours; for an earlier hour, its local day; for an hour outside of the snapshot, that hour alone. */
export function dayAround(
  hour: number | undefined,
  { header }: Portal,
  format: Formatters,
): HourInterval {
  const last = windowHours('1d', header);
  const held = retainedHours(header);
  if (hour === undefined || (hour >= last.from && hour < last.to)) return last;
  if (hour < held.from || hour >= held.to) return { from: hour, to: hour + 1 };
  const { day } = format.local(hour);
  const hours = localHours(held, format).filter((one) => one.day === day);
  return { from: hours[0]?.hour ?? hour, to: (hours.at(-1)?.hour ?? hour) + 1 };
}

/** The hours of the day until the newest hour or a later chosen one, ascending. */
export function hoursOfMap(
  { from, to }: HourInterval,
  newest: number | undefined,
  { hour }: PortalState,
): readonly number[] {
  const last = Math.min(Math.max(newest ?? from, hour ?? from), to - 1);
  return Array.from({ length: last - from + 1 }, (_, at) => from + at);
}

/** Choices of the hour, of which the newest needs no parameter; undefined for fewer than two hours. */
export function viewHours(
  hours: readonly number[],
  newest: number | undefined,
  { state, format }: PortalContext,
) {
  const chosen = state.hour ?? newest;
  if (chosen === undefined || hours.length < 2) return undefined;
  const textOf = (hour: number): string => format.hourSpan(hour).text;
  return {
    choices: hours.map((hour) =>
      optionOf(hour === newest ? undefined : hour, hour === chosen, textOf(hour)),
    ),
    last: hours.length - 1,
    chosen: hours.indexOf(chosen),
    text: textOf(chosen),
  };
}

type DayChoice = Readonly<Record<'day' | 'hour', number>> & { readonly text: string };

/** Choices of the day: the last 24 hours, and earlier days at the same local hour. */
export function viewMapDays(
  newest: number | undefined,
  { portal, state, texts, format }: PortalContext,
) {
  const held = retainedHours(portal.header);
  const last = windowHours('1d', portal.header);
  const { hour = newest ?? held.to - 1 } = state;
  const { day: shown, clockHour } = format.local(hour);
  const isEarlier = hour >= held.from && hour < last.from;
  return readDays(held, clockHour, format)
    .filter((one) => one.hour < last.from)
    .map((one) => optionOf(one.hour, one.day === shown && isEarlier, one.text))
    .concat(optionOf(undefined, hour >= last.from, texts('map-last-day')))
    .toReversed();
}

/** The given local hour of each day; if a day lacks it, the last hour before, else the first hour of the day. */
function readDays(held: HourInterval, clockHour: number, format: Formatters): readonly DayChoice[] {
  const days = new Map<number, DayChoice>();
  for (const one of localHours(held, format)) {
    if (days.has(one.day) && one.clockHour > clockHour) continue;
    const ms = one.hour * HOUR_MS;
    const text = `${format.weekday(ms)} ${format.dayOfYear(ms)}`;
    days.set(one.day, { day: one.day, hour: one.hour, text });
  }
  return [...days.values()];
}

/** @param hour undefined: the newest values. */
function optionOf(hour: number | undefined, isSelected: boolean, text: string): Markup {
  const value = hour === undefined ? '' : isoMinute(hour * HOUR_MS);
  return html`<option value="${value}"${isSelected && ' selected'}>${text}</option>`;
}

/** Why no station has a value in the chosen hour; undefined for an hour in the snapshot. */
export function missingHour({ portal, state, texts }: Omit<PortalContext, 'format'>) {
  const { hour } = state;
  const { from, to } = retainedHours(portal.header);
  if (hour === undefined || (hour >= from && hour < to)) return undefined;
  return hour < from ? texts('hour-gone', { window: texts('window-30d') }) : texts('hour-later');
}
