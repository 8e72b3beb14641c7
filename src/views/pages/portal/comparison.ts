/** Further series in the chart of a station: candidates, links, and titles. */
import { html } from '../../html.js';
import { distanceM } from '../../../snapshot/domain/selection.js';
import { isDirection, prettyUnit } from '../../../snapshot/domain/units.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import { COMPARED_MAX, type Comparison } from '../page.js';
import type { ColorScale } from './color-scale.js';
import type { LinesContext } from './context.js';
import { compareKey, hiddenFields, portalLink } from './links.js';
import { nameOf } from './notation.js';
import { byRank, nameOrder } from './stations.js';
import type {
  ChartLines,
  ChartSeries,
  Portal,
  PortalComponent,
  PortalStation,
} from './portal-model.js';

/** Largest number of stations to choose from: the nearest ones. */
const CHOICES_MAX = 200;

/** Number of the nearest stations that have a link; others can be chosen from a list. */
const LINKED = 6;

/** The other components of a station with the same unit. */
export function comparableComponents(
  { components }: Portal,
  { componentIds }: PortalStation,
  component: PortalComponent,
): readonly PortalComponent[] {
  const unit = prettyUnit(component.unit);
  return components.filter(
    (one) =>
      one.id !== component.id &&
      componentIds.includes(one.id) &&
      unit !== '' &&
      prettyUnit(one.unit) === unit &&
      isDirection(one) === isDirection(component),
  );
}

/** The title of a chart: components, stations and period. */
export function chartTitle(series: readonly ChartSeries[], period: string, texts: Messages) {
  const { component, station } = joinedNames(series, texts);
  return texts('chart-label', { component, station, window: period });
}

/** Names of all components and of all stations, without repetitions. */
export function joinedNames(series: readonly ChartSeries[], texts: Messages) {
  const joined = (names: readonly string[]): string => [...new Set(names)].join(' / ');
  return {
    component: joined(series.map(({ component }) => nameOf(component, texts).label)),
    station: joined(series.map(({ station }) => station.name)),
  };
}

/** Names of the lines: of their stations, or of their components if all are of one station. */
export function lineNames(series: readonly ChartSeries[], texts: Messages): readonly string[] {
  const isOfStation = series.length > 1 && series[0]?.station === series[1]?.station;
  return series.map(({ station, component }) =>
    isOfStation ? nameOf(component, texts).label : station.name,
  );
}

/** The lines of a chart for its plot. @param scale of the first line; used only where all lines have its component. */
export function plotLines(series: ChartLines, scale: ColorScale) {
  const [{ component, points, interval }, ...compared] = series;
  const isOne = compared.every((one) => one.component.id === component.id);
  return {
    points,
    compared: compared.map((one) => one.points),
    interval,
    scale: isOne && !isDirection(component) ? scale : undefined,
  };
}

/** Links that add or remove a series; undefined without candidates. */
export function viewComparison({ portal, series, state, texts, format }: LinesContext) {
  const [{ station, component }, ...compared] = series;
  const kind = compared.length === 0 ? undefined : state.compare?.of;
  const ids = compared.map((one) => (kind === 'components' ? one.component : one.station).id);
  const isFull = ids.length >= COMPARED_MAX;
  const choiceOf = (of: Comparison['of'], id: number, name: string) => {
    const isCompared = ids.includes(id);
    const changed = isCompared ? ids.filter((one) => one !== id) : [...ids, id];
    const compare = changed.length === 0 ? undefined : { of, ids: changed };
    return { key: compareKey(of, id), name, href: portalLink(state, { compare }), isCompared };
  };
  const others = kind === 'components' ? [] : nearestOf(portal, station, component);
  const linked = others.slice(0, LINKED);
  const chosen = kind === 'stations' ? compared.map((one) => one.station) : [];
  const stations = [...chosen.filter((one) => !linked.includes(one)), ...linked];
  const components = kind === 'stations' ? [] : comparableComponents(portal, station, component);
  const groups = [
    {
      label: texts('compare-with'),
      choices: stations.map(({ id, name }) => choiceOf('stations', id, name)),
    },
    {
      label: texts('compare-here', { unit: prettyUnit(component.unit) }),
      choices: components.map((one) => choiceOf('components', one.id, nameOf(one, texts).label)),
    },
  ].map(({ label, choices }) => ({
    label,
    choices: choices.filter(({ isCompared }) => isCompared || !isFull),
  }));
  const more = isFull || others.length <= LINKED ? [] : others;
  if (stations.length + components.length === 0) return undefined;
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    isFull,
    /** Options for all other stations, if not all of them have a link. */
    choices: more
      .filter(({ id }) => !ids.includes(id))
      .toSorted(byRank(nameOrder(portal, format)))
      .map(
        ({ id, name }) => html`
<option value="${id}">${name}</option>`,
      ),
    hidden: hiddenFields(state),
    clearHref: kind && portalLink(state, { compare: undefined }),
  };
}

/** The other stations that measure a component, the nearest first. */
function nearestOf(
  { stations }: Portal,
  { id: ownId, position }: PortalStation,
  component: PortalComponent,
): readonly PortalStation[] {
  const distance = (one: PortalStation): number =>
    (position && distanceM(one.position ?? {}, position)) ?? Number.MAX_VALUE;
  return stations
    .filter(({ id, componentIds }) => id !== ownId && componentIds.includes(component.id))
    .map((one) => ({ one, metres: distance(one) }))
    .toSorted((a, b) => a.metres - b.metres || a.one.id - b.one.id)
    .slice(0, CHOICES_MAX)
    .map(({ one }) => one);
}
