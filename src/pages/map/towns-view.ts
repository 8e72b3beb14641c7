/** The towns on the base map, the largest first: JSON. */
import type { PageStyle } from '../../views/pages/page.js';
import { placesOf } from '../../views/pages/portal/places.js';
import { readPortal } from '../read-portal.js';
import type { Rendered, ViewSource } from '../view.js';
import { renderMap } from './render-map.js';

export function render({ language }: PageStyle, { snapshot, site }: ViewSource): Rendered {
  const opened = snapshot();
  const map = opened && renderMap(readPortal(opened), site.baseMap);
  const text = JSON.stringify(placesOf(map?.towns ?? [], language));
  return map === undefined ? text : { text, digest: map.version };
}
