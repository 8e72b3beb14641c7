/** Links to files and to the API, with the selection of the chart. */
import type { Window } from '../../../snapshot/domain/model.js';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import { EXPORT_FORMATS, EXPORT_WINDOWS } from '../../export-table.js';
import { isFixed, type Period } from '../page.js';
import type { LinesContext } from './context.js';
import { fixedParameters, selectionParameters } from './links.js';
import { periodName } from './period.js';
import type { ChartSeries } from './portal-model.js';

export function viewFiles(options: LinesContext) {
  return { downloads: downloadsOf(options), apiHref: apiHrefOf(options) };
}

/** The period of the links; several series need fixed hours, because only the newer API can select several. */
function selectedPeriod({ series, state }: LinesContext): Period {
  return series.length > 1 && !isFixed(state.period) ? series[0].interval : state.period;
}

/**
 * Links to `/portal/export`, which exports a day if the chart shows a single hour; for fixed hours or several series,
 * one link to the API's CSV instead.
 */
function downloadsOf(options: LinesContext) {
  const { portal, series, state, texts } = options;
  if (!series.some(({ points }) => points.length > 0)) return [];
  const period = selectedPeriod(options);
  if (isFixed(period)) {
    const window = periodName(state.period, series[0].interval, options);
    return [
      {
        label: 'CSV',
        title: texts('download-label', { format: 'CSV', window }),
        href: `/api/v1/observations.csv?${hoursQuery(series, period)}`,
      },
    ];
  }
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

function apiHrefOf(options: LinesContext): string {
  const { series } = options;
  const period = selectedPeriod(options);
  return isFixed(period)
    ? `/api/v1/observations?${hoursQuery(series, period)}`
    : `/measurements?${windowQuery(series[0], period)}`;
}

function hoursQuery(series: readonly ChartSeries[], hours: HourInterval): string {
  const query = [...selectionParameters(series), ...Object.entries(fixedParameters(hours))];
  return new URLSearchParams(query).toString();
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
