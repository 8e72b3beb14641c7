/** What a series comes to in a few numbers: lowest, mean and highest, or where the wind mostly came from. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import type { Messages } from '../../../texts/messages.js';
import { compassOf, isDirection, prevailingSector } from './chart/direction.js';
import type { Formatters } from './formatters.js';
import { prettyUnit } from './notation.js';
import type { HourlyValue, PortalComponent, StationSeries } from './portal-model.js';

interface StatisticsOptions {
  readonly component: PortalComponent;
  readonly texts: Messages;
  readonly format: Formatters;
}

/** Empty for an empty list. */
function statisticsOf(
  points: readonly HourlyValue[],
  { component, texts, format }: StatisticsOptions,
) {
  const at = (label: string, { hour, value }: HourlyValue) => {
    return { label, value: format.number(value), moment: format.moment(hour * HOUR_MS) };
  };
  if (isDirection(component)) {
    const prevailing = prevailingSector(points);
    if (prevailing === undefined) return [];
    const point = compassOf(texts)[prevailing.sector] ?? '';
    const value = texts('prevailing-share', { point, percent: Math.round(prevailing.share * 100) });
    return [{ label: texts('prevailing'), value, moment: undefined }];
  }
  const byValue = points.toSorted((a, b) => a.value - b.value);
  const [lowest] = byValue;
  const highest = byValue.at(-1);
  if (lowest === undefined || highest === undefined) return [];
  const middle = format.mean(points.map(({ value }) => value));
  return [
    at(texts('lowest'), lowest),
    { label: texts('mean'), value: middle, moment: undefined },
    at(texts('highest'), highest),
  ];
}

/** The same in a sentence, with the hours that have no value. */
export function seriesSummary(
  { points, interval }: Pick<StationSeries, 'points' | 'interval'>,
  options: StatisticsOptions,
): string {
  const { component, texts } = options;
  const hours = interval.to - interval.from;
  const unit = isDirection(component) ? '' : ` ${prettyUnit(component.unit)}`.trimEnd();
  const numbers = statisticsOf(points, options).map(({ label, value, moment }) =>
    moment === undefined ? `${label} ${value}${unit}` : `${label} ${value}${unit}, ${moment.text}`,
  );
  const missing = hours - points.length;
  return `${[...numbers, ...(missing > 0 ? [texts('gaps', { missing, hours })] : [])].join('; ')}.`;
}
