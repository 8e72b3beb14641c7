/** Links to files and to the API, with the selection of the chart. */
import type { Window } from '../../../snapshot/domain/model.js';
import { EXPORT_FORMATS, EXPORT_WINDOWS } from '../../export-table.js';
import { isFixed } from '../page.js';
import type { LinesContext } from './context.js';
import { fixedParameters, selectionParameters } from './links.js';
import { periodName } from './period.js';
import type { ChartSeries } from './portal-model.js';

/** For fixed hours or several series, one link to the API's CSV; otherwise links to `/portal/export`. */
export function viewFiles(options: LinesContext) {
  const { series, state, texts } = options;
  const [first] = series;
  const hasValues = series.some(({ points }) => points.length > 0);
  // Several series need fixed hours, because only the newer API can select several.
  const period = series.length > 1 && !isFixed(state.period) ? first.interval : state.period;
  if (!isFixed(period))
    return {
      downloads: hasValues ? exportsOf(options, period) : [],
      apiHref: `/measurements?${windowQuery(first, period)}`,
    };
  const query = String(
    new URLSearchParams([
      ...selectionParameters(series),
      ...Object.entries(fixedParameters(period)),
    ]),
  );
  const window = periodName(state.period, first.interval, options);
  const title = texts('download-label', { format: 'CSV', window });
  return {
    downloads: hasValues
      ? [{ label: 'CSV', title, href: `/api/v1/observations.csv?${query}` }]
      : [],
    apiHref: `/api/v1/observations?${query}`,
  };
}

/** Links to exports, of a day if the chart shows a single hour. */
function exportsOf({ portal, series, texts }: LinesContext, period: Window) {
  const exportable = EXPORT_WINDOWS.filter((window) =>
    portal.header.supportedWindows.includes(window),
  );
  const window = exportable.find((one) => one === period) ?? exportable[0];
  if (window === undefined) return [];
  return EXPORT_FORMATS.map((format) => ({
    label: format.toUpperCase(),
    title: texts('download-label', {
      format: format.toUpperCase(),
      window: texts(`window-${window}`),
    }),
    href: `/portal/export?${windowQuery(series[0], window)}&format=${format}`,
  }));
}

function windowQuery({ station, component }: ChartSeries, window: Window): string {
  return String(
    new URLSearchParams({
      organization_id: String(station.organizationId),
      station_id: String(station.id),
      component_id: String(component.id),
      window,
    }),
  );
}
