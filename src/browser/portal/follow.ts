/** Refreshes what the portal shows when another snapshot is served: nothing moves, and the focus stays where it is. */
import { currentAddress, ROOT } from './address.js';
import { keepingFocus } from './keeping-focus.js';

const EVENTS = new URL('api/v1/events', ROOT);

/** A page waits for up to as long, so that all that are open do not ask at once. */
const SPREAD_MS = 3000;

/** What a page shows of a snapshot, beside the map; each is replaced as a whole. */
const PARTS = [
  '.intro-head',
  '.components',
  '.newest-hour',
  '.summary',
  '.map-hours',
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
  /** Shows the panel of a station anew, where one is open. */
  readonly panel: () => Promise<void>;
  /** Whether the user moves through the hours, which is not to be taken back: the page will be shown anew after that. */
  readonly isMoving: () => boolean;
}

/**
 * Listens to swaps for as long as somebody can see the page.
 *
 * @returns what shows the page at its present address anew.
 */
export function followSnapshots(refresh: Refresh): () => Promise<void> {
  const portal = document.querySelector<HTMLElement>('.portal');
  if (portal === null) return () => Promise.resolve();
  let events: EventSource | undefined;
  let timer: number | undefined;
  const listen = (): void => {
    clearTimeout(timer);
    events?.close();
    if (document.hidden) return;
    events = new EventSource(EVENTS);
    events.addEventListener('snapshot', ({ lastEventId }) => {
      clearTimeout(timer);
      if (lastEventId === portal.dataset['snapshot']) return;
      timer = window.setTimeout(() => void show(portal, refresh), Math.random() * SPREAD_MS);
    });
  };
  document.addEventListener('visibilitychange', listen);
  listen();
  return () => show(portal, refresh);
}

async function show(portal: HTMLElement, refresh: Refresh): Promise<void> {
  const { href } = location;
  const next = await fetchPortal(refresh.hasAllRows);
  if (refresh.isMoving()) return;
  // What is shown has been changed meanwhile: this would take it back.
  if (location.href !== href) {
    await show(portal, refresh);
    return;
  }
  const snapshot = next?.dataset['snapshot'];
  // Without a snapshot, or with another design: what is shown stays, until the next event.
  if (!next || snapshot === undefined) return;
  refresh.enhance(next);
  keepingFocus(() => {
    for (const selector of PARTS) replace(portal, next, selector);
    const markers = next.querySelectorAll(MARKERS);
    if (markers.length === 0) return;
    for (const marker of portal.querySelectorAll(MARKERS)) marker.remove();
    portal.querySelector('.map-overlay')?.append(...markers);
  });
  portal.dataset['snapshot'] = snapshot;
  refresh.arrange();
  await refresh.panel();
}

/** The page at its present address, without the panel, which is asked for by itself. */
async function fetchPortal(hasAllRows: boolean): Promise<HTMLElement | null> {
  const url = currentAddress();
  url.searchParams.delete('station_id');
  if (hasAllRows) url.searchParams.delete('q');
  return (await fetchPage(url))?.querySelector<HTMLElement>('.portal') ?? null;
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

function replace(portal: ParentNode, next: ParentNode, selector: string): void {
  const [old, newer] = [portal.querySelector(selector), next.querySelector(selector)];
  if (!old || !newer || old.innerHTML === newer.innerHTML) return;
  old.replaceChildren(...newer.childNodes);
}
