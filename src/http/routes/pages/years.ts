/** The page of a station's years, from the archive (docs/http-api/pages.md, "Pages"). */
import { refuse, type Endpoint } from '../../routing/endpoint.js';
import { anyId } from '../../routing/lenient-parameters.js';
import { withArchive } from '../archive.js';
import { shownSeries } from './chart-image.js';
import { lenientStyle, page, pageStyle } from './page-endpoint.js';

export const YEARS: Endpoint = page({
  path: '/years',
  parameters: {
    ...lenientStyle,
    station_id: anyId({
      description:
        'Whose values they are: 404 for one that neither the snapshot nor the archive has; without it, the first station.',
      example: 28005002,
    }),
    component_id: anyId({
      description: 'What they are of, no direction; without it, what the portal would show.',
      example: 8,
    }),
    year: anyId({
      description:
        'By the days of UTC; without it, and for one that the archive has not, the newest with a value.',
      example: 2025,
    }),
  },
  job: 'render-years',
  isArchived: true,
  refusals: ['no_public_data', 'no_archive_resource', 'archive_unavailable'],
  hasNotFoundPage: true,
  words: {
    id: 'getYears',
    summary: 'A year of a station, day by day',
    description:
      'Mean, lowest and highest value of each UTC day from the archive: a chart, a calendar, a table. Bad values count as none.',
  },
  view({ station_id, component_id, year, ...style }, context) {
    const { stationId = station_id, componentId } = shownSeries(
      { station_id, component_id },
      context,
    );
    const { served } = context.state;
    const shown = { ...pageStyle(style, context), stationId, componentId };
    const request = (known?: number) =>
      ({ kind: 'years', style: { ...shown, year: known } }) as const;
    if (served === undefined) return request();
    return withArchive(context.state, (archive) => {
      const isKnown =
        stationId === undefined || served.stations.has(stationId) || archive.hasStation(stationId);
      if (!isKnown) return refuse('no_public_data');
      return request(year !== undefined && archive.hasYear(year) ? year : undefined);
    });
  },
});
