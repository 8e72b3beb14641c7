/** The chart of a station as a PNG image, rendered from its SVG image. */
import type { ChartState } from '../../views/pages/page.js';
import { pngOf } from '../../workers/formats/png.js';
import type { ViewSource } from '../view.js';
import { render as renderSvg } from './chart-svg-view.js';

export async function render(state: ChartState, source: ViewSource): Promise<Uint8Array> {
  // All data are read before the `await`, after which the copy may be closed.
  return await pngOf(await renderSvg(state, source));
}
