/**
 * Shows the page that the address names: a panel, the slider or the back button change the address, and the page behind
 * follows without a movement or a lost focus.
 *
 * Only parts of one snapshot are exchanged: between two, the extent of the map and everything else may differ.
 */
import { showAges } from './age.js';
import { currentAddress, ROOT, showTitle } from './address.js';
import { keepingFocus } from './keeping-focus.js';
import { reload, SnapshotListener } from './snapshot-listener.js';

/** Parts of the page that depend on its address, beside the map; each is replaced as a whole. */
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

/** All of the map that the address changes: it stays as it was zoomed and moved. */
const MARKERS = '.map-overlay > svg';

export interface Refresh {
  /** Called for the table as a whole when it has other rows. */
  readonly arrange: () => void;
  /** Whether scripts hide and show rows for a search, so that all rows are to be asked for. */
  readonly hasAllRows: boolean;
}

/** @returns to be called when the address has changed, or a dialog has opened or closed. */
export function followAddress(refresh: Refresh): () => Promise<void> {
  const portal = document.querySelector<HTMLElement>('.portal');
  if (portal === null) return () => Promise.resolve();
  const page = new FollowingPage(portal, refresh);
  addEventListener('popstate', () => void page.keepUp());
  return () => page.keepUp();
}

class FollowingPage {
  readonly #portal: HTMLElement;
  readonly #refresh: Refresh;
  /** The state that is shown, or has been asked for. */
  #state: string;
  /** Counts what was asked for: an earlier answer that comes later is not shown. */
  #requests = 0;
  readonly #listener: SnapshotListener;

  constructor(portal: HTMLElement, refresh: Refresh) {
    this.#portal = portal;
    this.#refresh = refresh;
    this.#state = this.#addressedState();
    this.#listener = new SnapshotListener(portal);
  }

  async keepUp(): Promise<void> {
    if (this.#addressedState() !== this.#state) await this.#show();
    this.#listener.update();
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
    const portal = await fetchPortal(new URL(`?${state}`, ROOT));
    if (request !== this.#requests) return;
    // The user moves on through the hours, which is not to be taken back: the page is shown anew after that.
    if (document.querySelector('.map-part.moving')) this.#state = '';
    // What is shown has been changed meanwhile: this would take it back.
    else if (this.#addressedState() !== state) await this.#show();
    // Without a snapshot what is shown stays.
    else if (portal?.dataset['snapshot'] === undefined) this.#state = '';
    else if (portal.dataset['snapshot'] === this.#portal.dataset['snapshot']) {
      this.#replaceBy(portal);
    } else {
      this.#state = '';
      // Behind a dialog the page is loaded when that is closed.
      if (document.querySelector(':modal') === null) reload();
    }
  }

  #replaceBy(next: HTMLElement): void {
    const portal = this.#portal;
    showAges(next);
    keepingFocus(() => {
      for (const part of PARTS) {
        const [old, newer] = [portal.querySelector(part), next.querySelector(part)];
        if (!old || !newer || old.innerHTML === newer.innerHTML) continue;
        old.replaceChildren(...newer.childNodes);
      }
      const markers = next.querySelectorAll(MARKERS);
      if (markers.length === 0) return;
      for (const marker of portal.querySelectorAll(MARKERS)) marker.remove();
      portal.querySelector('.map-overlay')?.append(...markers);
    });
    Object.assign(portal.dataset, next.dataset);
    showTitle();
    this.#refresh.arrange();
  }
}

/** The page as the service has it now: the browser may keep the one that it has for a minute. Undefined where it cannot be had. */
async function fetchPortal(url: URL): Promise<HTMLElement | undefined> {
  try {
    const response = await fetch(url, { cache: 'no-cache' });
    if (!response.ok) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    // Chromium never frees a document with an image that depends on the colour scheme.
    page.querySelector('.map source')?.remove();
    return page.querySelector<HTMLElement>('.portal') ?? undefined;
  } catch {
    return undefined;
  }
}
