/** The daily values of one component at one station: CSV. */
import type { HourInterval } from '../../snapshot/domain/windows.js';
import type { PageStyle } from '../../views/pages/page.js';
import { refuse } from '../../http/routing/endpoint.js';
import { CSV_TYPE } from '../../http/semantics/common-headers.js';
import { page } from '../declaration.js';
import { fixedHours, fixedPeriod, pageStyle, seriesIds, shownSeries } from '../shown.js';

export interface DaysState extends PageStyle {
  readonly stationId: number;
  readonly componentId: number | undefined;
  readonly period: HourInterval | undefined;
}

export const DAYS = page({
  path: '/portal/days.csv',
  parameters: { ...seriesIds, ...fixedPeriod },
  view: 'days/days-view',
  job: 'render-series',
  contentType: CSV_TYPE,
  file: 'attachment',
  refusals: ['no_public_data', 'unavailable'],
  hasNotFoundPage: true,
  operationId: 'getDays',
  state(values, context) {
    if (context.state.served === undefined) return refuse('unavailable');
    const { stationId, componentId, isUnknown } = shownSeries(values, context);
    if (stationId === undefined || isUnknown) return refuse('no_public_data');
    return {
      ...pageStyle({}, context),
      stationId,
      componentId,
      period: fixedHours(values, context),
    };
  },
});
