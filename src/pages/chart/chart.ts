/** The chart of a station as a picture for other sites (docs/http-api/pages.md, "Charts as pictures"). */
import { CHART_SIZE, type ChartState } from '../../views/pages/page.js';
import { PICTURE_STYLES } from '../../http/answers/asset-files.js';
import { refuse, type RequestContext } from '../../http/routing/endpoint.js';
import { anySize } from '../../http/routing/lenient-parameters.js';
import type { Refusal, Values } from '../../http/routing/parameter.js';
import { page, type Page, type Policy } from '../declaration.js';
import {
  anyCompared,
  anyPeriod,
  lenientStyle,
  pageStyle,
  seriesIds,
  shownPeriod,
  shownSeries,
} from '../shown.js';

/** The policy of a picture, which loads nothing, and whose own styles are allowed by their hashes. */
const PICTURE_POLICY: Policy = {
  'default-src': "'none'",
  'style-src': PICTURE_STYLES.join(' '),
};

const chartQuery = {
  ...lenientStyle,
  ...seriesIds,
  ...anyPeriod,
  compare: anyCompared,
  width: anySize(CHART_SIZE.width, 800),
  height: anySize(CHART_SIZE.height, 400),
};

/** Members of both declarations. Any site may show the picture, also a cross-origin isolated one. */
const chart = {
  parameters: chartQuery,
  state: chartState,
  more: [['Cross-Origin-Resource-Policy', 'cross-origin']],
  refusals: ['no_public_data', 'unavailable'],
  hasNotFoundPage: true,
  ages: 'old',
  archived: 'hours',
  file: 'inline',
} as const;

export const CHARTS: readonly Page[] = [
  page({
    ...chart,
    path: '/portal/chart.svg',
    view: 'chart/chart-svg-view',
    job: 'render-series',
    contentType: 'image/svg+xml; charset=utf-8',
    policy: PICTURE_POLICY,
    operationId: 'getChart',
  }),
  page({
    ...chart,
    path: '/portal/chart.png',
    view: 'chart/png-view',
    job: 'render-png',
    contentType: 'image/png',
    isCompressed: true,
    policy: { 'default-src': "'none'" },
    operationId: 'getChartPng',
  }),
];

function chartState(
  values: Values<typeof chartQuery>,
  context: RequestContext,
): ChartState | Refusal {
  if (context.state.served === undefined) return refuse('unavailable');
  const { stationId, componentId, compare, isUnknown } = shownSeries(values, context);
  if (stationId === undefined || isUnknown) return refuse('no_public_data');
  const { width, height, theme = 'light' } = values;
  return {
    ...pageStyle(values, context),
    theme,
    stationId,
    componentId,
    compare,
    period: shownPeriod(values, context),
    width,
    height,
  };
}
