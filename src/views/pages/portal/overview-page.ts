/** The overview: the newest value of every component at every station, in one table. */
import { isDirection, prettyUnit } from '../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { messagesOf } from '../../../texts/texts.js';
import { escapeMarkup } from '../../xml.js';
import { pageLink, type PageStyle } from '../page.js';
import { compassOf, sectorOf } from './chart/direction.js';
import { colorScale, swatchOf } from './color-scale.js';
import { formattersFor, timeElement } from './formatters.js';
import { noticeOf, unavailable } from './freshness.js';
import { nameOf } from './notation.js';
import {
  currentValue,
  isLate,
  maxOf,
  newestHour,
  orderedComponents,
  readingTime,
  type Portal,
  type PortalStation,
} from './portal-model.js';
import { byRank, descending, nameOrder } from './stations.js';

/** More than this nobody reads on a page; the same values are in `latest.csv?layout=wide`. */
export const ROWS_MAX = 500;

export interface OverviewView {
  readonly style: PageStyle;
  /** Undefined while there is no snapshot. */
  readonly portal: Portal | undefined;
  readonly timeZone: string;
  readonly ageHours: number;
  /** The component that stations are ordered by; undefined: by name. */
  readonly sortId: number | undefined;
}

/** The newest values of all stations and components; with a notice in their place where there are none. */
export function viewOverview({ style, portal, timeZone, ageHours, ...view }: OverviewView) {
  const texts = messagesOf(style.language, 'portal');
  const title = texts('overview');
  if (portal === undefined) return { title, notice: unavailable(texts) };
  if (portal.stations.length === 0 || portal.components.length === 0)
    return { title, notice: { heading: title, text: texts('no-stations') } };
  const format = formattersFor(style.language, timeZone, readingTime(portal, ageHours));
  const components = orderedComponents(portal).map((component) => ({
    component,
    scale: colorScale(portal, component),
    newest: newestHour(portal, component.id),
  }));
  // Directions have no order.
  const isRanked = ({ component }: (typeof components)[number]) => !isDirection(component);
  const sortId = components.find((one) => one.component.id === view.sortId && isRanked(one))
    ?.component.id;
  const hours = components.flatMap(({ newest }) => newest ?? []);
  const names = byRank(nameOrder(portal, format));
  const valueOf = (station: PortalStation): number =>
    sortId === undefined ? 0 : (currentValue(portal, station, sortId)?.value ?? -Infinity);
  const stations = portal.stations
    .map((station) => ({ station, value: valueOf(station) }))
    .toSorted((a, b) => descending(a.value, b.value) || names(a.station, b.station))
    .map(({ station }) => station);
  const compass = compassOf(texts);
  const home = escapeMarkup(pageLink('/', style));
  const [noValue, lateMeaning] = ['no-value', 'late-meaning'].map((id) => escapeMarkup(texts(id)));
  return {
    title,
    heading: title,
    snapshotId: portal.header.snapshotId,
    ...noticeOf({ portal, ageHours, texts, format }),
    hour: hours.length === 0 ? undefined : format.hourSpan(maxOf(hours)),
    limited: stations.length > ROWS_MAX ? texts('list-limited', { shown: ROWS_MAX }) : undefined,
    csvHref: '/api/v1/observations/latest.csv?layout=wide',
    columns: [
      {
        label: texts('column-station'),
        href: pageLink('/overview', style),
        direction: sortId === undefined ? 'ascending' : undefined,
      },
      ...components.map(({ component }) => ({
        ...nameOf(component, texts),
        part: prettyUnit(component.unit) || undefined,
        href: isDirection(component)
          ? undefined
          : pageLink('/overview', style, { sort: component.id }),
        direction: component.id === sortId ? 'descending' : undefined,
      })),
    ],
    /** As markup: there are as many cells as values. */
    rows: stations
      .slice(0, ROWS_MAX)
      .map((station) => {
        const link = `${home}&amp;station_id=${station.id}`;
        const cells = components.map(({ component, scale, newest }) => {
          const current = currentValue(portal, station, component.id);
          if (current === undefined) {
            const isMeasured = station.componentIds.includes(component.id);
            return `<td>${isMeasured ? `<span title="${noValue}">–</span>` : ''}</td>`;
          }
          const { hour, value } = current;
          const swatch = swatchOf(value, component, scale);
          const point = isDirection(component) ? `${compass[sectorOf(value)] ?? ''} ` : '';
          const text = `${swatch}${escapeMarkup(`${point}${format.number(value)}`)}`;
          const late =
            newest !== undefined && isLate(current, newest)
              ? ` <small class="late" title="${lateMeaning}">${timeElement(format.moment(hour * HOUR_MS, newest * HOUR_MS))}</small>`
              : '';
          return `<td><a href="${link}&amp;component_id=${component.id}">${text}</a>${late}</td>`;
        });
        return `\n<tr><th scope="row"><a href="${link}">${escapeMarkup(station.name)}</a></th>${cells.join('')}</tr>`;
      })
      .join(''),
  };
}
