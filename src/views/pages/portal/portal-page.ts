/** The view of the portal: current values on a map and in a table, and a station's panel. */
import { html, type Markup } from '../../html.js';
import { isDirection, isSummed, prettyUnit } from '../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import type { Town } from '../map/base-map.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import { messagesOf } from '../../../texts/texts.js';
import { compassOf, prevailingDirection } from './chart/direction.js';
import { colorOf, colorScale } from './color-scale.js';
import { freshnessOf, unavailable } from './freshness.js';
import { isFixed, pageLink } from '../page.js';
import { hiddenFields, linksBy, portalLink } from './links.js';
import { viewMap, type MapOptions } from './map-view.js';
import { dayAround, hoursOfMap, missingHour, viewHours, viewMapDays } from './map-hours.js';
import { isMeteorological, nameOf } from './notation.js';
import {
  newestHour,
  orderedComponents,
  readingTime,
  shownComponent,
  type Portal,
  type PortalComponent,
  type StationDetail,
} from './portal-model.js';
import { periodName } from './period.js';
import { viewPanel, type PanelOptions } from './station-panel.js';
import { placesOf } from './places.js';
import { stationParts } from './station-parts.js';
import type { Place } from './search.js';
import { stationRows } from './stations.js';
import {
  columnsOf,
  isPartial,
  ROWS_MAX,
  viewRows,
  type TableContext,
  type TableOptions,
} from './table-view.js';
import { formattersFor, type Formatters } from './formatters.js';

export interface PortalView extends Pick<
  PanelOptions,
  'state' | 'timeZone' | 'ageHours' | 'compared' | 'longest' | 'wind' | 'baseUrl' | 'hasYears'
> {
  /** Undefined without a snapshot. */
  readonly portal: Portal | undefined;
  /** Data of the open station. */
  readonly detail: StationDetail | undefined;
  /** Undefined if no station has a position. */
  readonly map:
    | (Pick<MapOptions, 'frame' | 'version'> & {
        readonly towns: readonly Town[];
        /** Whether the base map is the operator's own, which needs no credit line. */
        readonly isOwn: boolean;
      })
    | undefined;
}

/** The view of the portal, or a notice. */
export function viewPortal(view: PortalView) {
  const { state, portal, timeZone } = view;
  const texts = messagesOf(state.language, 'portal');
  if (portal === undefined) return { title: texts('title'), notice: unavailable(texts) };
  const format = formattersFor(state.language, timeZone, readingTime(portal, view.ageHours));
  const component = shownComponent(portal, { chosen: state.componentId });
  const title = titleOf(view, texts, format);
  if (component === undefined || portal.stations.length === 0)
    return { title, notice: { heading: title, text: texts('no-stations') } };
  const places = view.map ? placesOf(view.map.towns, state.language) : [];
  const { rows, place } = stationRows(portal, component.id, { state, format, places });
  const context = { ...view, portal, texts, format, rows, place, places };
  return {
    description: texts('description', {
      weather: portal.components.some(isMeteorological) ? 'yes' : 'no',
    }),
    title,
    /** Title of the page when no panel is open. */
    ownTitle: titleOf({ ...view, detail: undefined }, texts, format),
    zone: texts('zone', { zone: timeZone }),
    snapshotId: portal.header.snapshotId,
    freshness: freshnessOf({ ...context, newest: newestHour(portal, component.id) }),
    components: pickerOf(context, component),
    shown: viewComponent(context, component),
    search: searchOf(context),
    panel: viewModal(view).panel,
  };
}

/** Title for tabs and shared links: the open station or the chosen hour, and the component. */
function titleOf(view: PortalView, texts: Messages, format: Formatters): string {
  const { portal, detail, state } = view;
  const component =
    portal && shownComponent(portal, { chosen: state.componentId, station: detail?.station });
  if (portal === undefined || component === undefined)
    return detail?.station.name ?? texts('title');
  const { label } = nameOf(component, texts);
  if (detail === undefined) {
    const { hour } = state;
    const isHeld = hour !== undefined && missingHour({ portal, state, texts }) === undefined;
    return isHeld ? `${label}: ${format.hourSpan(hour).text}` : texts('title');
  }
  const { station } = detail;
  if (!station.componentIds.includes(component.id)) return station.name;
  const name = `${station.name}: ${label}`;
  return isFixed(state.period)
    ? `${name}, ${periodName(state.period, detail.interval, { texts, format })}`
    : name;
}

export function viewModal(view: PortalView) {
  const { state, portal, detail, ageHours, timeZone } = view;
  const texts = messagesOf(state.language, 'portal');
  const component =
    portal && shownComponent(portal, { chosen: state.componentId, station: detail?.station });
  if (portal === undefined || detail === undefined || component === undefined)
    return { panel: undefined };
  const format = formattersFor(state.language, timeZone, readingTime(portal, ageHours));
  return {
    panel: {
      ...viewPanel({ ...view, portal, detail, component, texts, format }),
      /** Title for the script that opens the panel. */
      title: titleOf(view, texts, format),
      snapshotId: portal.header.snapshotId,
    },
  };
}

type ViewContext = PortalView &
  TableContext & {
    /** The place of a search for nearby stations. */
    readonly place: Place | undefined;
    readonly places: readonly Place[];
  };

/** Links to all components, which work with and without scripts. */
function pickerOf(
  { portal, state, texts }: ViewContext,
  chosen: PortalComponent,
): readonly Markup[] {
  const linkTo = linksBy(
    'component_id',
    portalLink(state, { componentId: 0, stationId: undefined }),
  );
  return orderedComponents(portal).map((component) => {
    const { label, description } = nameOf(component, texts);
    const title = description && html` title="${description}"`;
    const current = component.id === chosen.id && html` aria-current="true"`;
    return html`
<a href="${linkTo(component.id)}"${title}${current}>${label}</a>`;
  });
}

function viewComponent(context: ViewContext, component: PortalComponent) {
  const { portal, state, texts, map } = context;
  const newest = newestHour(portal, component.id);
  const options = optionsOf(context, component, newest);
  const { hours, unit, windId } = options;
  const name = nameOf(component, texts);
  return {
    ...name,
    unit,
    heading: texts('heading', { component: name.label }),
    hourly: texts(isSummed(component) ? 'hourly-sums' : 'hourly'),
    summary: summaryOf(context, options),
    credit: map?.isOwn === false ? texts('map-credit') : undefined,
    map: map && viewMap({ ...context, ...map, ...options }),
    windLink: windId !== undefined && {
      href: portalLink(state, { hasWind: !state.hasWind, stationId: undefined }),
      text: texts(state.hasWind ? 'hide-wind' : 'show-wind'),
    },
    ...viewRows(context, options),
    columns: columnsOf(context, unit),
    hours: viewHours(hours, newest, context),
    days: viewMapDays(newest, context),
    stateFields: hiddenFields({ ...state, stationId: undefined, hour: undefined }),
    chosenHour: state.hour !== undefined,
    missingHour: missingHour(context),
    newestHref: portalLink(state, { stationId: undefined, hour: undefined }),
  };
}

/** How map and table write the values of a component and of the wind. */
function optionsOf(
  { portal, state, texts, format }: ViewContext,
  component: PortalComponent,
  newest: number | undefined,
) {
  const interval = dayAround(state.hour, portal, format);
  const nearHour = state.hour ?? newest;
  const compass = isDirection(component) ? compassOf(texts) : undefined;
  const windId = compass ? undefined : portal.components.find(isDirection)?.id;
  const options = {
    component,
    scale: colorScale(portal, component),
    near: nearHour === undefined ? portal.header.generatedAtMs : nearHour * HOUR_MS,
    compass,
    label: nameOf(component, texts).label,
    unit: prettyUnit(component.unit),
    interval,
    hours: hoursOfMap(interval, newest, state),
    days: portal.valuesIn(component.id, interval),
    wind: state.hasWind && windId !== undefined ? portal.valuesIn(windId, interval) : undefined,
    texts,
    format,
  };
  return { ...options, windId, partsOf: stationParts(portal, options, state.hour) };
}

/** Compares values of one hour, the chosen or newest one: other hours had other weather. */
function summaryOf(context: ViewContext, { component, scale, compass }: TableOptions) {
  const { rows, state, texts, format } = context;
  const measured = rows
    .flatMap(({ station, current, isLate }) =>
      current === undefined || isLate ? [] : [{ station, ...current }],
    )
    .toSorted((a, b) => b.value - a.value);
  const [highest] = measured;
  const lowest = measured.at(-1);
  const hourShown = state.hour ?? highest?.hour;
  if (hourShown === undefined) return undefined;
  const all = rows.filter(({ station }) => station.latest.has(component.id)).length;
  const hour = {
    hour: format.hourSpan(hourShown),
    compared: texts('compared', { count: measured.length, all }),
  };
  // No station has a value in the chosen hour.
  if (highest === undefined || lowest === undefined) return hour;
  const middle = median(measured.map(({ value }) => value));
  const view = ({ station, value }: typeof highest) => {
    const count = measured.filter((one) => one.value === value).length - 1;
    return {
      name: station.name,
      value: format.number(value),
      color: colorOf(value, scale),
      href: portalLink(state, { stationId: station.id }),
      /** About stations that share an extreme. */
      others: count === 0 ? undefined : texts('more-stations', { count }),
    };
  };
  // Directions have no highest value.
  if (compass) return { ...hour, prevailing: prevailingDirection(measured, compass)?.point };
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

function searchOf(context: ViewContext) {
  const { rows, place, map, state, texts } = context;
  const matches = rows.filter(({ isFound }) => isFound).length;
  return {
    text: state.search,
    isSearching: state.search !== '',
    found: place
      ? texts('near', { place: place.name })
      : matches === 0
        ? texts('nothing-found')
        : texts('found', { shown: matches, all: rows.length }),
    /** Texts for a script, which inserts a number or a place's name. */
    foundText: texts('found', { shown: '{}', all: rows.length }),
    nearText: texts('near', { place: '{}' }),
    isPartial: isPartial(context),
    townsHref:
      map && pageLink('/portal/towns.json', { ...state, theme: undefined }, { v: map.version }),
    limited: matches > ROWS_MAX ? texts('list-limited', { shown: ROWS_MAX }) : undefined,
    clearHref: portalLink(state, { search: '', stationId: undefined }),
    hasMap: map !== undefined,
    hidden: hiddenFields({ ...state, stationId: undefined }, ['q']),
  };
}
