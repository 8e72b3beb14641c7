/** The base map for one theme: an SVG image. */
import type { PageStyle } from '../../views/pages/page.js';
import { readPortal } from '../read-portal.js';
import type { Rendered, ViewSource } from '../view.js';
import { renderMap } from './render-map.js';

/** An empty image where no station has a position. */
export function render({ theme = 'light' }: PageStyle, { snapshot, site }: ViewSource): Rendered {
  const opened = snapshot();
  const map = opened && renderMap(readPortal(opened), site.baseMap);
  return map === undefined
    ? '<svg xmlns="http://www.w3.org/2000/svg"/>'
    : { text: map.images[theme], digest: map.version };
}
