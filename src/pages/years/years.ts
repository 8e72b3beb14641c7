/** A year of one component at one station by day, or all years by month, from the archive (docs/http-api/pages.md, "Pages"). */
import type { PageStyle } from '../../views/pages/page.js';
import { withArchive } from '../../http/routes/archive-routes.js';
import { refuse } from '../../http/routing/endpoint.js';
import { anyText } from '../../http/routing/lenient-parameters.js';
import { page } from '../declaration.js';
import { lenientStyle, pageStyle, seriesIds, shownSeries } from '../shown.js';

export interface YearsState extends PageStyle {
  /** Id in the snapshot or the archive; default: the first station that measures the component. */
  readonly stationId: number | undefined;
  readonly componentId: number | undefined;
  /** Code of a component that only the archive has. */
  readonly parameterCode: string | undefined;
  /** Default: the newest year with a value. */
  readonly year: number | 'all' | undefined;
}

export const YEARS = page({
  path: '/years',
  parameters: {
    ...lenientStyle,
    ...seriesIds,
    parameter_code: anyText(100),
    year: anyText(5, '2025'),
  },
  view: 'years/years-view',
  job: 'render-years',
  navigation: { places: ['header'], label: 'years' },
  archived: 'years',
  refusals: ['no_public_data', 'no_archive_resource', 'archive_unavailable'],
  hasNotFoundPage: true,
  operationId: 'getYears',
  state(values, context) {
    const { stationId = values.station_id, componentId } = shownSeries(values, context);
    const { served } = context.state;
    const common = { ...pageStyle(values, context), stationId, componentId };
    if (served === undefined) return { ...common, parameterCode: undefined, year: undefined };
    return withArchive<YearsState>(context.state, (archive) => {
      const isKnown =
        stationId === undefined || served.stations.has(stationId) || archive.hasStation(stationId);
      if (!isKnown) return refuse('no_public_data');
      const { parameter_code: code, year } = values;
      return {
        ...common,
        parameterCode:
          !served.parameterCodes.has(code) && archive.hasParameter(code) ? code : undefined,
        year: year === 'all' ? year : archive.hasYear(Number(year)) ? Number(year) : undefined,
      };
    });
  },
});
