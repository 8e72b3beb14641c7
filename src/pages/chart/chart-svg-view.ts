/** The chart of a station as an SVG image. */
import { OLD_HOURS, type ChartState } from '../../views/pages/page.js';
import type { ViewSource } from '../view.js';
import { renderChart } from './render-chart.js';

/** The image, which is empty if there is no chart to show. @throws {SnapshotError} `copy_damaged`. */
export function render(state: ChartState, { snapshot, site, ageHours }: ViewSource): string {
  const opened = snapshot();
  const { width, height } = state;
  return (
    (opened && renderChart({ ...state, isOld: ageHours >= OLD_HOURS }, opened, site)) ??
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`
  );
}
