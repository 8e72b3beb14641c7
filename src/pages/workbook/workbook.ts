/** A station, or the series of a comparison, as a workbook. */
import { WINDOWS } from '../../snapshot/domain/model.js';
import type { ChartState, Period } from '../../views/pages/page.js';
import { refuse } from '../../http/routing/endpoint.js';
import { anyOf } from '../../http/routing/lenient-parameters.js';
import { page } from '../declaration.js';
import {
  anyCompared,
  fixedHours,
  fixedPeriod,
  lenientStyle,
  pageStyle,
  seriesIds,
  shownSeries,
} from '../shown.js';

/** With `compare`, the workbook has the series that the chart compares. */
export interface WorkbookState extends Omit<ChartState, 'period' | 'width' | 'height'> {
  readonly period: Period | undefined;
}

export const WORKBOOK = page({
  path: '/portal/station.xlsx',
  parameters: {
    language: lenientStyle.language,
    ...seriesIds,
    compare: anyCompared,
    ...fixedPeriod,
    window: anyOf(WINDOWS, '7d'),
  },
  view: 'workbook/workbook-view',
  job: 'render-workbook',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  isCompressed: true,
  refusals: ['no_public_data', 'unavailable'],
  hasNotFoundPage: true,
  operationId: 'getStationWorkbook',
  state(values, context) {
    if (context.state.served === undefined) return refuse('unavailable');
    const { stationId, componentId, compare, isUnknown } = shownSeries(values, context);
    if (stationId === undefined || isUnknown) return refuse('no_public_data');
    const period = fixedHours(values, context) ?? values.window;
    const { language } = values;
    return { ...pageStyle({ language }, context), stationId, componentId, compare, period };
  },
});
