/** A station's newest value: its hour, the usual range, its change, and its rank in the network. */
import { isDirection, prettyUnit } from '../../../snapshot/domain/units.js';
import { compassOf, sectorOf } from './chart/direction.js';
import { colorOf, nameOfColor, type ColorScale } from './color-scale.js';
import type { Wording } from './context.js';
import { percent } from './notation.js';
import {
  currentValue,
  isLate,
  newestHour,
  type HourlyValue,
  type Portal,
  type PortalComponent,
  type StationSeries,
} from './portal-model.js';
import { countsAmong, trendHours, usualStanding, type UsualRanges } from './usual.js';

interface NewestOptions extends Wording {
  readonly portal: Portal;
  readonly component: PortalComponent;
  /** The component at the station, in the longest window. */
  readonly longest: StationSeries;
  readonly usual: UsualRanges;
  readonly scale: ColorScale;
}

/** Undefined where the station has no value of the component. */
export function viewNewest(options: NewestOptions) {
  const { portal, component, longest, scale, texts, format } = options;
  const { station } = longest;
  const newest = station.latest.get(component.id);
  if (newest === undefined) return undefined;
  const isCurrent = currentValue(portal, station, component.id) !== undefined;
  const isWind = isDirection(component);
  const color = isCurrent && scale.hasSwatches ? colorOf(newest.value, scale) : undefined;
  return {
    value: isWind ? compassOf(texts)[sectorOf(newest.value)] : format.number(newest.value),
    unit: isWind
      ? `${format.number(newest.value)}${prettyUnit(component.unit)}`
      : prettyUnit(component.unit),
    color,
    colorName: color && nameOfColor(color, scale, texts),
    hour: format.hourSpan(newest.hour),
    isCurrent,
    isLate: isLate(newest, newestHour(portal, component.id)),
    usual: isWind ? undefined : viewUsual(newest, options),
    // Directions have no order.
    sentence: (isWind ? [] : [changeOf(newest, options), rankOf(newest, options)])
      .filter((text) => text !== undefined)
      .join(' '),
  };
}

/** A sentence, and the positions of value and usual range between the ends of all values at this hour of the clock. */
function viewUsual(newest: HourlyValue, options: NewestOptions) {
  const { longest, usual, texts, format } = options;
  const standing = usualStanding(newest, longest, { usual, format });
  if (standing === undefined) return undefined;
  const { side, days, lower, higher, same, ends, range } = standing;
  const [least, most] = ends;
  const at = (value: number): string => percent((value - least) / (most - least));
  const [low, high] = range;
  return {
    text: texts('usual-now', { side, days, lower, higher, same }),
    range: texts('usual-range', {
      hour: format.clockHour(newest.hour),
      low: format.number(low),
      high: withUnit(format.number(high), options),
    }),
    rule:
      least < most
        ? { from: at(low), width: percent((high - low) / (most - least)), at: at(newest.value) }
        : undefined,
  };
}

function withUnit(text: string, { component }: Pick<NewestOptions, 'component'>): string {
  return `${text} ${prettyUnit(component.unit)}`.trimEnd();
}

function changeOf(newest: HourlyValue, options: NewestOptions): string | undefined {
  const { longest, texts, format } = options;
  const before = longest.points.find(({ hour }) => hour === newest.hour - 1);
  if (before === undefined) return undefined;
  if (newest.value === before.value) return texts('change-none');
  const trend = trendHours(newest, longest.points);
  const change = withUnit(format.difference(newest.value, before.value), options);
  const hours = Math.abs(trend);
  return hours < 2
    ? texts('change', { change })
    : texts(trend > 0 ? 'change-rising' : 'change-falling', { change, hours });
}

/** The rank among the stations with a value in the newest hour, counted from the nearer end. */
function rankOf(
  newest: HourlyValue,
  { portal, component, texts, format }: NewestOptions,
): string | undefined {
  if (newestHour(portal, component.id) !== newest.hour) return undefined;
  const values = portal.stations.flatMap(({ latest }) => {
    const one = latest.get(component.id);
    return one?.hour === newest.hour ? one.value : [];
  });
  const count = values.length;
  if (count < 2) return undefined;
  const { lower, higher, same: all } = countsAmong(newest.value, values);
  if (higher + lower === 0) return texts('rank-same', { count });
  const side = higher <= lower ? 'highest' : 'lowest';
  const place = 1 + Math.min(higher, lower);
  const same = all - 1;
  const rank =
    place === 1
      ? texts(`rank-${side}`, { count })
      : texts(`rank-${side}-place`, { place, ordinal: format.ordinal(place), count });
  return same === 0 ? rank : `${rank} ${texts('rank-shared', { count: same })}`;
}
