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
    station_id: anyId(28005002),
    component_id: anyId(8),
    year: anyId(2025),
  },
  job: 'render-years',
  isArchived: true,
  refusals: ['no_public_data', 'no_archive_resource', 'archive_unavailable'],
  hasNotFoundPage: true,
  operationId: 'getYears',
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
