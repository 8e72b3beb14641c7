/** Template contexts of the portal: current values on a map and in a table, and the panel of one station. */
import { HOUR_MS, windowHours } from '../../../snapshot/domain/windows.js';
import type { Town } from '../map/base-map.js';
import type { Messages } from '../../../texts/messages.js';
import { messagesOf } from '../../../texts/texts.js';
import { transliterate } from '../../../texts/transliterate.js';
import type { PortalState } from '../page.js';
import { compassOf, isDirection, prevailingSector, sectorOf } from './chart/direction.js';
import { sparkDots, sparkline } from './chart/sparkline.js';
import { colorOf, colorScale, type ColorScale } from './color-scale.js';
import { freshnessOf } from './freshness.js';
import { hiddenFields, portalLink } from './links.js';
import { viewMap, type MapOptions } from './map-view.js';
import { isMeteorological, prettyUnit } from './notation.js';
import {
  newestHour,
  orderedComponents,
  readingTime,
  shownComponent,
  type Portal,
  type PortalComponent,
  type PortalStation,
  type StationDetail,
} from './portal-model.js';
import { nameOf, viewPanel, type PanelOptions } from './station-panel.js';
import { normalizeForSearch, type Place } from './search.js';
import { stationRows, type StationRow } from './stations.js';
import { formattersFor, isoMinute, type Formatters } from './formatters.js';

export interface PortalView extends Pick<
  PanelOptions,
  'state' | 'timeZone' | 'ageHours' | 'compared' | 'longest' | 'wind' | 'baseUrl'
> {
  /** Undefined while there is no snapshot. */
  readonly portal: Portal | undefined;
  /** Data of the station that is open. */
  readonly detail: StationDetail | undefined;
  /** Undefined where no station has a position. */
  readonly map:
    | (Pick<MapOptions, 'frame' | 'towns' | 'version'> & {
        /** Whether it is the operator's own map, which has no credit line. */
        readonly isOwn: boolean;
      })
    | undefined;
}

/** Rows of the table: more than this nobody reads, and each costs some 0.5 ms of a page and 400 bytes of it. */
const ROWS_MAX = 1000;

/** Rows with the course of a day: each has 240 bytes of it. */
const SPARKS_MAX = 100;

/** Context of `templates/portal.liquid`, as `page`. */
export function viewPortal(view: PortalView) {
  const { state, portal, timeZone } = view;
  const texts = messagesOf(state.language, 'portal');
  if (portal === undefined)
    return { texts: texts.plain(), title: texts('title'), isAvailable: false as const };
  const format = formattersFor(state.language, timeZone, readingTime(portal, view.ageHours));
  const component = shownComponent(portal, { chosen: state.componentId });
  const places = placesOf(view);
  const { rows, place } = stationRows(portal, component?.id, { state, format, places });
  const context = { ...view, portal, texts, format, rows, place };
  return {
    ...{ texts: texts.plain(), isAvailable: true as const },
    description: texts('description', {
      weather: portal.components.some(isMeteorological) ? 'yes' : 'no',
    }),
    ...{ title: titleOf(view, texts), zone: texts('zone', { zone: timeZone }) },
    snapshotId: portal.header.snapshotId,
    freshness: freshnessOf({
      ...context,
      newest: component && newestHour(portal, component.id),
    }),
    components: pickerOf(context, component),
    shown: component && viewComponent(context, component),
    search: searchOf(context),
    hasStations: rows.length > 0,
    panel: viewModal(view).panel,
  };
}

/** Of an open station its name and what is shown: what a shared link and a tab are known by. */
function titleOf({ portal, detail, state }: PortalView, texts: Messages): string {
  if (portal === undefined || detail === undefined) return texts('title');
  const { station } = detail;
  const component = shownComponent(portal, { chosen: state.componentId, station });
  return component ? `${station.name}: ${nameOf(component, texts).label}` : station.name;
}

/** Context of `templates/station-modal.liquid`, as `page`; without a station the dialog is empty and closed. */
export function viewModal(view: PortalView) {
  const { state, portal, detail, ageHours, timeZone } = view;
  const texts = messagesOf(state.language, 'portal');
  const component =
    portal && shownComponent(portal, { chosen: state.componentId, station: detail?.station });
  if (portal === undefined || detail === undefined || component === undefined) {
    return { texts: texts.plain() };
  }
  const format = formattersFor(state.language, timeZone, readingTime(portal, ageHours));
  return {
    texts: texts.plain(),
    panel: viewPanel({ ...view, portal, detail, component, texts, format }),
  };
}

interface ViewContext extends PortalView {
  readonly portal: Portal;
  readonly texts: Messages;
  readonly format: Formatters;
  readonly rows: readonly StationRow[];
  /** Where the found stations are near to. */
  readonly place: Place | undefined;
}

/** The towns of the map's surroundings, by the names that the page writes. */
function placesOf({ map, state }: PortalView): readonly Place[] {
  const [west = 0, south = 0, east = 0, north = 0] = map?.frame.bounds ?? [];
  return (map?.towns ?? [])
    .filter(
      ({ longitude, latitude }) =>
        longitude > west && longitude < east && latitude > south && latitude < north,
    )
    .map((town) => ({ ...town, name: townName(town, state) }));
}

function townName({ name, inBothScripts }: Town, { language }: PortalState): string {
  return inBothScripts && language === 'sr-Cyrl' ? transliterate(name) : name;
}

/** Links to all components, which work with and without scripts. */
function pickerOf({ portal, state, texts }: ViewContext, shown: PortalComponent | undefined) {
  return orderedComponents(portal).map((component) => ({
    ...nameOf(component, texts),
    href: portalLink(state, { componentId: component.id, stationId: undefined }),
    isCurrent: component.id === shown?.id,
  }));
}

function viewComponent(context: ViewContext, component: PortalComponent) {
  const { portal, rows, state, texts, format, map } = context;
  const scale = colorScale(portal, component);
  const newest = newestHour(portal, component.id);
  const nearHour = state.hour ?? newest;
  const near = nearHour === undefined ? portal.header.generatedAtMs : nearHour * HOUR_MS;
  const name = nameOf(component, texts);
  const unit = prettyUnit(component.unit);
  const compass = isDirection(component) ? compassOf(texts) : undefined;
  const windId = compass ? undefined : portal.components.find(isDirection)?.id;
  return {
    ...name,
    unit,
    heading: texts('heading', { component: name.label }),
    summary: summaryOf(context, { scale, compass }),
    credit: map?.isOwn === false ? texts('map-credit') : undefined,
    map:
      map &&
      viewMap({
        ...{ rows, scale, near, unit, compass, state, texts, format, ...map },
        label: name.label,
        days: portal.lastDayOf(component.id),
        hours: hoursOf(portal, newest),
        wind: state.hasWind && windId !== undefined ? portal.lastDayOf(windId) : undefined,
        townName: (town) => townName(town, state),
      }),
    windLink: windId !== undefined && {
      href: portalLink(state, { hasWind: !state.hasWind, stationId: undefined }),
      text: texts(state.hasWind ? 'hide-wind' : 'show-wind'),
    },
    ...viewRows(context, { component, scale, near, compass, label: name.label }),
    columns: columnsOf(context, unit),
    hours: viewHours(context, newest),
    chosenHour: state.hour !== undefined,
  };
}

/** The last 24 hours until the newest one, ascending. */
function hoursOf({ header }: Portal, newest: number | undefined): readonly number[] {
  if (newest === undefined) return [];
  const from = Math.max(windowHours('1d', header.generatedAtMs).from, newest - 23);
  return Array.from({ length: newest - from + 1 }, (_, at) => from + at);
}

/** Choices of the hour that the map and the list show; the newest values need no parameter. */
function viewHours({ portal, state, format }: ViewContext, newest: number | undefined) {
  const hours = hoursOf(portal, newest);
  if (hours.length < 2) return undefined;
  const chosen = state.hour === undefined ? hours.length - 1 : hours.indexOf(state.hour);
  return {
    choices: hours.map((hour, at) => ({
      value: hour === newest ? '' : isoMinute(hour * HOUR_MS),
      text: format.hourSpan(hour).text,
      isChosen: at === chosen,
    })),
    ...{ last: hours.length - 1, chosen, text: format.hourSpan(hours[chosen] ?? 0).text },
    hidden: hiddenFields({ ...state, stationId: undefined, hour: undefined }),
  };
}

/** How values of the shown component are written. */
interface Values {
  readonly scale: ColorScale;
  /** Epoch milliseconds: of times of this day the time is enough. */
  readonly near: number;
  /** The eight points of the compass where values are directions. */
  readonly compass: readonly string[] | undefined;
}

/** The values of the newest hour, compared: a value of another hour may be higher because the weather was another. */
function summaryOf(context: ViewContext, { scale, compass }: Omit<Values, 'near'>) {
  const { rows, state, texts, format } = context;
  const measured = rows
    .flatMap(({ station, current, isLate }) =>
      current === undefined || isLate ? [] : [{ station, ...current }],
    )
    .toSorted((a, b) => b.value - a.value);
  const [highest] = measured;
  const lowest = measured.at(-1);
  if (highest === undefined || lowest === undefined) return undefined;
  const middle = median(measured.map(({ value }) => value));
  const view = ({ station, value }: typeof highest) => ({
    name: station.name,
    value: format.number(value),
    color: colorOf(value, scale),
    href: portalLink(state, { stationId: station.id }),
  });
  const measuring = rows.filter(({ newest }) => newest !== undefined).length;
  const hour = {
    hour: format.hourSpan(highest.hour),
    compared: texts('compared', { count: measured.length, all: measuring }),
  };
  // No direction is the highest: north is at both ends.
  if (compass) return { ...hour, prevailing: compass[prevailingSector(measured)?.sector ?? 0] };
  return {
    ...hour,
    highest: view(highest),
    lowest: view(lowest),
    median: { value: format.number(middle), color: colorOf(middle, scale) },
  };
}

/** @param values at least one, in order. */
function median(values: readonly number[]): number {
  const [below = 0, above = below] = values.slice(
    Math.floor((values.length - 1) / 2),
    Math.floor(values.length / 2) + 1,
  );
  return (below + above) / 2;
}

interface RowsOptions extends Values {
  readonly component: PortalComponent;
  /** Of the component. */
  readonly label: string;
}

/** The stations that are found: those that measure the component, and below them how many do not. */
function viewRows(context: ViewContext, options: RowsOptions) {
  const found = context.rows.filter(({ isFound }) => isFound).slice(0, ROWS_MAX);
  const [measuring, others] = [true, false].map((is) =>
    found.filter((row) => row.isMeasuring === is),
  );
  const count = others?.length ?? 0;
  const days = context.portal.lastDayOf(options.component.id);
  const view = (row: StationRow, index: number) =>
    viewRow(context, row, { ...options, days, index });
  return {
    rows: (measuring ?? []).map(view),
    others:
      count === 0
        ? undefined
        : {
            text: context.texts('not-measuring', { count, component: options.label }),
            rows: (others ?? []).map(view),
          },
  };
}

function viewRow(
  { portal, state, texts, format }: ViewContext,
  { station, current, newest, isLate, searchText: text, distanceM }: StationRow,
  {
    component,
    scale,
    near,
    compass,
    days,
    index,
  }: RowsOptions & {
    readonly days: ReturnType<Portal['lastDayOf']>;
    readonly index: number;
  },
) {
  const points = days.get(station.id) ?? [];
  const interval = windowHours('1d', portal.header.generatedAtMs);
  const before = newest && points.find(({ hour }) => hour === newest.hour - 1);
  return {
    id: station.id,
    name: station.name,
    href: portalLink(state, { stationId: station.id }),
    isActive: station.active,
    municipality: repeats(station) ? undefined : station.municipality,
    value: current && format.number(current.value),
    color: current && !compass ? colorOf(current.value, scale) : undefined,
    point: current && compass?.[sectorOf(current.value)],
    spark:
      index >= SPARKS_MAX ? '' : (isDirection(component) ? sparkDots : sparkline)(points, interval),
    trend: current && before && !compass ? trendOf(current.value, before.value, texts) : undefined,
    moment: newest && format.moment(newest.hour * HOUR_MS, near),
    isLate,
    distance: distanceM === undefined ? '' : format.distance(distanceM),
    at: station.position && `${station.position.latitude},${station.position.longitude}`,
    searchText: text,
  };
}

/** Whether the municipality is in the name already. */
function repeats({ name, municipality = '' }: PortalStation): boolean {
  return normalizeForSearch(name).includes(normalizeForSearch(municipality));
}

function trendOf(value: number, before: number, texts: Messages) {
  if (value === before) return { arrow: '→', text: texts('trend-same') };
  return value > before
    ? { arrow: '↗', text: texts('trend-up') }
    : { arrow: '↘', text: texts('trend-down') };
}

/** Columns of the table, and the order that a click on each asks for. */
const COLUMNS = [
  { name: 'station', sort: 'name' },
  { name: 'day', sort: undefined },
  { name: 'value', sort: 'value' },
  { name: 'time', sort: 'time' },
] as const;

function columnsOf({ state, texts }: ViewContext, unit: string) {
  return COLUMNS.map(({ name, sort }) => ({
    name,
    label: name === 'value' && unit !== '' ? unit : texts(`column-${name}`),
    ...(sort !== undefined && {
      title: `${texts('sort-by')}: ${texts(`sort-${sort}`)}`,
      href: `${portalLink(state, { sort, stationId: undefined })}#stations-heading`,
      isCurrent: state.sort === sort,
      direction: name === 'value' || name === 'time' ? 'descending' : 'ascending',
    }),
  }));
}

function searchOf({ rows, place, map, state, texts }: ViewContext) {
  const found = rows.filter(({ isFound }) => isFound).length;
  return {
    text: state.search,
    isSearching: state.search !== '',
    found: place
      ? texts('near', { place: place.name })
      : texts('found', { shown: found, all: rows.length }),
    /** For a script, which puts the name of a place in. */
    nearText: texts('near', { place: '{}' }),
    isEmpty: found === 0,
    limited: found > ROWS_MAX ? texts('list-limited', { shown: ROWS_MAX }) : undefined,
    clearHref: portalLink(state, { search: '', stationId: undefined }),
    hasMap: map !== undefined,
    hidden: hiddenFields({ ...state, stationId: undefined }, ['q']),
  };
}
