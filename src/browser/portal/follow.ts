/**
 * Keeps what the portal shows to its address and to the snapshot that is served: nothing moves, and the focus stays where it is.
 *
 * Whatever changes the address (a panel, the slider, the back button) has the page behind it shown anew.
 */
import { currentAddress, ROOT, showTitle } from './address.js';
import { keepingFocus, replaceParts } from './keeping-focus.js';
import { SnapshotListener } from './snapshot-listener.js';

/** What a page shows of a snapshot, beside the map; each is replaced as a whole. */
const PARTS = [
  '.intro-head',
  '.search-state',
  '.components',
  '.newest-hour',
  '.summary',
  '.map-times',
  '.map-foot',
  '.found',
  'table.stations',
] as const;

/** All of the map that a snapshot changes: it stays as it was zoomed and moved. */
const MARKERS = '.map-overlay > svg';

/** What the portal does again with a new version of the page. */
export interface Refresh {
  /** For the new version, before its parts are shown. */
  readonly enhance: (page: ParentNode) => void;
  /** For the table as a whole, after that. */
  readonly arrange: () => void;
  /** Whether what the user searches for is hidden and shown here, so that all rows are to be asked for. */
  readonly hasAllRows: boolean;
  /** Shows the panel of a station anew, where one is open; whether there is nothing left to do. */
  readonly panel: () => Promise<boolean>;
  /** Whether the user moves through the hours, which is not to be taken back: the page will be shown anew after that. */
  readonly isMoving: () => boolean;
}

/**
 * Listens to swaps for as long as somebody can see the page.
 *
 * @returns what shows the page at its present address, where it shows another state, or a panel is of another snapshot.
 */
export function followSnapshots(refresh: Refresh): (panelSnapshot?: string) => Promise<void> {
  const portal = document.querySelector<HTMLElement>('.portal');
  if (portal === null) return () => Promise.resolve();
  const page = new FollowingPage(portal, refresh);
  addEventListener('popstate', () => void page.keepUp());
  return (panelSnapshot) => page.keepUp(panelSnapshot);
}

class FollowingPage {
  readonly #portal: HTMLElement;
  readonly #refresh: Refresh;
  /** What is shown, or has been asked for. */
  #state: string;
  /** Whether the panel is perhaps of another snapshot than the page. */
  #isPanelOld = false;
  /** Counts what was asked for: an earlier answer that comes later is not shown. */
  #requests = 0;
  readonly #listener: SnapshotListener;

  constructor(portal: HTMLElement, refresh: Refresh) {
    this.#portal = portal;
    this.#refresh = refresh;
    this.#state = this.#addressedState();
    this.#listener = new SnapshotListener(portal, () => this.#show());
  }

  async keepUp(panelSnapshot = this.#portal.dataset['snapshot']): Promise<void> {
    this.#isPanelOld ||= panelSnapshot !== this.#portal.dataset['snapshot'];
    if (this.#isPanelOld || this.#addressedState() !== this.#state) await this.#show();
  }

  /** All of the address that the page shows without a panel, in one order. */
  #addressedState(): string {
    const { searchParams } = currentAddress();
    for (const name of ['station_id', 'compare']) searchParams.delete(name);
    if (this.#refresh.hasAllRows) searchParams.delete('q');
    searchParams.sort();
    return String(searchParams);
  }

  async #show(): Promise<void> {
    this.#requests += 1;
    const request = this.#requests;
    const state = this.#addressedState();
    this.#state = state;
    const next = await fetchPage(new URL(`?${state}`, ROOT));
    if (request !== this.#requests) return;
    if (this.#refresh.isMoving()) {
      this.#state = '';
      return;
    }
    // What is shown has been changed meanwhile: this would take it back.
    if (this.#addressedState() !== state) {
      await this.#show();
      return;
    }
    const portal = next?.querySelector<HTMLElement>('.portal');
    const snapshot = portal?.dataset['snapshot'];
    // Without a snapshot, or with another design: what is shown stays.
    if (!portal || snapshot === undefined) {
      this.#state = '';
      this.#listener.tryAgain();
      return;
    }
    this.#isPanelOld ||= snapshot !== this.#portal.dataset['snapshot'];
    this.#replaceBy(portal);
    Object.assign(this.#portal.dataset, portal.dataset);
    showTitle();
    this.#refresh.arrange();
    if (!this.#isPanelOld) return;
    this.#isPanelOld = !(await this.#refresh.panel());
    if (this.#isPanelOld) this.#listener.tryAgain();
  }

  #replaceBy(next: HTMLElement): void {
    const portal = this.#portal;
    this.#refresh.enhance(next);
    keepingFocus(() => {
      replaceParts(portal, next, PARTS);
      const markers = next.querySelectorAll(MARKERS);
      if (markers.length === 0) return;
      for (const marker of portal.querySelectorAll(MARKERS)) marker.remove();
      portal.querySelector('.map-overlay')?.append(...markers);
    });
  }
}

/** A page as the service has it now: the browser may keep the one that it has for a minute. Undefined where it cannot be had. */
export async function fetchPage(url: URL): Promise<Document | undefined> {
  try {
    const response = await fetch(url, { cache: 'no-cache' });
    if (!response.ok) return undefined;
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return undefined;
  }
}
