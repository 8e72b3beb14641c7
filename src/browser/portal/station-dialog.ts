/** The panel of a station as a dialog over the page, with the address line and the back button following. */

const FRAGMENT = '/portal/station-modal';

/** @param improve what is to be done to a panel that has come. */
export function improveDialog(improve: (panel: ParentNode) => void): void {
  const dialog = document.querySelector<HTMLDialogElement>('#station');
  if (dialog === null) return;
  const view = new StationDialog(dialog, improve);
  if (dialog.open) {
    // Was in the page, for those without scripts; not closed, which would be news.
    dialog.removeAttribute('open');
    view.show();
  }
  document.addEventListener('click', (event) => {
    const link = linkOf(event);
    if (link === undefined) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || url.pathname !== '/') return;
    if (url.searchParams.has('station_id')) {
      event.preventDefault();
      view.visit(url, link);
    } else if (dialog.contains(link)) {
      event.preventDefault();
      dialog.close();
    }
  });
  addEventListener('popstate', () => void view.follow(new URL(location.href)));
}

/** Undefined where the browser is to do what it does with links: other buttons, new tabs, downloads. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  const { target } = event;
  if (event.defaultPrevented || event.button !== 0 || !(target instanceof Element))
    return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = target.closest('a');
  if (link === null || link.hasAttribute('download')) return undefined;
  // Links within drawings have another type, and their address is an object.
  const href = link.getAttribute('href');
  if (href === null) return undefined;
  if (link instanceof HTMLAnchorElement) return link;
  const plain = document.createElement('a');
  plain.href = href;
  opener = link;
  return plain;
}

/** The link within a drawing that was followed last: what focus returns to. */
let opener: Element | undefined;

class StationDialog {
  readonly #dialog: HTMLDialogElement;
  readonly #improve: (panel: ParentNode) => void;
  #request: AbortController | undefined;
  #returnTo: HTMLElement | SVGElement | undefined;
  /** Whether closing is to leave the history as it is. */
  #isFollowing = false;

  constructor(dialog: HTMLDialogElement, improve: (panel: ParentNode) => void) {
    this.#dialog = dialog;
    this.#improve = improve;
    dialog.addEventListener('close', () => {
      this.#closed();
    });
    dialog.addEventListener('click', (event) => {
      // The dialog itself is only hit outside of its panel.
      if (event.target === dialog) dialog.close();
    });
  }

  show(): void {
    this.#improve(this.#dialog);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#dialog.scrollTop = 0;
    this.#dialog.querySelector<HTMLElement>('#station-name')?.focus();
  }

  visit(url: URL, link: HTMLAnchorElement): void {
    const isWithin = this.#dialog.contains(link);
    if (!isWithin) {
      const focused = opener ?? link;
      opener = undefined;
      if (focused instanceof HTMLElement || focused instanceof SVGElement) this.#returnTo = focused;
    }
    history.pushState(undefined, '', url);
    void this.#load(url, isWithin ? link.getAttribute('href') : null);
  }

  /** After the back or the forward button. */
  async follow(url: URL): Promise<void> {
    if (url.searchParams.has('station_id')) {
      await this.#load(url, null);
    } else if (this.#dialog.open) {
      this.#isFollowing = true;
      this.#dialog.close();
    }
  }

  /** @param chosen address of the link within the panel that is to have the focus again. */
  async #load(url: URL, chosen: string | null): Promise<void> {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    try {
      const response = await fetch(`${FRAGMENT}${url.search}`, { signal: request.signal });
      if (!response.ok) throw new Error(response.statusText);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const panel = page.querySelector('.panel');
      if (panel === null) {
        location.assign(url);
        return;
      }
      const scrolled = this.#dialog.scrollTop;
      this.#dialog.replaceChildren(panel);
      this.show();
      if (chosen !== null) {
        this.#dialog.scrollTop = scrolled;
        const links = [...this.#dialog.querySelectorAll('a')];
        links
          .find((link) => link.getAttribute('aria-current') !== null && sameChoice(link, chosen))
          ?.focus({ preventScroll: true });
      }
    } catch (error) {
      if (!request.signal.aborted) {
        // The browser can say better than we what is wrong.
        location.assign(url);
        if (!(error instanceof Error)) throw error;
      }
    }
  }

  #closed(): void {
    const url = new URL(location.href);
    if (this.#isFollowing) this.#isFollowing = false;
    else if (url.searchParams.has('station_id')) {
      url.searchParams.delete('station_id');
      history.pushState(undefined, '', url);
    }
    this.#returnTo?.focus();
  }
}

/** A link to the state that is shown leads to the same place as the one that was followed. */
function sameChoice(link: HTMLAnchorElement, chosen: string): boolean {
  return link.getAttribute('href') === chosen;
}
