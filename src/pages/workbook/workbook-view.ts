/** Renders a workbook of one station, or of the series of a comparison, with a chart. */
import assert from 'node:assert';
import {
  longestWindow,
  orderedComponents,
  shownComponent,
  shownPeriod,
  type ChartSeries,
  type StationDetail,
} from '../../views/pages/portal/portal-model.js';
import { viewWorkbook } from '../../views/pages/portal/workbook-sheets.js';
import { pngOf } from '../../workers/formats/png.js';
import { stationXlsx } from '../../workers/formats/spreadsheets/xlsx.js';
import type { OpenSnapshot } from '../../workers/open-snapshot.js';
import { readCompared, readPortal, readStation } from '../read-portal.js';
import { renderChart } from '../chart/render-chart.js';
import type { ViewSource } from '../view.js';
import type { WorkbookState } from './workbook.js';

/** Size of the picture in pixels, twice its displayed size. */
const SIZE = { width: 1200, height: 600 };

/** @throws {SnapshotError} `copy_damaged`. */
export async function render(state: WorkbookState, source: ViewSource): Promise<Uint8Array> {
  const { stationId } = state;
  const { site } = source;
  const snapshot = source.snapshot();
  assert(snapshot !== undefined, 'the front refuses it without a snapshot');
  const portal = readPortal(snapshot);
  const period = shownPeriod(portal, state.period ?? longestWindow(portal) ?? '1d');
  const detail = readStation(snapshot, { stationId, period });
  assert(detail !== undefined, 'the front knows the stations');
  // All data are read before the `await`, after which the copy may be closed.
  const content = viewWorkbook(portal, seriesOf(snapshot, detail, state), {
    ...detail,
    style: state,
    timeZone: site.timeZone,
  });
  const chart = { ...state, ...SIZE, theme: 'light', period, isOld: false } as const;
  const svg = renderChart(chart, snapshot, site);
  const { generatedAtMs } = portal.header;
  const drawn = svg === undefined ? undefined : { png: await pngOf(svg), ...SIZE };
  return await stationXlsx(content, { generatedAtMs, picture: drawn });
}

/** The series that the chart compares, or else all series of the station, in the order of the page. */
function seriesOf(
  snapshot: OpenSnapshot,
  { station, interval, series }: StationDetail,
  { componentId, compare }: WorkbookState,
): readonly ChartSeries[] {
  const portal = readPortal(snapshot);
  const own = series.map((one) => ({ ...one, station, interval }));
  const firstComponent = shownComponent(portal, { chosen: componentId, station });
  const first = own.find(({ component }) => component === firstComponent);
  const compared = first && compare ? readCompared(snapshot, compare, first) : [];
  if (first && compared.length > 0) return [first, ...compared];
  const order = orderedComponents(portal);
  return own.toSorted((a, b) => order.indexOf(a.component) - order.indexOf(b.component));
}
