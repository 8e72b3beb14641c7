/** Template context of the overview: the newest value of every component at every station, in one table. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { messagesOf } from '../../../texts/texts.js';
import { pageLink, type PageStyle } from '../page.js';
import { compassOf, isDirection, sectorOf } from './chart/direction.js';
import { colorOf, colorScale, isPollutant } from './color-scale.js';
import { formattersFor } from './formatters.js';
import { noticeOf } from './freshness.js';
import { prettyUnit } from './notation.js';
import {
  currentValue,
  isLate,
  maxOf,
  newestHour,
  orderedComponents,
  readingTime,
  type Portal,
} from './portal-model.js';
import { nameOf } from './station-panel.js';

/** More than this nobody reads on a page; the same values are in `latest.csv?layout=wide`. */
const ROWS_MAX = 500;

export interface OverviewView {
  readonly style: PageStyle;
  /** Undefined while there is no snapshot. */
  readonly portal: Portal | undefined;
  readonly timeZone: string;
  readonly ageHours: number;
}

/** Context of `templates/overview.liquid`, as `page`. */
export function viewOverview({ style, portal, timeZone, ageHours }: OverviewView) {
  const texts = messagesOf(style.language, 'portal');
  const title = texts('overview');
  if (portal === undefined) return { texts: texts.plain(), title, isAvailable: false as const };
  const format = formattersFor(style.language, timeZone, readingTime(portal, ageHours));
  const components = orderedComponents(portal).map((component) => ({
    component,
    scale: colorScale(portal, component),
    newest: newestHour(portal, component.id),
  }));
  const hours = components.flatMap(({ newest }) => newest ?? []);
  const stations = portal.stations.toSorted(
    (a, b) => format.compare(a.name, b.name) || a.id - b.id,
  );
  return {
    ...{ texts: texts.plain(), title, isAvailable: true as const },
    ...noticeOf({ portal, ageHours, texts, format }),
    hour: hours.length === 0 ? undefined : format.hourSpan(maxOf(hours)),
    limited: stations.length > ROWS_MAX ? texts('list-limited', { shown: ROWS_MAX }) : undefined,
    columns: components.map(({ component }) => ({
      ...nameOf(component, texts),
      unit: prettyUnit(component.unit),
      href: pageLink('/', style, { component_id: component.id }),
    })),
    rows: stations.slice(0, ROWS_MAX).map((station) => ({
      name: station.name,
      href: pageLink('/', style, { station_id: station.id }),
      cells: components.map(({ component, scale, newest: newestOfAll }) => {
        const current = currentValue(portal, station, component.id);
        if (current === undefined)
          return { isMeasured: station.componentIds.includes(component.id) };
        return {
          isMeasured: true,
          value: format.number(current.value),
          point: isDirection(component) ? compassOf(texts)[sectorOf(current.value)] : undefined,
          color: isPollutant(component) ? colorOf(current.value, scale) : undefined,
          href: pageLink('/', style, { station_id: station.id, component_id: component.id }),
          late: isLate(current, newestOfAll)
            ? format.moment(current.hour * HOUR_MS, (newestOfAll ?? 0) * HOUR_MS)
            : undefined,
        };
      }),
    })),
  };
}
