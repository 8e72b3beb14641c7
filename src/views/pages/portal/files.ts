/** Links to files and to the API with exactly what a chart shows. */
import type { Window } from '../../../snapshot/domain/model.js';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import type { Messages } from '../../../texts/messages.js';
import { EXPORT_FORMATS, EXPORT_WINDOWS } from '../../export-table.js';
import { isFixed, type PortalState } from '../page.js';
import type { Formatters } from './formatters.js';
import { fixedParameters } from './links.js';
import { periodName } from './period.js';
import type { Portal, PortalComponent, StationDetail } from './portal-model.js';

interface FilesOptions {
  readonly portal: Portal;
  readonly detail: StationDetail;
  readonly state: PortalState;
  readonly texts: Messages;
  readonly format: Formatters;
}

export function viewFiles(options: FilesOptions, component: PortalComponent) {
  return { downloads: downloadsOf(options, component), apiHref: apiHrefOf(options, component) };
}

/** Links to `/portal/export`; a day instead of one hour, which cannot be exported. Of hours that stay the CSV of the API. */
function downloadsOf(options: FilesOptions, component: PortalComponent) {
  const { portal, detail, state, texts } = options;
  const hasPoints = detail.series.some(
    (one) => one.component.id === component.id && one.points.length > 0,
  );
  if (!hasPoints) return [];
  if (isFixed(state.period)) {
    const window = periodName(state.period, detail.interval, options);
    return [
      {
        label: 'CSV',
        title: texts('download-label', { format: 'CSV', window }),
        href: `/api/v1/observations.csv?${fixedQuery(options, component, state.period)}`,
      },
    ];
  }
  const exportable = EXPORT_WINDOWS.filter((window) =>
    portal.header.supportedWindows.includes(window),
  );
  const window = exportable.find((one) => one === state.period) ?? exportable[0];
  if (window === undefined) return [];
  return EXPORT_FORMATS.map((format) => ({
    label: format.toUpperCase(),
    title: texts('download-label', {
      format: format.toUpperCase(),
      window: texts(`window-${window}`),
    }),
    href: `/portal/export?${seriesQuery(options, component.id, window)}&format=${format}`,
  }));
}

/** Only the newer API knows hours that stay. */
function apiHrefOf(options: FilesOptions, component: PortalComponent): string {
  const { period } = options.state;
  return isFixed(period)
    ? `/api/v1/observations?${fixedQuery(options, component, period)}`
    : `/measurements?${seriesQuery(options, component.id, period)}`;
}

function fixedQuery(
  { detail }: FilesOptions,
  { code }: PortalComponent,
  period: HourInterval,
): string {
  const station_id = String(detail.station.id);
  return String(
    new URLSearchParams({ station_id, parameter_code: code, ...fixedParameters(period) }),
  );
}

function seriesQuery({ detail }: FilesOptions, componentId: number, window: Window): string {
  return String(
    new URLSearchParams({
      organization_id: String(detail.station.organizationId),
      station_id: String(detail.station.id),
      component_id: String(componentId),
      window,
    }),
  );
}
