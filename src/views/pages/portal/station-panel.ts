/** Template context of a station's panel: newest values and sparklines of all components, and chart, table and files of one. */
import { WINDOWS, type Window } from '../../../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime } from '../../../snapshot/domain/windows.js';
import { EXPORT_FORMATS, EXPORT_WINDOWS } from '../../export-table.js';
import type { PortalState } from '../page.js';
import type { PortalTexts } from '../../messages/pages/portal-messages.js';
import { mean, SPARK_HEIGHT, SPARK_WIDTH, sparkline, viewChart } from './chart.js';
import { colorOf, colorScale, isPollutant, type ColorScale } from './color-scale.js';
import { portalLink } from './links.js';
import { componentKey, prettyCode, prettyUnit } from './notation.js';
import {
  currentValue,
  isLate,
  newestHour,
  orderedComponents,
  type HourlyValue,
  type Portal,
  type PortalComponent,
  type PortalSeries,
  type StationDetail,
} from './portal-model.js';
import type { Formatters } from './formatters.js';

export interface PanelOptions {
  readonly portal: Portal;
  readonly detail: StationDetail;
  readonly component: PortalComponent;
  readonly state: PortalState;
  readonly texts: PortalTexts;
  readonly format: Formatters;
}

/** Colours of a component by the current values of all stations, as on the map. */
export function networkScale(portal: Portal, component: PortalComponent): ColorScale {
  return colorScale(
    component,
    portal.stations.flatMap((station) => currentValue(portal, station, component.id)?.value ?? []),
  );
}

export function viewPanel(options: PanelOptions) {
  const { portal, detail, component, state, texts } = options;
  const { station } = detail;
  const chosen = detail.series.find((series) => series.component.id === component.id);
  return {
    texts,
    name: station.name,
    code: station.code,
    facts: [
      station.stationType && texts.stationTypes[station.stationType],
      station.address,
      station.municipality,
    ].filter((fact) => fact !== undefined && fact !== ''),
    isActive: station.active,
    closeHref: portalLink(state, { stationId: undefined }),
    cards: cardsOf(options),
    sparkBox: `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`,
    windows: windowsOf(portal, state, texts),
    chosen: chosen === undefined ? undefined : viewSeries(options, chosen),
  };
}

function windowsOf({ header }: Portal, state: PortalState, texts: PortalTexts) {
  return WINDOWS.filter((window) => header.supportedWindows.includes(window)).map((window) => ({
    label: texts.windows[window],
    href: portalLink(state, { window }),
    isCurrent: window === state.window,
  }));
}

/** One card for each component; all sparklines have the same hours. */
function cardsOf({ portal, detail, component, state, texts, format }: PanelOptions) {
  const byId = new Map(detail.series.map((series) => [series.component.id, series]));
  return orderedComponents(portal).flatMap(({ id }) => {
    const series = byId.get(id);
    if (series === undefined) return [];
    const newest = detail.station.latest.get(id);
    const isCurrent = currentValue(portal, detail.station, id) !== undefined;
    const late = isLate(newest, newestHour(portal, id));
    return [
      {
        ...nameOf(series.component, texts),
        unit: prettyUnit(series.component.unit),
        href: portalLink(state, { componentId: id }),
        isChosen: id === component.id,
        value: newest && format.number(newest.value),
        moment: newest && format.moment(newest.hour * HOUR_MS, portal.header.generatedAtMs),
        isCurrent,
        isLate: late,
        color:
          newest && isCurrent && isPollutant(series.component)
            ? colorOf(newest.value, networkScale(portal, series.component))
            : undefined,
        spark: sparkline(series.points, detail.interval),
      },
    ];
  });
}

/** Short name of a component, and a description where there is one. */
export function nameOf(
  { code, name }: Pick<PortalComponent, 'code' | 'name'>,
  texts: PortalTexts,
): { readonly label: string; readonly description: string | undefined } {
  const component = texts.components[componentKey(code)];
  const description = name !== undefined && name !== code ? name : component?.description;
  return { label: component?.label ?? prettyCode(code), description };
}

function viewSeries(options: PanelOptions, { component, points }: PortalSeries) {
  const { portal, detail, state, texts, format } = options;
  const scale = networkScale(portal, component);
  const unit = prettyUnit(component.unit);
  const name = nameOf(component, texts);
  const hours = detail.interval.to - detail.interval.from;
  const number = format.column(points.map(({ value }) => value));
  return {
    ...name,
    unit,
    chart: viewChart({ points, interval: detail.interval, scale, format }),
    chartLabel: texts.chartLabel(name.label, detail.station.name, texts.windows[state.window]),
    statistics: points.length === 0 ? [] : statisticsOf(points, { texts, format }),
    hours,
    fromHour: detail.interval.from,
    missing: hours - points.length,
    gapsText: texts.gaps(String(hours - points.length), String(hours)),
    rows: points.toReversed().map(({ hour, value }) => ({
      moment: format.moment(hour * HOUR_MS),
      utc: utcDateTime(hour * HOUR_MS)
        .slice(0, 16)
        .replace('T', ' '),
      value: number(value),
      hour,
    })),
    downloads: downloadsOf(options, component),
    apiHref: `/measurements?${seriesQuery(options, component.id, state.window)}`,
  };
}

function statisticsOf(
  points: readonly HourlyValue[],
  { texts, format }: Pick<PanelOptions, 'texts' | 'format'>,
) {
  const byValue = points.toSorted((a, b) => a.value - b.value);
  const [lowest] = byValue;
  const highest = byValue.at(-1);
  const extreme = (label: string, point: HourlyValue | undefined) =>
    point === undefined
      ? []
      : [
          {
            label,
            value: format.number(point.value),
            moment: format.moment(point.hour * HOUR_MS),
          },
        ];
  return [
    ...extreme(texts.lowest, lowest),
    {
      label: texts.mean,
      value: format.number(mean(points.map(({ value }) => value))),
      moment: undefined,
    },
    ...extreme(texts.highest, highest),
  ];
}

/** Links to `/portal/export`; a day instead of one hour, which cannot be exported. */
function downloadsOf(options: PanelOptions, { id }: PortalComponent) {
  const { portal, detail, state, texts } = options;
  const exportable = EXPORT_WINDOWS.filter((window) =>
    portal.header.supportedWindows.includes(window),
  );
  const window = exportable.find((one) => one === state.window) ?? exportable[0];
  const hasPoints = detail.series.some(
    ({ component, points }) => component.id === id && points.length > 0,
  );
  if (window === undefined || !hasPoints) return [];
  return EXPORT_FORMATS.map((format) => ({
    label: format.toUpperCase(),
    title: texts.downloadLabel(format.toUpperCase(), texts.windows[window]),
    href: `/portal/export?${seriesQuery(options, id, window)}&format=${format}`,
  }));
}

function seriesQuery({ detail }: PanelOptions, componentId: number, window: Window): string {
  return String(
    new URLSearchParams({
      organization_id: String(detail.station.organizationId),
      station_id: String(detail.station.id),
      component_id: String(componentId),
      window,
    }),
  );
}
