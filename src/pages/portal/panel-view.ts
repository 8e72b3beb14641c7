/** The panel of a station alone: a fragment that the script of an open page requests. */
import { messagesOf } from '../../texts/texts.js';
import type { PortalState } from '../../views/pages/page.js';
import { dialogMarkup } from '../../views/pages/portal/portal-markup.js';
import { viewModal } from '../../views/pages/portal/portal-page.js';
import { below, type ViewSource } from '../view.js';
import { readPanel } from './read-panel.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function render(state: PortalState, source: ViewSource): string {
  const { panel } = viewModal({ ...readPanel(state, source), map: undefined });
  const { text } = dialogMarkup(panel, messagesOf(state.language, 'portal'));
  return below(source, `${text}\n`);
}
