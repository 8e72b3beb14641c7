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
export const anyCompared = anyComparison({
  description:
    'Up to five others in the same chart, as repeats or a list with commas: ids of stations, or of components of this ' +
    'station in the same unit, each after a `c`. What cannot be compared counts as none.',
  example: ['28006004'],
});

const chartQuery = {
  ...lenientStyle,
  theme: anyOf(THEMES, {
    description: '`light` or `dark`; `light` if none is given.',
  }),
  station_id: anyId({
    description: 'Whose chart it is: 404 without a station that there is.',
    example: 28005002,
  }),
  component_id: anyId({
    description: 'What it shows: 404 for an unknown component; without it, what the portal would.',
    example: 8,
  }),
  ...anyPeriod,
  compare: anyCompared,
  width: anySize(CHART_SIZE.width, {
    description: 'In pixels, from 100 to 2,000; 800 if none is given.',
    example: 800,
  }),
  height: anySize(CHART_SIZE.height, {
    description: 'In pixels, from 100 to 2,000; 400 if none is given.',
    example: 400,
  }),
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
    words: {
      id: 'getChart',
      summary: 'The chart of a station as a picture',
      description:
        'One self-contained SVG for an `<img>` on any page, or for a report: hours without a value are gaps, wind direction ' +
        'is drawn as direction, the source is named in it. Bad values of other parameters count as none.',
    },
  }),
  page({
    ...chart,
    path: '/portal/chart.png',
    contentType: 'image/png',
    job: 'render-png',
    policy: { 'default-src': "'none'" },
    words: {
      id: 'getChartPng',
      summary: 'The same picture as PNG',
      description:
        'For what shows no SVG: office programs, messengers, social networks. Exactly `width` by `height` pixels, so ask for ' +
        'twice the size at which it is printed.',
    },
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
