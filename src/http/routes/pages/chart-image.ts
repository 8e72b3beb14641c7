/** `GET /portal/chart.svg` and `/portal/chart.png`: the chart of a station as a picture for other people's pages (docs/http-api/pages.md, "Charts as pictures"). */
import {
  CHART_SIZE,
  COMPARED_MAX,
  OLD_HOURS,
  THEMES,
  type Comparison,
  type PageRequest,
} from '../../../views/pages/page.js';
import { PICTURE_STYLES } from '../../answers/asset-files.js';
import { ageHours } from '../../answers/front-state.js';
import { refuse, type Context, type Endpoint } from '../../routing/endpoint.js';
import { anyComparison, anyId, anyOf, anySize } from '../../routing/lenient-parameters.js';
import type { Refusal, Values } from '../../routing/parameters.js';
import { lenientStyle, page, pageStyle, type Policy } from './page-endpoint.js';
import { anyPeriod, shownPeriod } from './shown-times.js';

/** It loads nothing; its own styles are known by their hashes. */
const PICTURE_POLICY: Policy = {
  'default-src': "'none'",
  'style-src': PICTURE_STYLES.join(' '),
};

/** What a chart of one series shows too. */
export const anyCompared = anyComparison(['28006004']);

const chartQuery = {
  ...lenientStyle,
  theme: anyOf(THEMES),
  station_id: anyId(28005002),
  component_id: anyId(8),
  ...anyPeriod,
  compare: anyCompared,
  width: anySize(CHART_SIZE.width, 800),
  height: anySize(CHART_SIZE.height, 400),
};

/** What both have in common. Any site may show them, one that isolates itself from other origins too. */
const chart = {
  parameters: chartQuery,
  more: [['Cross-Origin-Resource-Policy', 'cross-origin']],
  refusals: ['no_public_data', 'unavailable'],
  hasNotFoundPage: true,
  isAging: true,
  isFile: true,
  view: chartRequest,
} as const;

export const CHARTS: readonly Endpoint[] = [
  page({
    ...chart,
    path: '/portal/chart.svg',
    contentType: 'image/svg+xml; charset=utf-8',
    job: 'render-series',
    policy: PICTURE_POLICY,
    operationId: 'getChart',
  }),
  page({
    ...chart,
    path: '/portal/chart.png',
    contentType: 'image/png',
    job: 'render-png',
    policy: { 'default-src': "'none'" },
    operationId: 'getChartPng',
  }),
];

function chartRequest(values: Values<typeof chartQuery>, context: Context): PageRequest | Refusal {
  if (context.state.served === undefined) return refuse('unavailable');
  const shown = shownSeries(values, context);
  const { stationId } = shown;
  if (stationId === undefined || shown.isUnknown) return refuse('no_public_data');
  const { width, height, theme = 'light' } = values;
  return {
    kind: 'chart',
    picture: {
      stationId,
      componentId: shown.componentId,
      compare: shown.compare,
      period: shownPeriod(values, context),
      width,
      height,
      isOld: ageHours(context.state) >= OLD_HOURS,
    },
    style: { ...pageStyle(values, context), theme },
  };
}

/** The stations and components that exist among the requested ones; nothing is compared with itself, or twice. */
export function shownSeries(
  ids: Readonly<Partial<Record<'station_id' | 'component_id', number | undefined>>> & {
    readonly compare?: Comparison | undefined;
  },
  { state: { served } }: Context,
) {
  const known = (id: number | undefined, among: ReadonlySet<number> | undefined) =>
    id !== undefined && among?.has(id) === true ? id : undefined;
  const stationId = known(ids.station_id, served?.stations);
  const componentId = known(ids.component_id, served?.components);
  const { of = 'stations', ids: named = [] } = ids.compare ?? {};
  const own = of === 'stations' ? stationId : componentId;
  const compared = [...new Set(named)]
    .filter((id) => id !== own && served?.[of].has(id) === true)
    .slice(0, COMPARED_MAX);
  const isCompared = stationId !== undefined && compared.length > 0;
  return {
    stationId,
    componentId,
    compare: isCompared ? { of, ids: compared } : undefined,
    /** Whether a component is asked for that does not exist: a file of another one would not be what was asked for. */
    isUnknown: ids.component_id !== undefined && componentId === undefined,
  };
}
