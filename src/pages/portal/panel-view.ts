/** The panel of a station alone: a fragment that the script of an open page requests. */
import { messagesOf } from '../../texts/texts.js';
import type { PortalState } from '../../views/pages/page.js';
import { dialogMarkup } from '../../views/pages/portal/portal-markup.js';
import { viewModal } from '../../views/pages/portal/portal-page.js';
import { below, type ViewSource } from '../view.js';
import { readOlder } from '../read-older.js';
import { readPanel } from './read-panel.js';

/** @throws {SnapshotError} `copy_damaged`, `archive_damaged`. */
export async function render(state: PortalState, source: ViewSource): Promise<string> {
  const older = await readOlder(state, source);
  const { panel } = viewModal({ ...readPanel(state, source, older), map: undefined });
  const { text } = dialogMarkup(panel, messagesOf(state.language, 'portal'));
  return below(source, `${text}\n`);
}
