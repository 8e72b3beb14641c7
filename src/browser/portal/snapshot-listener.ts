/** Reloads a page when another snapshot is served. While somebody uses the page, a line offers that instead. */
import { currentNarrowing, ROOT } from './address.js';
import { focus, selectorOf } from './keeping-focus.js';

const EVENTS = new URL('api/v1/events', ROOT);

/** A small answer, whose header fields name the snapshot that is served. */
const SERVED = new URL('api/v1/parameters', ROOT);

/** Pages wait for a random part of this time, so that all open ones do not ask at once. */
const SPREAD_MS = 3000;

/** Interval of requests while the service has no events or no snapshot. */
const RETRY_MS = 30_000;

/** Something that a reload would take from the user: a dialog, a text or choice, a map or details as they were opened. */
const IN_USE =
  ':modal, :is(input, select, textarea):focus, .map.zoomed, .map-part.moving, main details[open]';

/** Parts that scroll to the side; browsers restore the position of the page alone. */
const SCROLLED = '.components, .overview-scroll';

export class SnapshotListener {
  readonly #page: HTMLElement;
  /** Hidden until another snapshot is served while the page is in use. */
  readonly #offer: HTMLElement | null;
  #isOld = false;
  #events: EventSource | undefined;
  #checking: number | undefined;
  #listening: number | undefined;

  /** @param page has the snapshot that it shows as `data-snapshot`. */
  constructor(page: HTMLElement) {
    this.#page = page;
    this.#offer = page.querySelector('.renewal');
    this.#offer?.querySelector('button')?.addEventListener('click', reload);
    restoreView();
    document.addEventListener('visibilitychange', () => {
      this.#listen();
    });
    this.#listen();
  }

  /** Reloads the page if another snapshot is served, or offers that: called again where a dialog has opened or closed. */
  update(): void {
    if (!this.#isOld) return;
    if (!isInUse()) reload();
    else if (this.#offer) {
      // Outside of a modal dialog nothing can be used.
      (document.querySelector(':modal') ?? this.#page).append(this.#offer);
      this.#offer.firstElementChild?.removeAttribute('hidden');
    }
  }

  #listen(): void {
    clearTimeout(this.#checking);
    clearTimeout(this.#listening);
    this.#events?.close();
    if (document.hidden) return;
    const events = new EventSource(EVENTS);
    this.#events = events;
    events.addEventListener('snapshot', ({ lastEventId }) => {
      clearTimeout(this.#checking);
      if (lastEventId !== this.#page.dataset['snapshot']) this.#checkWithin(SPREAD_MS);
    });
    events.addEventListener('error', () => {
      // After an answer that is no stream of events a browser does not ask again.
      if (events.readyState !== EventSource.CLOSED) return;
      this.#listening = window.setTimeout(
        () => {
          this.#listen();
          void this.#check();
        },
        RETRY_MS * (1 + Math.random()),
      );
    });
  }

  #checkWithin(delayMs: number): void {
    clearTimeout(this.#checking);
    this.#checking = window.setTimeout(() => void this.#check(), Math.random() * delayMs);
  }

  /** A service that is away or has no snapshot would be an empty page: then what is shown stays. */
  async #check(): Promise<void> {
    const served = await servedSnapshot();
    if (served === null) this.#checkWithin(RETRY_MS);
    else {
      this.#isOld = served !== this.#page.dataset['snapshot'];
      this.update();
    }
  }
}

async function servedSnapshot(): Promise<string | null> {
  try {
    const { ok, headers } = await fetch(SERVED, { method: 'HEAD', cache: 'no-store' });
    return ok ? headers.get('X-Snapshot-Id') : null;
  } catch {
    return null;
  }
}

function isInUse(): boolean {
  const { activeElement: active, body } = document;
  return (
    document.querySelector(IN_USE) !== null ||
    currentNarrowing().near !== '' ||
    new URLSearchParams(location.search).has('hour') ||
    (active !== null && active !== body && selectorOf(active) === undefined)
  );
}

/** Loads the page anew, at the same place and with the same focus. */
export function reload(): void {
  const focused = document.activeElement && selectorOf(document.activeElement);
  const scrolled = [...document.querySelectorAll(SCROLLED)].map(({ scrollLeft }) => scrollLeft);
  history.replaceState({ focused, scrolled }, '');
  location.reload();
}

function restoreView(): void {
  const view: unknown = history.state;
  if (typeof view !== 'object' || view === null) return;
  if ('focused' in view && typeof view.focused === 'string')
    focus(document.querySelector(view.focused));
  const scrolled: readonly unknown[] =
    'scrolled' in view && Array.isArray(view.scrolled) ? view.scrolled : [];
  for (const [at, part] of document.querySelectorAll(SCROLLED).entries())
    part.scrollLeft = Number(scrolled[at] ?? 0);
  history.replaceState(null, '');
}
