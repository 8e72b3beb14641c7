/** The rose of a component: its mean for each wind direction in the same hours, or the frequency of directions. */
import { isDirection, prettyUnit } from '../../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../../snapshot/domain/windows.js';
import { isPollutant } from '../color-scale.js';
import type { Wording } from '../context.js';
import { meanOf } from '../../../../snapshot/domain/days.js';
import type { HourlyValue, PortalComponent } from '../portal-model.js';
import { coverageOf } from '../statistics.js';
import { compassOf, sectorOf } from './direction.js';

/** Number of hours that a mean needs. */
const HOURS_MIN = 6;

const RADIUS = 70;

interface RoseOptions extends Wording {
  readonly component: PortalComponent;
  readonly points: readonly HourlyValue[];
  /** Wind directions at the station; if the component is a direction, its own values. */
  readonly wind: readonly HourlyValue[];
}

/** Undefined for weather other than wind, and if fewer than `HOURS_MIN` hours have a value and a direction. */
export function viewRose({ component, points, wind, texts, format }: RoseOptions) {
  const compass = compassOf(texts);
  const { both, bySector } = sectorsOf(points, wind);
  const all = both.length;
  const [fromHour = 0, toHour = 0] = [both[0]?.hour, both.at(-1)?.hour];
  const isWind = isDirection(component);
  // The length of a petal shows an amount, so it cannot show a temperature, which may be negative.
  if (!isWind && !isPollutant(component)) return undefined;
  const sectors = bySector.map((values, sector) => ({
    name: compass[sector] ?? '',
    values,
    sector,
    share: values.length / all,
    length: isWind ? values.length : values.length < HOURS_MIN ? NaN : meanOf(values),
  }));
  const drawn = sectors.filter(({ length }) => length > 0);
  const [longest] = drawn.toSorted((a, b) => b.length - a.length);
  if (longest === undefined || all < HOURS_MIN) return undefined;
  const unit = prettyUnit(component.unit);
  const percentOf = (share: number): string => `${Math.round(share * 100)}%`;
  const meanText = (values: readonly number[]): string =>
    `${format.mean(values)} ${unit}`.trimEnd();
  const textOf = ({ values, share }: typeof longest): string =>
    isWind ? percentOf(share) : meanText(values);
  // Text of the inner ring: half of the largest share, or of the largest mean.
  const half = isWind
    ? percentOf(longest.share / 2)
    : `${format.number(longest.length / 2)} ${unit}`.trimEnd();
  const point = drawn
    .filter((one) => textOf(one) === textOf(longest))
    .map(({ name }) => name)
    .join(' / ');
  return {
    petals: drawn.map(({ sector, length }) => petal(sector, length / longest.length)),
    rings: [RADIUS / 2, RADIUS],
    points: compass.map((name, sector) => ({ name, ...at(sector * 45, RADIUS + 12) })),
    title: isWind ? texts('rose-wind') : texts('rose'),
    sentence: isWind
      ? texts('rose-wind-most', { point, percent: percentOf(longest.share) })
      : texts('rose-most', { point, mean: meanText(longest.values) }),
    scale: texts('rose-scale', { outer: textOf(longest), inner: half }),
    coverage: `${format.period(fromHour * HOUR_MS, toHour * HOUR_MS)}: ${coverageOf(both, { texts, format })}.`,
    hasMeans: !isWind,
    rows: sectors.map(({ name, values, share, length }) => ({
      name,
      mean: isWind || Number.isNaN(length) ? '–' : meanText(values),
      share: percentOf(share),
    })),
  };
}

/** The points whose hour has a direction, and their values by compass point. */
function sectorsOf(points: readonly HourlyValue[], wind: readonly HourlyValue[]) {
  const directions = new Map(wind.map(({ hour, value }) => [hour, sectorOf(value)]));
  const both = points.filter(({ hour }) => directions.has(hour));
  const bySector = Array.from({ length: 8 }, (_, sector) =>
    both.flatMap(({ hour, value }) => (directions.get(hour) === sector ? value : [])),
  );
  return { both, bySector };
}

/** A wedge of 40 degrees around a compass point. */
function petal(sector: number, share: number): string {
  const radius = Math.max(share * RADIUS, 1);
  const [from, to] = [at(sector * 45 - 20, radius), at(sector * 45 + 20, radius)];
  return `M0,0L${from.x},${from.y}A${radius.toFixed(1)},${radius.toFixed(1)} 0 0 1 ${to.x},${to.y}Z`;
}

/** The position at an angle: north is up, and degrees go clockwise. */
function at(degrees: number, radius: number) {
  const angle = (degrees * Math.PI) / 180;
  return { x: (Math.sin(angle) * radius).toFixed(1), y: (-Math.cos(angle) * radius).toFixed(1) };
}
