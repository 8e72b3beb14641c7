/** A year of one component at one station, or all years: its title, its sentence, and links to others. */
import { messagesOf } from '../../texts/texts.js';
import { pageLink } from '../../views/pages/page.js';
import { unavailable } from '../../views/pages/portal/freshness.js';
import { nameOf } from '../../views/pages/portal/notation.js';
import {
  rankedComponents,
  type Portal,
  type PortalComponent,
} from '../../views/pages/portal/portal-model.js';
import { sentenceOf, shownOf, viewShown } from './years-figures.js';
import { endedComponent, yearsSeries, type ArchivedYears } from './years-series.js';
import type { YearsState } from './years.js';

function idsOf({ id, code }: PortalComponent) {
  return Number.isNaN(id)
    ? { componentId: undefined, parameterCode: code }
    : { componentId: id, parameterCode: undefined };
}

export function yearsParameters({ stationId, componentId, parameterCode, year }: YearsState) {
  const ids = { station_id: stationId, component_id: componentId, parameter_code: parameterCode };
  return { ...ids, year };
}

/** A year of a station, or all years; a notice if no series can be shown. */
export function viewYears(
  requested: YearsState,
  archived: ArchivedYears,
  { portal, timeZone }: { readonly portal: Portal | undefined; readonly timeZone: string },
) {
  const texts = messagesOf(requested.language, 'portal');
  const series = portal && yearsSeries(portal, requested, archived);
  if (series === undefined) return { title: texts('years'), notice: unavailable(texts) };
  const { station, current, component } = series;
  const state = { ...requested, stationId: station.id, ...idsOf(component) };
  const shown = shownOf(state, archived, { ...series, timeZone });
  const { year, periods, format } = shown;
  const { label } = nameOf(component, texts);
  const link = (text: string, change: Partial<YearsState>, isCurrent: boolean) => {
    const href = pageLink('/years', state, yearsParameters({ ...state, ...change }));
    return { label: text, href, isCurrent };
  };
  const window = year === undefined ? texts('years-all') : String(year);
  return {
    title: texts('chart-label', { component: label, station: station.name, window }),
    sentence:
      periods.length > 0
        ? sentenceOf(shown)
        : texts('years-none', { component: label, year: String(year), step: shown.step }),
    note: texts('years-note', { zone: timeZone }),
    years: [
      link(texts('years-all'), { year: 'all' }, year === undefined),
      ...archived.years.map((one) => link(String(one), { year: one }, one === year)),
    ],
    components: componentsOf(series, archived).map((one) =>
      link(nameOf(one, texts).label, idsOf(one), one.code === component.code),
    ),
    ended: archived.ended
      .toSorted((a, b) => format.compare(a.name, b.name))
      .map(({ id, name }) => link(name, { stationId: id }, id === station.id)),
    /** Undefined where the snapshot lacks the series. */
    stationHref:
      current &&
      state.componentId &&
      pageLink('/', state, { station_id: station.id, component_id: component.id }),
    shown: periods.length > 0 ? { label, ...viewShown(shown, series) } : undefined,
  };
}

/** The components that the station measures, or of which the archive has its values. */
function componentsOf(
  { portal, current, component }: NonNullable<ReturnType<typeof yearsSeries>>,
  { codes }: ArchivedYears,
): readonly PortalComponent[] {
  const known = new Set(portal.components.map(({ code }) => code));
  return [
    ...rankedComponents(portal).filter(
      ({ id, code }) =>
        codes.has(code) || current?.componentIds.includes(id) === true || id === component.id,
    ),
    ...[...codes].filter((code) => !known.has(code)).map(endedComponent),
  ];
}
