/** Hours of an interval with the day and the hour that clocks of the network show. */
import type { HourInterval } from '../../../../snapshot/domain/windows.js';
import type { Formatters } from '../formatters.js';

export const DAY_HOURS = 24;

/**
 * Every hour with its local day and hour, a day at a time: where a day ends at the hour at which it began, no clock has
 * changed meanwhile, and its hours can be counted. To look up each of them takes three times as long as the whole chart.
 */
export function* localHours({ from, to }: HourInterval, { local }: Pick<Formatters, 'local'>) {
  for (let start = from; start < to; start += DAY_HOURS) {
    const first = local(start);
    const last = local(start + DAY_HOURS - 1);
    const isEven = (first.clockHour + DAY_HOURS - 1) % DAY_HOURS === last.clockHour;
    for (let hour = start; hour < Math.min(start + DAY_HOURS, to); hour += 1) {
      const counted = first.clockHour + hour - start;
      if (!isEven) yield { hour, ...local(hour) };
      else if (counted < DAY_HOURS) yield { hour, clockHour: counted, dayKey: first.dayKey };
      else yield { hour, clockHour: counted - DAY_HOURS, dayKey: last.dayKey };
    }
  }
}
