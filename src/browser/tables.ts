/** Script of the tables of all stations: new values when there are any, where the reader has scrolled to. */
import { fetchPage } from './portal/follow.js';
import { keepingFocus, replaceParts } from './portal/keeping-focus.js';
import { SnapshotListener } from './portal/snapshot-listener.js';

const PARTS = ['.warning', '.freshness', '.facts', 'table.overview'] as const;

const page = document.querySelector<HTMLElement>('.overview-page');
if (page) {
  const listener = new SnapshotListener(page, async () => {
    const next = (await fetchPage(new URL(location.href)))?.querySelector<HTMLElement>(
      '.overview-page',
    );
    // Without a snapshot, or with another design: what is shown stays.
    if (!next) {
      listener.tryAgain();
      return;
    }
    keepingFocus(() => {
      replaceParts(page, next, PARTS);
    });
    Object.assign(page.dataset, next.dataset);
  });
}
