/** The period of a chart: its name, its part in a snapshot, and whether links to it move on. */
import { isDirection } from '../../../snapshot/domain/units.js';
import {
  HOUR_MS,
  retainedHours,
  type HourGrid,
  type HourInterval,
} from '../../../snapshot/domain/windows.js';
import { DEFAULT_WINDOW, isFixed, type Period } from '../page.js';
import { peakOf } from './chart/local-days.js';
import type { StationContext, Wording } from './context.js';
import { portalLink } from './links.js';
import { longestWindow, type HourlyValue } from './portal-model.js';

/** The part of an interval that a snapshot may hold, possibly empty. */
export function heldPart({ from, to }: HourInterval, header: HourGrid): HourInterval {
  const held = retainedHours(header);
  const start = Math.min(Math.max(from, held.from), held.to);
  return { from: start, to: Math.min(Math.max(to, start), held.to) };
}

/** A window such as `7 days`; or the days, or beginning and end, of fixed hours, as far as the snapshot has them. */
export function periodName(
  period: Period,
  { from, to }: HourInterval,
  { texts, format }: Wording,
): string {
  if (!isFixed(period)) return texts(`window-${period}`);
  if (from === to) return texts('period-fixed');
  const dayOf = (hour: number): number => format.local(hour).day;
  const [first, last] = [from * HOUR_MS, to * HOUR_MS];
  if (dayOf(from - 1) === dayOf(from) || dayOf(to - 1) === dayOf(to)) {
    return `${format.moment(first).text} – ${format.moment(last, first).text}`;
  }
  const day = format.dayOfYear(first);
  return dayOf(from) === dayOf(to - 1)
    ? `${format.weekday(first)} ${day}`
    : `${day} – ${format.dayOfYear(last - HOUR_MS)}`;
}

/** Text that fixed hours are too old or too new; undefined when all are shown. @param interval the shown hours. */
export function missingText(
  period: Period,
  interval: HourInterval,
  { portal, texts }: Pick<PeriodOptions, 'portal' | 'texts'>,
): string | undefined {
  if (!isFixed(period)) return undefined;
  const { from, to } = period;
  const held = retainedHours(portal.header);
  const window = texts('window-30d');
  if (to <= interval.from && to <= held.from) return texts('period-gone', { window });
  if (from >= held.to) return texts('period-later');
  const missing = [
    ...(from < interval.from ? [texts('period-cut', { window })] : []),
    ...(to > held.to ? [texts('period-open')] : []),
  ];
  return missing.length === 0 ? undefined : missing.join(' ');
}

interface PeriodOptions extends StationContext {
  /** Whether there is an archive; default: no. */
  readonly hasYears?: boolean;
}

/** Texts about the period, and links to other periods. */
export function viewPeriod(options: PeriodOptions, points: readonly HourlyValue[]) {
  const { portal, detail, component, texts } = options;
  const { interval } = detail;
  const state = { ...options.state, componentId: component.id };
  const { period } = state;
  const window = texts('window-30d');
  const missing = missingText(period, interval, options);
  const isLongest = isFixed(period) || period === longestWindow(portal);
  const marked = isDirection(component) ? points[0] : peakOf(points);
  return {
    missing,
    /** Text that replaces a chart without values. */
    noPoints: [
      ...(interval.from === interval.to ? [] : [texts(isLongest ? 'no-values' : 'no-points')]),
      missing ?? '',
    ]
      .join(' ')
      .trim(),
    /** Link to the map at the hour of the highest value in fixed hours, or of their first direction, while the map has it. */
    onMap: isFixed(period) &&
      marked &&
      marked.hour >= retainedHours(portal.header).from && {
        text: texts('on-map', { hour: options.format.hourSpan(marked.hour).text }),
        href: portalLink(state, { stationId: undefined, hour: marked.hour }),
      },
    /** Whether a link to this state moves on, and the alternative. */
    sharing: isFixed(period)
      ? {
          text: texts(options.hasYears ? 'share-archived' : 'share-stays', { window }),
          other: texts('share-move'),
          href: portalLink(state, { period: DEFAULT_WINDOW }),
        }
      : {
          text: texts('share-moves', { window: periodName(period, interval, options) }),
          other: texts('share-stay'),
          href: portalLink(state, { period: interval }),
        },
  };
}
