/** A week of one component at all stations, day by day: a page and a CSV file. */
import { DAY_MS } from '../../snapshot/domain/zone-clock.js';
import { EPISODE_FIGURES, type PageStyle } from '../../views/pages/page.js';
import { refuse, type RequestContext } from '../../http/routing/endpoint.js';
import { anyOf, anyText } from '../../http/routing/lenient-parameters.js';
import { CSV_TYPE } from '../../http/semantics/common-headers.js';
import { page } from '../declaration.js';
import { lenientStyle, pageStyle, seriesIds, shownSeries } from '../shown.js';

export interface EpisodeState extends PageStyle {
  readonly componentId: number | undefined;
  readonly figure: (typeof EPISODE_FIGURES)[number];
  /** Order of the stations: by `name`, or by a day `YYYY-MM-DD`; default: by the highest figure of the week. */
  readonly sort: string | undefined;
}

const { component_id } = seriesIds;

export const EPISODE = page({
  path: '/episode',
  parameters: {
    ...lenientStyle,
    component_id,
    figure: anyOf(EPISODE_FIGURES, 'mean'),
    sort: anyText(10),
  },
  view: 'episode/episode-view',
  navigation: { places: ['header'], label: 'episode' },
  operationId: 'getEpisode',
  ages: 'hours',
  state: (values, context): EpisodeState => ({
    ...pageStyle(values, context),
    componentId: shownSeries(values, context).componentId,
    figure: values.figure ?? EPISODE_FIGURES[0],
    sort: values.sort === 'name' ? 'name' : shownDay(values.sort, context),
  }),
});

export interface WeekState extends PageStyle {
  readonly componentId: number | undefined;
}

export const WEEK = page({
  path: '/portal/episode.csv',
  parameters: { component_id },
  view: 'episode/csv-view',
  job: 'render-series',
  contentType: CSV_TYPE,
  file: 'attachment',
  refusals: ['no_public_data', 'unavailable'],
  hasNotFoundPage: true,
  operationId: 'getEpisodeCsv',
  state(values, context) {
    const { served } = context.state;
    if (served === undefined) return refuse('unavailable');
    const { componentId, isUnknown } = shownSeries(values, context);
    const isRanked = componentId === undefined || !served.directions.has(componentId);
    if (isUnknown || !isRanked) return refuse('no_public_data');
    return { ...pageStyle({}, context), componentId };
  },
});

/** A day that may be in the snapshot's last week, in any time zone. */
function shownDay(text: string, { state: { served } }: RequestContext): string | undefined {
  if (served === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const ageMs = served.snapshot.reader.header.generatedAtMs - Date.parse(text);
  return ageMs > -DAY_MS && ageMs < 10 * DAY_MS ? text : undefined;
}
