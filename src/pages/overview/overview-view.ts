/** The overview: the newest value of every component at every station, in one table. */
import { isDirection, prettyUnit } from '../../snapshot/domain/units.js';
import { HOUR_MS } from '../../snapshot/domain/windows.js';
import { messagesOf } from '../../texts/texts.js';
import { html, type Markup } from '../../views/html.js';
import { pageLink, type PageStyle } from '../../views/pages/page.js';
import { compassOf, sectorOf } from '../../views/pages/portal/chart/direction.js';
import { colorScale, swatchMarkup, type ColorScale } from '../../views/pages/portal/color-scale.js';
import type { Wording } from '../../views/pages/portal/context.js';
import {
  formattersFor,
  momentMarkup,
  type Formatters,
} from '../../views/pages/portal/formatters.js';
import { noticeOf, unavailable } from '../../views/pages/portal/freshness.js';
import { nameOf } from '../../views/pages/portal/notation.js';
import {
  currentValue,
  isLate,
  maxOf,
  newestHour,
  orderedComponents,
  readingTime,
  type Portal,
  type PortalComponent,
  type PortalStation,
} from '../../views/pages/portal/portal-model.js';
import {
  ROWS_MAX,
  stationTableMarkup,
  type StationTablePage,
} from '../../views/pages/portal/station-tables.js';
import { byRank, descending, nameOrder } from '../../views/pages/portal/stations.js';
import { portalOf, valuePage, type ViewSource } from '../view.js';
import type { OverviewState } from './overview.js';

/** The newest values, or a notice. @throws {SnapshotError} `copy_damaged`. */
export function render(state: OverviewState, source: ViewSource): string {
  const { ageHours, site } = source;
  const portal = portalOf(source);
  return valuePage(state, source, { sort: state.sortId }, (layout, texts) =>
    stationTableMarkup(
      viewOverview(state, { portal, ageHours, timeZone: site.timeZone }),
      layout,
      texts,
    ),
  );
}

interface OverviewSource {
  /** Undefined without a snapshot. */
  readonly portal: Portal | undefined;
  readonly timeZone: string;
  readonly ageHours: number;
}

export function viewOverview(
  { sortId: wanted, ...style }: OverviewState,
  { portal, timeZone, ageHours }: OverviewSource,
): StationTablePage {
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
  const isRanked = ({ component }: (typeof components)[number]) => !isDirection(component);
  const sorted = components.find((one) => one.component.id === wanted && isRanked(one));
  const sortId = sorted?.component.id;
  const hours = components.flatMap(({ newest }) => newest ?? []);
  const stations = orderedStations(portal, sortId, format);
  const cells = { texts, format, compass: compassOf(texts), portal, home: pageLink('/', style) };
  return {
    title,
    table: {
      heading: title,
      snapshotId: portal.header.snapshotId,
      ...noticeOf({ portal, ageHours, texts, format }),
      note:
        hours.length === 0
          ? undefined
          : html`${texts('newest-hour')} <strong>${momentMarkup(format.hourSpan(maxOf(hours)))}</strong> ${[...new Set(components.flatMap(({ scale: { hasSwatches, source } }) => (hasSwatches ? texts('scale-note', { source }) : [])))].join(' · ')}`,
      csvHref: '/api/v1/observations/latest.csv?layout=wide',
      columns: [
        {
          label: texts('column-station'),
          href: pageLink('/overview', style),
          direction: sortId === undefined ? 'ascending' : undefined,
        },
        ...components.map(({ component }) => columnOf(component, style, sortId)),
      ],
      stations: stations.length,
      rows: stations.slice(0, ROWS_MAX).map((station) => {
        const rowCells = components.map((component) => cellMarkup(station, component, cells));
        return html`
<tr><th scope="row"><a href="${cells.home}&amp;station_id=${station.id}">${station.name}</a></th>${rowCells}</tr>`;
      }),
    },
  };
}

/** The column of a component, with a link that sorts by it; directions have no order. */
function columnOf(component: PortalComponent, style: PageStyle, sortId: number | undefined) {
  return {
    ...nameOf(component, messagesOf(style.language, 'portal')),
    part: prettyUnit(component.unit) || undefined,
    href: isDirection(component) ? undefined : pageLink('/overview', style, { sort: component.id }),
    direction: component.id === sortId ? ('descending' as const) : undefined,
  };
}

/** The stations, by descending value of the sorted component, or else by name. */
function orderedStations(
  portal: Portal,
  sortId: number | undefined,
  format: Formatters,
): readonly PortalStation[] {
  const names = byRank(nameOrder(portal, format));
  const valueOf = (station: PortalStation): number =>
    sortId === undefined ? 0 : (currentValue(portal, station, sortId)?.value ?? -Infinity);
  return portal.stations
    .map((station) => ({ station, value: valueOf(station) }))
    .toSorted((a, b) => descending(a.value, b.value) || names(a.station, b.station))
    .map(({ station }) => station);
}

interface CellSource extends Wording {
  readonly compass: readonly string[];
  readonly portal: Portal;
  readonly home: string;
}

interface ColumnComponent {
  readonly component: PortalComponent;
  readonly scale: ColorScale;
  /** Newest hour in which any station has a value of the component. */
  readonly newest: number | undefined;
}

/** A station's newest value of a component, with its time if other stations have a newer one. */
function cellMarkup(
  station: PortalStation,
  { component, scale, newest }: ColumnComponent,
  { texts, format, compass, portal, home }: CellSource,
): Markup {
  const current = currentValue(portal, station, component.id);
  if (current === undefined) {
    const isMeasured = station.componentIds.includes(component.id);
    return html`<td>${isMeasured && html`<span title="${texts('no-value')}">–</span>`}</td>`;
  }
  const { hour, value } = current;
  const point = isDirection(component) && `${compass[sectorOf(value)] ?? ''} `;
  const late =
    newest !== undefined &&
    isLate(current, newest) &&
    html` <small class="late" title="${texts('late-meaning')}">${momentMarkup(format.moment(hour * HOUR_MS, newest * HOUR_MS))}</small>`;
  return html`<td><a href="${home}&amp;station_id=${station.id}&amp;component_id=${component.id}">${swatchMarkup(value, scale)}${point}${format.number(value)}</a>${late}</td>`;
}
