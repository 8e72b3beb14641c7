/** Reloads the page when another snapshot is active, or when the address needs other content. */
import { currentAddress, currentNarrowing, ROOT } from './page-address.js';

const EVENTS = new URL('api/v1/events', ROOT);

/** A small answer whose header fields name the active snapshot. */
const SERVED = new URL('api/v1/parameters', ROOT);

/** Pages wait for a random part of this time, so that they do not reload all at once. */
const SPREAD_MS = 3000;

/** Delay before a page tries again, after a refused connection or without a snapshot. */
const RETRY_MS = 30_000;

/** Selector of elements in use: an open dialog, a focused field, a zoomed or moving map, open details. */
const IN_USE =
  ':modal, :is(input, select, textarea):focus, .map.zoomed, .map-part.moving, main details[open]';

/**
 * @param own parameters of the address that scripts handle without a reload.
 * @returns a function to call when the address has changed, or when a dialog has opened or closed; `focused` is a
 * selector of the focused element.
 */
export function renewPage(own: readonly string[]): (focused?: string) => void {
  const offer = document.querySelector('.renewal');
  const page = offer?.closest<HTMLElement>('[data-snapshot]');
  const stateAtStart = stateWithout(own);
  let isOld = false;
  const update = (focused?: string): void => {
    const isOther = document.querySelector(':modal') === null && stateWithout(own) !== stateAtStart;
    if (isOther || (isOld && !isInUse())) reload(focused);
    else if (isOld && page && offer) {
      // Elements outside of a modal dialog are inert.
      (document.querySelector(':modal') ?? page).append(offer);
      offer.firstElementChild?.removeAttribute('hidden');
    }
  };
  offer?.querySelector('button')?.addEventListener('click', () => {
    reload();
  });
  addEventListener('popstate', () => {
    update();
  });
  if (page)
    listen(page.dataset['snapshot'], (served) => {
      isOld = served !== page.dataset['snapshot'];
      update();
    });
  focusAgain();
  return update;
}

/** The parameters of the address that the server renders, in a fixed order. */
function stateWithout(own: readonly string[]): string {
  const { searchParams } = currentAddress();
  for (const name of own) searchParams.delete(name);
  searchParams.sort();
  return String(searchParams);
}

/** Whether a reload would disturb the user. */
function isInUse(): boolean {
  return (
    document.querySelector(IN_USE) !== null ||
    currentNarrowing().near !== '' ||
    currentAddress().searchParams.has('hour')
  );
}

/** Reloads at the same scroll position. @param focused selector of the element to focus; default: the present one. */
function reload(focused = selectorOf(document.activeElement)): void {
  if (focused !== undefined) history.replaceState({ focused }, '');
  location.reload();
}

/** A selector that finds the element in another version of the page, by id, station or link; undefined without one. */
function selectorOf(element: Element | null): string | undefined {
  if (element === null) return undefined;
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  const station = element.getAttribute('data-station');
  const scope = element.closest('.map-overlay') === null ? 'table.stations' : '.map-overlay';
  if (station !== null) return `${scope} [data-station="${CSS.escape(station)}"]`;
  const href = element.getAttribute('href');
  return href === null ? undefined : `a[href="${CSS.escape(href)}"]`;
}

function focusAgain(): void {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || !('focused' in state)) return;
  document.querySelector<HTMLElement>(String(state.focused))?.focus({ preventScroll: true });
  history.replaceState(null, '');
}

/** While the page is visible, calls `tell` when another snapshot than `shown` is active. */
function listen(shown: string | undefined, tell: (snapshotId: string) => void): void {
  let events: EventSource | undefined;
  let timer: number | undefined;
  const checkIn = (delayMs: number, before?: () => void): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      before?.();
      void servedSnapshot().then((served) => {
        // Without a snapshot the service would return an empty page, so the old content stays.
        if (served === null) checkIn(RETRY_MS);
        else tell(served);
      });
    }, delayMs);
  };
  const open = (): void => {
    clearTimeout(timer);
    events?.close();
    if (document.hidden) return;
    const opened = (events = new EventSource(EVENTS));
    opened.addEventListener('snapshot', ({ lastEventId }) => {
      if (lastEventId !== shown) checkIn(Math.random() * SPREAD_MS);
    });
    opened.addEventListener('error', () => {
      // After an answer that is not an event stream, a browser does not connect again by itself.
      if (opened.readyState === EventSource.CLOSED) checkIn(RETRY_MS * (1 + Math.random()), open);
    });
  };
  document.addEventListener('visibilitychange', open);
  open();
}

async function servedSnapshot(): Promise<string | null> {
  try {
    const { ok, headers } = await fetch(SERVED, { method: 'HEAD', cache: 'no-store' });
    return ok ? headers.get('X-Snapshot-Id') : null;
  } catch {
    return null;
  }
}
