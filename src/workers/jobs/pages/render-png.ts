/** Renders the chart of a station as a PNG image, from the SVG image of the same chart. */
import assert from 'node:assert';
import type { Plan } from '../../../snapshot/local/plan.js';
import { planBytes } from '../../formats/answers.js';
import { pngOf } from '../../formats/png.js';
import type { RenderPageTask } from '../../messages.js';
import { openSnapshot } from '../../open-snapshot.js';
import { renderChart } from './render-chart.js';

/** @throws {SnapshotError} `copy_damaged`. */
export async function renderPng({ location, page, site }: RenderPageTask): Promise<Plan> {
  assert(location !== undefined && page.kind === 'chart', 'only charts are rendered as PNG');
  const { width, height } = page.picture;
  // All is read before the `await`: later the copy may be closed.
  const svg =
    renderChart(page, openSnapshot(location), site) ??
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`;
  return planBytes(await pngOf(svg), { gzip: false });
}
