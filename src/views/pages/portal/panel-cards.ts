/** The cards of a panel: each component's newest value and sparkline. */
import { isDirection, prettyUnit } from '../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { html, type Markup } from '../../html.js';
import { compassOf, sectorOf } from './chart/direction.js';
import { SPARK_HEIGHT, SPARK_WIDTH, sparkDots, sparkline } from './chart/sparkline.js';
import { colorScale, swatchMarkup } from './color-scale.js';
import type { StationContext } from './context.js';
import { momentMarkup } from './formatters.js';
import { linksBy, portalLink } from './links.js';
import { nameOf } from './notation.js';
import {
  currentValue,
  isLate,
  newestHour,
  orderedComponents,
  type HourlyValue,
  type PortalSeries,
} from './portal-model.js';

/** Cards by component; their sparklines have the same hours. */
export function cardsOf(options: StationContext): readonly Markup[] {
  const { portal, detail, state } = options;
  const byId = new Map(detail.series.map((series) => [series.component.id, series]));
  // A comparison with other components ends when another component is chosen.
  const compare = state.compare?.of === 'components' ? undefined : state.compare;
  const linkTo = linksBy('component_id', portalLink(state, { componentId: 0, compare }));
  return orderedComponents(portal)
    .flatMap(({ id }) => byId.get(id) ?? [])
    .map((series) => cardOf(series, linkTo(series.component.id), options));
}

function cardOf({ component, points }: PortalSeries, href: Markup, context: StationContext) {
  const { detail, texts } = context;
  const newest = detail.station.latest.get(component.id);
  const isWind = isDirection(component);
  const { label, description } = nameOf(component, texts);
  const spark = (isWind ? sparkDots : sparkline)(points, detail.interval);
  const current = component.id === context.component.id && html` aria-current="true"`;
  const value = newest
    ? cardValue(newest, { ...context, component })
    : html`<span class="card-value none">${texts('no-value')}</span>`;
  const drawn =
    spark &&
    html`<svg viewBox="0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path${isWind && html` class="dots"`} d="${spark}"/></svg>`;
  return html`
<li><a href="${href}"${current}${description && html` title="${description}"`}><span class="card-name">${label}</span>${value}${drawn}</a></li>`;
}

function cardValue(
  newest: HourlyValue,
  { portal, detail, component, texts, format }: StationContext,
): Markup {
  const isCurrent = currentValue(portal, detail.station, component.id) !== undefined;
  const swatch = isCurrent && swatchMarkup(newest.value, colorScale(portal, component));
  // A direction also has a name: `° NW`.
  const point = isDirection(component) ? ` ${compassOf(texts)[sectorOf(newest.value)] ?? ''}` : '';
  const time = momentMarkup(format.moment(newest.hour * HOUR_MS, portal.header.generatedAtMs));
  const late =
    isLate(newest, newestHour(portal, component.id)) &&
    html` <span class="late">${texts('late')}</span>`;
  return html`<span class="card-value${!isCurrent && ' old'}">${swatch}<b>${format.number(newest.value)}</b> ${prettyUnit(component.unit)}${point}</span><span class="card-time">${time}${late}</span>`;
}
