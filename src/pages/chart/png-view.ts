/** The chart of a station as a PNG image, from the SVG image of the same chart. */
import type { ChartState } from '../../views/pages/page.js';
import { pngOf } from '../../workers/formats/png.js';
import type { ViewSource } from '../view.js';
import { render as renderSvg } from './svg-view.js';

/** @throws {SnapshotError} `copy_damaged`. */
export async function render(state: ChartState, source: ViewSource): Promise<Uint8Array> {
  // All is read before the `await`: later the copy may be closed.
  return await pngOf(renderSvg(state, source));
}
