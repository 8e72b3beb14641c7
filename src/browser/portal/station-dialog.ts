/** Shows the panel of a station in a dialog over the page, and keeps address line and history up to date. */

import { finderOf, focus, keepingFocus } from './keeping-focus.js';

const FRAGMENT = '/portal/station-modal';

/**
 * @param improve is called with every panel that is shown.
 * @returns what is to be called when the panel has other values.
 */
export function improveDialog(improve: (panel: ParentNode) => void): () => Promise<void> {
  const dialog = document.querySelector<HTMLDialogElement>('#station');
  if (dialog === null) return () => Promise.resolve();
  const view = new StationDialog(dialog, improve);
  if (dialog.open) {
    // The page shows the panel without scripts; close() would fire an event.
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
  document.addEventListener('submit', (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || !dialog.contains(form)) return;
    event.preventDefault();
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form)) {
      if (typeof value === 'string' && value !== '') url.searchParams.set(name, value);
    }
    view.submit(url, form);
  });
  addEventListener('popstate', () => void view.follow(new URL(location.href)));
  return () => view.refresh();
}

/** The link that was clicked; undefined where the browser handles the click: other buttons, new tabs, downloads. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  const { target } = event;
  if (event.defaultPrevented || event.button !== 0 || !(target instanceof Element))
    return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = target.closest('a');
  if (link === null || link.hasAttribute('download')) return undefined;
  // A link in an SVG has another type, and its `href` is an object.
  const href = link.getAttribute('href');
  if (href === null) return undefined;
  if (link instanceof HTMLAnchorElement) return link;
  const plain = document.createElement('a');
  plain.href = href;
  opener = link;
  return plain;
}

/** The link in an SVG that was followed last, which gets the focus back. */
let opener: Element | undefined;

class StationDialog {
  readonly #dialog: HTMLDialogElement;
  readonly #improve: (panel: ParentNode) => void;
  #request: AbortController | undefined;
  /** Finds what has led here, in the page as it is by then. */
  #opener: ReturnType<typeof finderOf> | undefined;
  /** Whether closing must not change the history. */
  #isFollowing = false;

  constructor(dialog: HTMLDialogElement, improve: (panel: ParentNode) => void) {
    this.#dialog = dialog;
    this.#improve = improve;
    dialog.addEventListener('close', () => {
      this.#closed();
    });
    dialog.addEventListener('click', (event) => {
      // A click whose target is the dialog itself is outside of its panel.
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
      this.#opener = finderOf(opener ?? link);
      opener = undefined;
    }
    history.pushState(undefined, '', url);
    const href = link.getAttribute('href');
    const isChosen = (one: HTMLElement): boolean =>
      one.hasAttribute('aria-current') && one.getAttribute('href') === href;
    void this.#load(url, isWithin ? isChosen : undefined);
  }

  /** Shows what a form in the panel asks for; its choice keeps the focus. */
  submit(url: URL, form: HTMLFormElement): void {
    history.pushState(undefined, '', url);
    const name = form.querySelector('select')?.name;
    void this.#load(url, name === undefined ? undefined : (one) => one.matches(`[name="${name}"]`));
  }

  /** Shows the state of an address after the back or the forward button. */
  async follow(url: URL): Promise<void> {
    if (url.searchParams.has('station_id')) {
      await this.#load(url);
    } else if (this.#dialog.open) {
      this.#isFollowing = true;
      this.#dialog.close();
    }
  }

  /** Shows the same panel with new values, as it was scrolled and unfolded; one that cannot be had stays as it is. */
  async refresh(): Promise<void> {
    const url = new URL(location.href);
    if (!this.#dialog.open || !url.searchParams.has('station_id')) return;
    if (this.#isFilledIn()) {
      this.#dialog.addEventListener('focusout', () => void this.refresh(), { once: true });
      return;
    }
    const asked = fetch(`${FRAGMENT}${url.search}`, { cache: 'no-cache' });
    const response = await asked.catch(() => undefined);
    const text = response?.ok === true ? await response.text() : '';
    const panel = new DOMParser().parseFromString(text, 'text/html').querySelector('.panel');
    if (panel === null || location.href !== url.href) return;
    // Meanwhile the user has gone to another field: again when that is left.
    if (this.#isFilledIn()) {
      await this.refresh();
      return;
    }
    const { scrollTop } = this.#dialog;
    const unfolded = [...this.#dialog.querySelectorAll('details')].map(({ open }) => open);
    keepingFocus(() => {
      this.#dialog.replaceChildren(panel);
      for (const [at, details] of this.#dialog.querySelectorAll('details').entries()) {
        details.open = unfolded[at] ?? details.open;
      }
      this.#improve(this.#dialog);
    });
    this.#dialog.scrollTop = scrollTop;
  }

  /** Whether the user chooses or types something in it, which is not to be taken away. */
  #isFilledIn(): boolean {
    const { activeElement } = document;
    return (
      activeElement instanceof Element &&
      this.#dialog.contains(activeElement) &&
      activeElement.matches('input, select, textarea')
    );
  }

  /** @param isChosen finds what in the panel gets the focus again; without it, the panel is shown from its beginning. */
  async #load(url: URL, isChosen?: (one: HTMLElement) => boolean): Promise<void> {
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
      if (isChosen !== undefined) {
        this.#dialog.scrollTop = scrolled;
        const all = [...this.#dialog.querySelectorAll<HTMLElement>('a, select')];
        all.find(isChosen)?.focus({ preventScroll: true });
      }
    } catch (error) {
      if (!request.signal.aborted) {
        // The browser shows what is wrong.
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
      url.searchParams.delete('compare');
      history.pushState(undefined, '', url);
    }
    focus(this.#opener?.());
  }
}
