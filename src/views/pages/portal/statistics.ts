/** Statistics of a series: lowest, mean or sum, and highest; or the prevailing direction; and numbers of hours. */
import { isDirection, isSummed, prettyUnit } from '../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { compassOf, prevailingDirection } from './chart/direction.js';
import type { Wording } from './context.js';
import type { Formatters } from './formatters.js';
import { notMeasuredText } from './notation.js';
import type { ChartSeries, HourlyValue, PortalComponent } from './portal-model.js';

/** The sum of amounts such as rain, otherwise the mean. */
export function aggregateOf(component: PortalComponent, format: Formatters) {
  return isSummed(component)
    ? ({ name: 'sum', write: format.sum, valueOf: format.roundedSum } as const)
    : ({ name: 'mean', write: format.mean, valueOf: format.roundedMean } as const);
}

/** An extreme is written with its first hour and the number of its other hours; empty without values. */
function statisticsOf(
  points: readonly HourlyValue[],
  { component, texts, format }: Wording & { readonly component: PortalComponent },
): readonly string[] {
  if (isDirection(component)) {
    const prevailing = prevailingDirection(points, compassOf(texts));
    if (prevailing === undefined) return [];
    const { point, share } = prevailing;
    const text = texts('prevailing-share', { point, percent: Math.round(share * 100) });
    return [`${texts('prevailing')} ${text}`];
  }
  if (points.length === 0) return [];
  const values = points.map(({ value }) => value);
  const withUnit = (text: string): string => `${text} ${prettyUnit(component.unit)}`.trimEnd();
  const extreme = (name: 'lowest' | 'highest', value: number): string => {
    const [first, ...others] = points.filter((one) => one.value === value);
    const moment = format.moment((first?.hour ?? 0) * HOUR_MS).text;
    const text = `${texts(name)} ${withUnit(format.number(value))}, ${moment}`;
    return others.length === 0 ? text : `${text} ${texts('more-hours', { count: others.length })}`;
  };
  const aggregate = aggregateOf(component, format);
  return [
    extreme('lowest', Math.min(...values)),
    `${texts(aggregate.name)} ${withUnit(aggregate.write(values))}`,
    extreme('highest', Math.max(...values)),
  ];
}

/** The statistics and the number of missing hours; or a text that values are missing or not measured. */
export function seriesSummary(
  { station, component, points, interval }: ChartSeries,
  { texts, format }: Wording,
): string {
  if (!station.componentIds.includes(component.id)) return notMeasuredText(component, texts);
  const hours = interval.to - interval.from;
  if (points.length === 0 && hours > 0) return texts('no-values');
  const missing = hours - points.length;
  const gaps = missing > 0 ? [texts('gaps', { missing, hours })] : [];
  return `${[...statisticsOf(points, { component, texts, format }), ...gaps].join('; ')}.`;
}

/** Numbers of hours and of local days with a value. */
export function coverageOf(points: readonly HourlyValue[], { texts, format }: Wording): string {
  const days = new Set(points.map(({ hour }) => format.local(hour).day));
  return texts('coverage', { hours: points.length, days: days.size });
}
