/** The portal: map, list of stations, and the panel of the open station. */
import type { PortalState } from '../../views/pages/page.js';
import { portalParameters } from '../../views/pages/portal/links.js';
import { portalMarkup } from '../../views/pages/portal/portal-markup.js';
import { viewPortal } from '../../views/pages/portal/portal-page.js';
import { mapOf } from '../map/render-map.js';
import { valuePage, type ViewSource } from '../view.js';
import { readOlder } from '../read-older.js';
import { readPanel } from './read-panel.js';

/** @throws {SnapshotError} `copy_damaged`, `archive_damaged`. */
export async function render(state: PortalState, source: ViewSource): Promise<string> {
  const panel = readPanel(state, source, await readOlder(state, source));
  const map = mapOf(source);
  return valuePage(state, source, portalParameters(state), (layout, texts) =>
    portalMarkup(viewPortal({ ...panel, map }), layout, texts),
  );
}
