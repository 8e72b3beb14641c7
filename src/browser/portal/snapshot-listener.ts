/** Listens to swaps for as long as somebody can see the page, and has it shown anew. */
import { ROOT } from './address.js';

const EVENTS = new URL('api/v1/events', ROOT);

/** A page waits for up to as long, so that all that are open do not ask at once. */
const SPREAD_MS = 3000;

/** Until what could not be had is asked for again, and the service without events is. */
const RETRY_MS = 30_000;

export class SnapshotListener {
  readonly #page: HTMLElement;
  readonly #show: () => Promise<void>;
  #events: EventSource | undefined;
  /** Until the page is shown anew, and until events are asked for again. */
  #showing: number | undefined;
  #listening: number | undefined;

  /** @param page has the snapshot that it shows as `data-snapshot`. */
  constructor(page: HTMLElement, show: () => Promise<void>) {
    this.#page = page;
    this.#show = show;
    document.addEventListener('visibilitychange', () => {
      this.#listen();
    });
    this.#listen();
  }

  /** What could not be had now. */
  tryAgain(): void {
    this.#showLater(RETRY_MS);
  }

  #listen(): void {
    clearTimeout(this.#showing);
    clearTimeout(this.#listening);
    this.#events?.close();
    if (document.hidden) return;
    const events = new EventSource(EVENTS);
    this.#events = events;
    events.addEventListener('snapshot', ({ lastEventId }) => {
      clearTimeout(this.#showing);
      if (lastEventId !== this.#page.dataset['snapshot']) this.#showLater(SPREAD_MS);
    });
    events.addEventListener('error', () => {
      // After an answer that is no stream of events a browser does not ask again.
      if (events.readyState !== EventSource.CLOSED) return;
      this.#listening = window.setTimeout(
        () => {
          this.#listen();
          void this.#show();
        },
        RETRY_MS * (1 + Math.random()),
      );
    });
  }

  #showLater(delayMs: number): void {
    clearTimeout(this.#showing);
    this.#showing = window.setTimeout(() => void this.#show(), Math.random() * delayMs);
  }
}
