/** Refreshes what the portal shows when another snapshot is served: nothing moves, and the focus stays where it is. */
import { keepingFocus } from './keeping-focus.js';

const EVENTS = '/api/v1/events';

/** A page waits for up to as long, so that all that are open do not ask at once. */
const SPREAD_MS = 3000;

/** What a page shows of a snapshot, beside the map; each is replaced as a whole. */
const PARTS = [
  ...['.intro', '.newest-hour', '.summary', '.map-foot', '.found'],
  'table.stations tbody',
] as const;

/** What the portal does again with what it has been given. */
export interface Refresh {
  /** For each part that was replaced. */
  readonly improve: (part: ParentNode) => void;
  /** For the table and the map as a whole. */
  readonly arrange: () => void;
  /** Whether what the user searches for is hidden and shown here, so that all rows are to be asked for. */
  readonly hasAllRows: boolean;
  /** Shows the panel of a station anew, where one is open. */
  readonly panel: () => Promise<void>;
}

/** Listens to swaps for as long as somebody can see the page. */
export function followSnapshots(refresh: Refresh): void {
  const portal = document.querySelector<HTMLElement>('.portal');
  if (portal === null) return;
  const page = new FollowingPage(portal, refresh);
  const listen = (): void => {
    if (document.hidden) page.pause();
    else page.listen();
  };
  document.addEventListener('visibilitychange', listen);
  listen();
}

class FollowingPage {
  readonly #portal: HTMLElement;
  readonly #refresh: Refresh;
  #events: EventSource | undefined;
  #timer: number | undefined;

  constructor(portal: HTMLElement, refresh: Refresh) {
    this.#portal = portal;
    this.#refresh = refresh;
  }

  listen(): void {
    if (this.#events !== undefined) return;
    this.#events = new EventSource(EVENTS);
    this.#events.addEventListener('snapshot', ({ lastEventId }) => {
      clearTimeout(this.#timer);
      if (lastEventId === this.#portal.dataset['snapshot']) return;
      this.#timer = window.setTimeout(() => void this.#show(), Math.random() * SPREAD_MS);
    });
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#events?.close();
    this.#events = undefined;
  }

  async #show(): Promise<void> {
    const page = await this.#fetch();
    const portal = page?.querySelector<HTMLElement>('.portal');
    const snapshot = portal?.dataset['snapshot'];
    // Without a snapshot, or with another design: what is shown stays, until the next event.
    if (!portal || snapshot === undefined) return;
    keepingFocus(() => {
      for (const selector of PARTS) this.#replace(portal, selector);
      this.#replaceMap(portal);
    });
    this.#portal.dataset['snapshot'] = snapshot;
    this.#refresh.arrange();
    await this.#refresh.panel();
  }

  /** The page at its present address, without the panel, which is asked for by itself. */
  async #fetch(): Promise<Document | undefined> {
    const url = new URL(location.href);
    url.searchParams.delete('station_id');
    if (this.#refresh.hasAllRows) url.searchParams.delete('q');
    try {
      // The browser may keep the page that it has for a minute.
      const response = await fetch(url, { cache: 'no-cache' });
      if (!response.ok) return undefined;
      return new DOMParser().parseFromString(await response.text(), 'text/html');
    } catch {
      return undefined;
    }
  }

  #replace(portal: ParentNode, selector: string): void {
    const [old, young] = [this.#portal, portal].map((one) => one.querySelector(selector));
    if (!old || !young || old.innerHTML === young.innerHTML) return;
    const scrolled = old.querySelector('.components')?.scrollLeft ?? 0;
    old.replaceChildren(...young.childNodes);
    old.querySelector('.components')?.scrollTo(scrolled, 0);
    this.#refresh.improve(old);
  }

  /** Only the circles: the map stays as it was zoomed and moved. */
  #replaceMap(portal: ParentNode): void {
    const [old, young] = [this.#portal, portal].map((one) => one.querySelector('.map-overlay'));
    if (!old || !young) return;
    for (const marker of old.querySelectorAll(':scope > svg')) marker.remove();
    old.append(...young.querySelectorAll(':scope > svg'));
  }
}
