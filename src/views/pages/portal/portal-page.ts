/** The portal: what stations measure now, on a map and in a table, and one station in full. */
import type { Language } from '../../../snapshot/domain/model.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { MESSAGES } from '../../messages/languages.js';
import type { PortalTexts } from '../../messages/pages/portal-messages.js';
import { transliterate } from '../../transliterate.js';
import type { Town } from '../map/base-map.js';
import { AGE_HOURS_MAX, STATION_SORTS, type PortalState } from '../page.js';
import { colorOf, type ColorScale } from './color-scale.js';
import { portalLink, portalParameters } from './links.js';
import { viewMap, type MapOptions } from './map-view.js';
import { prettyUnit } from './notation.js';
import {
  orderedComponents,
  shownComponent,
  type Portal,
  type PortalComponent,
  type StationDetail,
} from './portal-model.js';
import { nameOf, networkScale, viewPanel } from './station-panel.js';
import { searchText, stationRows, type StationRow } from './stations.js';
import { wordingIn, type Wording } from './wording.js';

export interface PortalView {
  readonly state: PortalState;
  readonly ageHours: number;
  readonly timeZone: string;
  /** Undefined while there is no snapshot. */
  readonly portal: Portal | undefined;
  /** Of the state's station. */
  readonly detail: StationDetail | undefined;
  /** Undefined where no station has a position. */
  readonly map:
    | (Pick<MapOptions, 'frame' | 'towns' | 'version'> & {
        /** Whether it is the operator's own, whose sources we do not know. */
        readonly isOwn: boolean;
      })
    | undefined;
}

/** Hours after which data are said to be old: one refresh period of a daily snapshot. */
const OLD_HOURS = 24;

/** Context of `templates/portal.liquid`, as `page`. */
export function viewPortal(view: PortalView) {
  const { state, portal, timeZone } = view;
  const texts = MESSAGES[state.language].portal;
  if (portal === undefined) return { texts, title: texts.title, isAvailable: false as const };
  const wording = wordingIn(state.language, timeZone);
  const component = shownComponent(portal, { chosen: state.componentId });
  const rows = stationRows(portal, { componentId: component?.id, state, wording });
  const parts = { ...view, portal, texts, wording, rows };
  return {
    ...{ texts, isAvailable: true as const, title: texts.title, zone: texts.zone(timeZone) },
    freshness: freshnessOf(parts),
    components: pickerOf(parts, component),
    shown: component && viewComponent(parts, component),
    search: searchOf(parts),
    hasStations: rows.length > 0,
    panel: viewModal(view).panel,
  };
}

/** Context of `templates/station-modal.liquid`, as `page`: without a station the dialog is empty and closed. */
export function viewModal({ state, portal, detail, timeZone }: PortalView) {
  const texts = MESSAGES[state.language].portal;
  const component =
    portal && shownComponent(portal, { chosen: state.componentId, station: detail?.station });
  if (portal === undefined || detail === undefined || component === undefined) return { texts };
  const wording = wordingIn(state.language, timeZone);
  return { texts, panel: viewPanel({ portal, detail, component, state, texts, wording }) };
}

interface Parts extends PortalView {
  readonly portal: Portal;
  readonly texts: PortalTexts;
  readonly wording: Wording;
  readonly rows: readonly StationRow[];
}

function freshnessOf({ portal, rows, ageHours, texts, wording }: Parts) {
  const { generatedAtMs } = portal.header;
  const hours = rows.flatMap(({ current }) => current?.hour ?? []);
  const age = ageText(ageHours, { texts, wording });
  return {
    measuredUntil:
      hours.length === 0
        ? undefined
        : wording.moment(
            (Math.max(...hours) + 1) * HOUR_MS,
            // The time alone is enough on the day itself.
            ageHours < OLD_HOURS ? generatedAtMs : undefined,
          ),
    published: wording.fullMoment(generatedAtMs),
    age,
    warning: ageHours >= OLD_HOURS ? texts.old(age) : undefined,
  };
}

function ageText(hours: number, { texts, wording }: Pick<Parts, 'texts' | 'wording'>): string {
  if (hours === 0) return texts.justNow;
  return hours >= AGE_HOURS_MAX ? texts.monthAgo : wording.age(hours);
}

/** Links, so that a choice is one step with and without scripts. */
function pickerOf({ portal, state, texts }: Parts, shown: PortalComponent | undefined) {
  return orderedComponents(portal).map((component) => ({
    ...nameOf(component, texts),
    href: portalLink(state, { componentId: component.id, stationId: undefined }),
    isCurrent: component.id === shown?.id,
  }));
}

function viewComponent(parts: Parts, component: PortalComponent) {
  const { portal, rows, state, texts, wording, map } = parts;
  const scale = networkScale(portal, component);
  const number = wording.column(rows.flatMap(({ current }) => current?.value ?? []));
  const name = nameOf(component, texts);
  const unit = prettyUnit(component.unit);
  return {
    ...name,
    unit,
    heading: texts.heading(name.label),
    summary: summaryOf(parts, { scale, number }),
    credit: map?.isOwn === false ? texts.mapCredit : undefined,
    map:
      map &&
      viewMap({
        rows,
        scale,
        unit,
        state,
        texts,
        wording,
        townName: TOWN_NAMES[state.language],
        ...map,
      }),
    rows: rows
      .filter(({ isFound }) => isFound)
      .map((row) => viewRow(parts, row, { scale, number })),
    columns: columnsOf(parts, unit),
  };
}

/** How each language writes the name of a town. */
const TOWN_NAMES = {
  'sr-Latn': ({ name }) => name,
  'sr-Cyrl': ({ name, inBothScripts }) => (inBothScripts ? transliterate(name) : name),
  en: ({ name }) => name,
} as const satisfies Record<Language, (town: Town) => string>;

/** How the values of the shown component are written and coloured. */
interface Values {
  readonly scale: ColorScale;
  readonly number: (value: number) => string;
}

function summaryOf({ rows, state }: Parts, { scale, number }: Values) {
  const measured = rows
    .flatMap(({ station, current }) => (current === undefined ? [] : [{ station, ...current }]))
    .toSorted((a, b) => b.value - a.value);
  const [highest] = measured;
  const lowest = measured.at(-1);
  const middle = measured[Math.floor(measured.length / 2)];
  if (highest === undefined || lowest === undefined || middle === undefined) return undefined;
  const view = ({ station, value }: typeof highest) => ({
    name: station.name,
    value: number(value),
    color: colorOf(value, scale),
    href: portalLink(state, { stationId: station.id }),
  });
  return {
    highest: view(highest),
    lowest: view(lowest),
    median: { value: number(middle.value), color: colorOf(middle.value, scale) },
    count: measured.length,
  };
}

function viewRow({ portal, state, wording }: Parts, row: StationRow, { scale, number }: Values) {
  const { station, current, newest } = row;
  return {
    id: station.id,
    name: station.name,
    href: portalLink(state, { stationId: station.id }),
    isActive: station.active,
    municipality: station.municipality ?? '',
    value: current && number(current.value),
    color: current && colorOf(current.value, scale),
    moment: newest && wording.moment(newest.hour * HOUR_MS, portal.header.generatedAtMs),
    sought: searchText(station),
    order: current?.value ?? '',
    hour: newest?.hour ?? '',
    isChosen: station.id === state.stationId,
  };
}

function columnsOf({ state, texts }: Parts, unit: string) {
  const labels = { ...texts.columns, value: unit === '' ? texts.columns.value : unit };
  const columns = {
    station: 'name',
    municipality: 'municipality',
    value: 'value',
    time: 'time',
  } as const;
  return (['station', 'municipality', 'value', 'time'] as const).map((name) => ({
    name,
    label: labels[name],
    title: `${texts.sortBy}: ${texts.sorts[columns[name]]}`,
    href: portalLink(state, { sort: columns[name], stationId: undefined }),
    sort: columns[name],
    isCurrent: state.sort === columns[name],
    direction: name === 'value' || name === 'time' ? 'descending' : 'ascending',
  }));
}

function searchOf({ rows, state, texts }: Parts) {
  const found = rows.filter(({ isFound }) => isFound).length;
  const kept = { ...portalParameters({ ...state, stationId: undefined, search: '' }) };
  return {
    text: state.search,
    found: texts.found(String(found), String(rows.length)),
    isEmpty: found === 0,
    clearHref: portalLink(state, { search: '', stationId: undefined }),
    hidden: Object.entries({ language: state.language, theme: state.theme, ...kept }).flatMap(
      ([name, value]) =>
        value === undefined || name === 'sort' || name === 'q' ? [] : [{ name, value }],
    ),
    sorts: STATION_SORTS.map((sort) => ({
      sort,
      label: texts.sorts[sort],
      isCurrent: sort === state.sort,
    })),
  };
}
