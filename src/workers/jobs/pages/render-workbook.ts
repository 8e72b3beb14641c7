/** Renders a workbook of one station, or of what is compared with it, with a chart. */
import assert from 'node:assert';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { PageRequest } from '../../../views/pages/page.js';
import {
  longestWindow,
  orderedComponents,
  shownComponent,
  shownPeriod,
  type ChartSeries,
  type StationDetail,
} from '../../../views/pages/portal/portal-model.js';
import { viewWorkbook } from '../../../views/pages/portal/workbook.js';
import { planBytes } from '../../formats/answers.js';
import { pngOf } from '../../formats/png.js';
import { stationXlsx } from '../../formats/spreadsheets/xlsx.js';
import type { RenderPageTask } from '../../messages.js';
import { openSnapshot, type OpenSnapshot } from '../../open-snapshot.js';
import { readCompared, readPortal, readStation } from './read-portal.js';
import { renderChart } from './render-chart.js';

/** Twice as many pixels as it is shown with. */
const SIZE = { width: 1200, height: 600 };

/** @throws {SnapshotError} `copy_damaged`. */
export async function renderWorkbook({ location, page, site }: RenderPageTask): Promise<Plan> {
  assert(location !== undefined && page.kind === 'workbook', 'only stations have a workbook');
  const { stationId, componentId, compare, style } = page;
  const snapshot = openSnapshot(location);
  const portal = readPortal(snapshot);
  const longest = longestWindow(portal);
  const period = shownPeriod(portal, page.period ?? longest ?? '1d');
  const detail = readStation(snapshot, { stationId, period });
  assert(detail !== undefined, 'the front knows the stations');
  // All is read before the `await`: later the copy may be closed.
  const content = viewWorkbook(portal, seriesOf(snapshot, detail, page), {
    ...detail,
    style,
    timeZone: site.timeZone,
  });
  const picture = { stationId, componentId, compare, period, isOld: false, ...SIZE };
  const svg = renderChart(
    { kind: 'chart', picture, style: { ...style, theme: 'light' } },
    snapshot,
    site,
  );
  const { generatedAtMs } = portal.header;
  const drawn = svg === undefined ? undefined : { png: await pngOf(svg), ...SIZE };
  const bytes = await stationXlsx(content, { generatedAtMs, picture: drawn });
  return planBytes(bytes, { gzip: false });
}

/** Of a comparison just what its chart shows, else all that the station measures, in the order of the page. */
function seriesOf(
  snapshot: OpenSnapshot,
  { station, interval, series }: StationDetail,
  { componentId, compare }: Extract<PageRequest, { readonly kind: 'workbook' }>,
): readonly ChartSeries[] {
  const portal = readPortal(snapshot);
  const own = series.map((one) => ({ ...one, station, interval }));
  const shown = shownComponent(portal, { chosen: componentId, station });
  const first = own.find(({ component }) => component === shown);
  const compared = first && compare ? readCompared(snapshot, compare, first) : [];
  if (first && compared.length > 0) return [first, ...compared];
  const order = orderedComponents(portal);
  return own.toSorted((a, b) => order.indexOf(a.component) - order.indexOf(b.component));
}
