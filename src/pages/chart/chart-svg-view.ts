/** The chart of a station as an SVG image. */
import { OLD_HOURS, type ChartState } from '../../views/pages/page.js';
import type { ViewSource } from '../view.js';
import { readOlder } from '../read-older.js';
import { renderChart } from './render-chart.js';

/** The image, which is empty if there is no chart to show. @throws {SnapshotError} `copy_damaged`, `archive_damaged`. */
export async function render(state: ChartState, source: ViewSource): Promise<string> {
  const older = await readOlder(state, source);
  const { snapshot, site, ageHours } = source;
  const opened = snapshot();
  const { width, height } = state;
  return (
    (opened && renderChart({ ...state, isOld: ageHours >= OLD_HOURS }, opened, site, older)) ??
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`
  );
}
