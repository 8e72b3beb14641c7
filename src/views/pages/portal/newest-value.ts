/** Template context of a station's newest value: its hour, what it was before, its rank in the network, and what is usual here. */
import type { Messages } from '../../../texts/messages.js';
import { compassOf, isDirection, sectorOf } from './chart/direction.js';
import { colorOf, isPollutant, type ColorScale } from './color-scale.js';
import type { Formatters } from './formatters.js';
import { prettyUnit } from './notation.js';
import {
  currentValue,
  isLate,
  newestHour,
  type HourlyValue,
  type Portal,
  type PortalComponent,
  type StationSeries,
} from './portal-model.js';
import { standingsOf, type Standing, type UsualRange } from './usual.js';

interface NewestOptions {
  readonly portal: Portal;
  readonly component: PortalComponent;
  /** Of the component at the station, in the longest window. */
  readonly longest: StationSeries;
  /** Name of that window. */
  readonly longestName: string;
  /** By hour of the clock. */
  readonly usual: readonly (UsualRange | undefined)[];
  readonly scale: ColorScale;
  readonly texts: Messages;
  readonly format: Formatters;
}

/** Undefined where the station has no value of the component. */
export function viewNewest(options: NewestOptions) {
  const { portal, component, longest, scale, texts, format } = options;
  const { station } = longest;
  const newest = station.latest.get(component.id);
  if (newest === undefined) return undefined;
  const isCurrent = currentValue(portal, station, component.id) !== undefined;
  const isWind = isDirection(component);
  return {
    value: isWind ? compassOf(texts)[sectorOf(newest.value)] : format.number(newest.value),
    unit: isWind
      ? `${format.number(newest.value)}${prettyUnit(component.unit)}`
      : prettyUnit(component.unit),
    color: isCurrent && isPollutant(component) ? colorOf(newest.value, scale) : undefined,
    hour: format.hourSpan(newest.hour),
    isCurrent,
    isLate: isLate(newest, newestHour(portal, component.id)),
    /** Not of directions: none is the higher one. */
    sentences: isWind
      ? []
      : [
          [changeOf(newest, options), rankOf(newest, options)],
          [usualRangeOf(newest, options)],
          standingsText(newest, options),
        ]
          .map((one) => one.filter((text) => text !== undefined).join(' '))
          .filter((text) => text !== ''),
  };
}

function changeOf(
  { hour, value }: HourlyValue,
  { longest, component, texts, format }: NewestOptions,
): string | undefined {
  const before = longest.points.find((point) => point.hour === hour - 1);
  if (before === undefined) return undefined;
  const change = format.difference(value, before.value);
  return value === before.value
    ? texts('change-none')
    : texts('change', { change: `${change} ${prettyUnit(component.unit)}`.trimEnd() });
}

/** Among the stations that have a value of the newest hour; the place is counted from the nearer end. */
function rankOf(
  newest: HourlyValue,
  { portal, component, texts, format }: NewestOptions,
): string | undefined {
  if (newestHour(portal, component.id) !== newest.hour) return undefined;
  const values = portal.stations.flatMap(({ latest }) => {
    const one = latest.get(component.id);
    return one?.hour === newest.hour ? one.value : [];
  });
  const higher = values.filter((value) => value > newest.value).length;
  const lower = values.filter((value) => value < newest.value).length;
  if (higher + lower === 0) return undefined;
  const side = higher <= lower ? 'highest' : 'lowest';
  const place = 1 + Math.min(higher, lower);
  return place === 1
    ? texts(`rank-${side}`, { count: values.length })
    : texts(`rank-${side}-place`, { place, ordinal: format.ordinal(place), count: values.length });
}

function usualRangeOf(
  { hour }: HourlyValue,
  { component, usual, texts, format }: NewestOptions,
): string | undefined {
  const range = usual[format.local(hour).clockHour];
  if (range === undefined) return undefined;
  const high = `${format.number(range[1])} ${prettyUnit(component.unit)}`.trimEnd();
  return texts('usual-range', { hour: format.clockHour(hour), low: format.number(range[0]), high });
}

/** Where it stands among all hours here, and among this hour of the other days. */
function standingsText(
  newest: HourlyValue,
  { longest, longestName, texts, format }: NewestOptions,
): readonly (string | undefined)[] {
  const { amongHours, amongDays } = standingsOf(newest, longest, format);
  const hour = format.clockHour(newest.hour);
  const sentence = (id: string, standing: Standing | undefined): string | undefined =>
    standing && texts(id, { ...standing, window: longestName, hour });
  return [sentence('usual-hours', amongHours), sentence('usual-days', amongDays)];
}
