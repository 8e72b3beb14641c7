/** The base map for one theme: an SVG image. */
import type { PageStyle } from '../../views/pages/page.js';
import type { Rendered, ViewSource } from '../view.js';
import { mapOf } from './render-map.js';

/** The image, which is empty if no station has a position. */
export function render({ theme = 'light' }: PageStyle, source: ViewSource): Rendered {
  const map = mapOf(source);
  return map === undefined
    ? '<svg xmlns="http://www.w3.org/2000/svg"/>'
    : { text: map.images[theme], digest: map.version };
}
