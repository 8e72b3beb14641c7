/** The overview: the newest value of every component at every station, in one table. */
import type { PageStyle } from '../../views/pages/page.js';
import { anyId } from '../../http/routing/lenient-parameters.js';
import { page } from '../declaration.js';
import { lenientStyle, pageStyle, shownSeries } from '../shown.js';

export interface OverviewState extends PageStyle {
  /** The component by whose values stations are sorted, the highest first; undefined: sorted by name. */
  readonly sortId: number | undefined;
}

export const OVERVIEW = page({
  path: '/overview',
  parameters: { ...lenientStyle, sort: anyId(8) },
  view: 'overview/overview-view',
  navigation: { places: ['header'], label: 'overview' },
  operationId: 'getOverview',
  ages: 'hours',
  state: (values, context) => ({
    ...pageStyle(values, context),
    sortId: shownSeries({ component_id: values.sort }, context).componentId,
  }),
});
