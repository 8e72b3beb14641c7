/** Rows and columns of the portal's table: found stations with their newest values and the last day. */
import { html, type Markup } from '../../html.js';
import { isDirection } from '../../../snapshot/domain/units.js';
import { HOUR_MS, type HourInterval } from '../../../snapshot/domain/windows.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import { sectorOf } from './chart/direction.js';
import { sparkDots, sparkline } from './chart/sparkline.js';
import { colorOf, type ColorScale } from './color-scale.js';
import type { PortalContext, Wording } from './context.js';
import { momentMarkup } from './formatters.js';
import { portalLink, stationLinks } from './links.js';
import type { Portal, PortalComponent } from './portal-model.js';
import type { StationRow } from './stations.js';

/** Largest number of rows: each takes 400 bytes of a page. */
export const ROWS_MAX = 1000;

/** Largest number of rows with a sparkline: each takes 240 bytes. */
const SPARKS_MAX = 100;

export interface TableContext extends PortalContext {
  readonly rows: readonly StationRow[];
}

/** The component, and the format of its values. */
export interface TableOptions {
  readonly scale: ColorScale;
  /** Epoch milliseconds: times on this day have no date. */
  readonly near: number;
  /** The eight compass points, for directions. */
  readonly compass: readonly string[] | undefined;
  readonly component: PortalComponent;
  readonly label: string;
  readonly unit: string;
}

/** Options that shape the parts of a station; the search, the order and the open station do not. */
export interface PartsOptions extends TableOptions, Wording {
  /** The last 24 hours, or the day of the chosen hour. */
  readonly interval: HourInterval;
  /** The values of the component in the interval, by station. */
  readonly days: ReturnType<Portal['valuesIn']>;
  /** Hours of the map's slider, ascending, since the epoch, UTC. */
  readonly hours: readonly number[];
  /** Wind directions in the interval, by station; undefined if the map does not show them. */
  readonly wind: ReturnType<Portal['valuesIn']> | undefined;
}

interface RowsOptions extends Pick<TableOptions, 'component' | 'label'> {
  readonly partsOf: (row: StationRow) => { readonly row: ReturnType<typeof rowParts> };
}

/**
 * Rows of the stations that measure the component, and of the others. Rows that a search hides are in the page, so that
 * a script can show them again; if there are too many stations, only found ones have rows.
 */
export function viewRows(context: TableContext, options: RowsOptions) {
  const matching = context.rows.filter(({ isFound }) => isFound);
  const listed = isPartial(context) ? matching.slice(0, ROWS_MAX) : context.rows;
  const [measuring, others] = [true, false].map((is) =>
    listed.filter((row) => row.isMeasuring === is),
  );
  const count = matching.filter(({ isMeasuring }) => !isMeasuring).length;
  const linkTo = stationLinks(context.state);
  const view = (some: readonly StationRow[] = []): readonly Markup[] =>
    some.map((row, index) => {
      const { attributes, name, spark, figures } = options.partsOf(row).row;
      const distance = row.distanceM !== undefined && context.format.distance(row.distanceM);
      return html`
<tr${attributes}${!row.isFound && ' hidden'}><th scope="row"><a href="${linkTo(row.station.id)}"${name} <small class="distance">${distance}</small></th><td class="day">${index < SPARKS_MAX && spark}</td>${figures}</tr>`;
    });
  return {
    rows: view(measuring),
    others:
      others?.length === 0
        ? undefined
        : {
            isHidden: count === 0,
            text: context.texts('not-measuring', { count, component: options.label }),
            rows: view(others),
          },
  };
}

/** Whether the table cannot show all stations. */
export function isPartial({ rows }: Pick<TableContext, 'rows'>): boolean {
  return rows.length > ROWS_MAX;
}

/** The parts of a row that do not depend on the search, the order and the open station. */
export function rowParts(
  { station, current, newest, isLate }: StationRow,
  { scale, near, compass, interval, days, texts, format }: PartsOptions,
) {
  const points = days.get(station.id) ?? [];
  const before = newest && points.find(({ hour }) => hour === newest.hour - 1);
  const at = station.position && `${station.position.latitude},${station.position.longitude}`;
  const spark = (compass ? sparkDots : sparkline)(points, interval);
  const trend = current && before && !compass && trendOf(current.value, before.value, texts);
  const point = current && compass?.[sectorOf(current.value)];
  const moment = newest && format.moment(newest.hour * HOUR_MS, near);
  const swatch =
    current && !compass && html`<span class="swatch ${colorOf(current.value, scale)}"></span>`;
  const value = current
    ? format.number(current.value)
    : html`<span class="none" title="${texts('no-value')}">–</span>`;
  return {
    attributes: html` data-q="${station.searchText}"${at !== undefined && html` data-at="${at}"`}`,
    /** Begins within the tag of the station's link. */
    name: html` data-station="${station.id}">${station.name}</a>${station.town !== undefined && html` <small>${station.town}</small>`}${!station.active && html` <small>${texts('inactive')}</small>`}`,
    spark:
      spark !== '' &&
      html`<svg viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true"><path d="${spark}"/></svg>`,
    figures: html`<td class="value">${trend && trendMarkup(trend)}${swatch}${point && html`<span class="point">${point}</span> `}${value}</td><td class="time">${moment && isLate && html`<small class="late">${texts('late')}</small> `}${moment && momentMarkup(moment)}</td>`,
  };
}

function trendMarkup({ arrow, text }: ReturnType<typeof trendOf>): Markup {
  return html`<span class="trend" aria-hidden="true" title="${text}">${arrow}</span><span class="visually-hidden">${text}</span> `;
}

function trendOf(value: number, before: number, texts: Messages) {
  if (value === before) return { arrow: '→', text: texts('trend-same') };
  return value > before
    ? { arrow: '↗', text: texts('trend-up') }
    : { arrow: '↘', text: texts('trend-down') };
}

/** Columns of the table, with the order that a click requests. */
const COLUMNS = [
  { name: 'station', sort: 'name' },
  { name: 'day', sort: undefined },
  { name: 'value', sort: 'value' },
  { name: 'time', sort: 'time' },
] as const;

export function columnsOf({ state, texts }: Pick<TableContext, 'state' | 'texts'>, unit: string) {
  return COLUMNS.map(({ name, sort }) => ({
    name,
    label: name === 'value' && unit !== '' ? unit : texts(`column-${name}`),
    ...(sort !== undefined &&
      // Directions have no order.
      !(sort === 'value' && isDirection({ unit })) && {
        title: `${texts('sort-by')}: ${texts(`sort-${sort}`)}`,
        href: `${portalLink(state, { sort, stationId: undefined })}#stations-heading`,
        isCurrent: state.sort === sort,
        direction: name === 'value' || name === 'time' ? 'descending' : 'ascending',
      }),
  }));
}
