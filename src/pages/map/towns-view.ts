/** The towns on the base map, the largest first: JSON. */
import type { PageStyle } from '../../views/pages/page.js';
import { placesOf } from '../../views/pages/portal/places.js';
import type { Rendered, ViewSource } from '../view.js';
import { mapOf } from './render-map.js';

export function render({ language }: PageStyle, source: ViewSource): Rendered {
  const map = mapOf(source);
  const text = JSON.stringify(placesOf(map?.towns ?? [], language));
  return map === undefined ? text : { text, digest: map.version };
}
