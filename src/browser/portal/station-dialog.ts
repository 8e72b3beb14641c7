/**
 * Shows the panel of a station in a dialog over the page, and keeps address and history up to date. A panel that the
 * server has rendered stays in the page until it is closed, so that nothing moves when a shared link opens.
 */
import {
  currentAddress,
  currentNarrowing,
  isPortal,
  narrowed,
  ROOT,
  showTitle,
  stateWith,
} from './page-address.js';

interface DialogOptions {
  readonly enhance: (panel: ParentNode) => void;
  /** Called when the address has changed and the dialog has opened or closed; `focused` selects the focused element. */
  readonly onChange: (focused?: string) => void;
}

export function enhanceDialog(options: DialogOptions): void {
  const { enhance } = options;
  const dialog = document.querySelector<HTMLDialogElement>('#station');
  if (dialog === null) return;
  const view = new StationDialog(dialog, options);
  if (dialog.open) enhance(dialog);
  else if (isStation(new URL(location.href))) sayUnknown();
  document.addEventListener('click', (event) => {
    const link = linkOf(event);
    // Links in an SVG have an object as `href`.
    const url = new URL(link?.getAttribute('href') ?? '', location.href);
    if (!link || !isPortal(url)) return;
    if (isStation(url)) {
      event.preventDefault();
      view.visit(narrowed(url, currentNarrowing()), link);
    } else if (dialog.contains(link)) {
      event.preventDefault();
      if (link.matches('.close')) dialog.close();
      else view.leave(url);
    }
  });
  document.addEventListener('submit', (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || !dialog.contains(form)) return;
    event.preventDefault();
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form)) {
      if (typeof value === 'string' && value !== '') url.searchParams.append(name, value);
    }
    view.submit(stateWith(url, OF_PANEL), form);
  });
  addEventListener('popstate', () => void view.follow(new URL(location.href)));
}

/** The clicked link; null where the browser handles the click: other buttons, new tabs, downloads, languages. */
function linkOf(event: MouseEvent): Element | null {
  const { target } = event;
  if (event.defaultPrevented || event.button !== 0 || !(target instanceof Element)) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  return target.closest('a[href]:not([download], .switch a)');
}

class StationDialog {
  readonly #dialog: HTMLDialogElement;
  readonly #options: DialogOptions;
  #request: AbortController | undefined;
  /** Whether the address has changed before the dialog closes: the event comes later, maybe at another address. */
  #followsAddress = false;
  #trigger: Element | undefined;
  #station = currentAddress().searchParams.get('station_id') ?? '';

  constructor(dialog: HTMLDialogElement, options: DialogOptions) {
    this.#dialog = dialog;
    this.#options = options;
    dialog.addEventListener('close', () => {
      this.#closed();
    });
    dialog.addEventListener('click', (event) => {
      // A click on the dialog element itself is outside of its panel.
      if (event.target === dialog) dialog.close();
    });
  }

  show(): void {
    this.#options.enhance(this.#dialog);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#dialog.scrollTop = 0;
    this.#dialog.scrollIntoView();
    this.#dialog.querySelector<HTMLElement>('#station-name')?.focus({ preventScroll: true });
  }

  get #scroller(): Element {
    return this.#dialog.matches(':modal') ? this.#dialog : document.documentElement;
  }

  visit(linked: URL, link: Element): void {
    const isWithin = this.#dialog.contains(link);
    const url = stateWith(linked, isWithin ? OF_PANEL : ['station_id', 'compare']);
    if (!isWithin) this.#trigger = link;
    history.pushState(undefined, '', url);
    const href = CSS.escape(link.getAttribute('href') ?? '');
    if (link.closest('.cards') !== null) void this.#load(url, { focused: '#chart-heading' });
    else if (link.closest('.chart') !== null) void this.#load(url, { kept: '.plot' });
    else if (link.closest('.compare') !== null) {
      void this.#load(url, { kept: link.id === '' ? '.compare a' : `#${CSS.escape(link.id)}` });
    } else void this.#load(url, isWithin ? { kept: `a[aria-current][href="${href}"]` } : {});
  }

  /** Closes the dialog for a link to an hour, which the page behind it shows. */
  leave(linked: URL): void {
    const names = ['station_id', 'compare', 'component_id', 'hour'];
    history.pushState(undefined, '', stateWith(linked, names));
    this.#followsAddress = true;
    this.#dialog.close();
  }

  /** Shows the result of a form in the panel; the changed field keeps the focus. */
  submit(url: URL, form: HTMLFormElement): void {
    history.pushState(undefined, '', url);
    const name = form.querySelector('select')?.name;
    void this.#load(url, name === undefined ? {} : { kept: `select[name="${name}"]` });
  }

  /** Shows the state of an address after the back or the forward button. */
  async follow(url: URL): Promise<void> {
    if (isStation(url)) {
      await this.#load(url);
      return;
    }
    this.#request?.abort();
    this.#followsAddress = this.#dialog.open;
    this.#dialog.close();
  }

  /**
   * Loads a panel, and shows it from its beginning.
   *
   * @param kept selector of the element that gets the focus again; the panel then keeps its scroll position.
   * @param focused selector of the element that gets the focus instead of the station's name.
   */
  async #load(
    url: URL,
    { kept, focused }: Readonly<Partial<Record<'kept' | 'focused', string>>> = {},
  ): Promise<void> {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    try {
      // The browser's cache may hold an earlier snapshot than the page.
      const response = await fetch(fragmentOf(url), { signal: request.signal, cache: 'no-cache' });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const panel = page.querySelector<HTMLElement>('.panel');
      if (!response.ok || panel === null) throw new Error(response.statusText);
      const scrolled = this.#scroller.scrollTop;
      this.#dialog.replaceChildren(panel);
      this.#station = url.searchParams.get('station_id') ?? '';
      this.show();
      showTitle();
      const chosen = kept ?? focused;
      this.#options.onChange(chosen);
      if (chosen === undefined) return;
      if (kept !== undefined) this.#scroller.scrollTop = scrolled;
      focus(this.#dialog.querySelector(chosen));
    } catch {
      // The browser loads the page, and shows the error.
      if (!request.signal.aborted) location.assign(url);
    }
  }

  #closed(): void {
    const followsAddress = this.#followsAddress;
    this.#followsAddress = false;
    // The user has gone forward again, which has opened the dialog.
    if (this.#dialog.open) return;
    const url = currentAddress();
    if (!followsAddress && isStation(url)) {
      this.#request?.abort();
      url.searchParams.delete('station_id');
      url.searchParams.delete('compare');
      history.pushState(undefined, '', url);
    }
    showTitle();
    focus(this.#trigger);
    this.#options.onChange(`table.stations [data-station="${CSS.escape(this.#station)}"]`);
  }
}

function focus(element: Element | null | undefined): void {
  if (element instanceof HTMLElement || element instanceof SVGElement)
    element.focus({ preventScroll: true });
}

function isStation({ searchParams }: URL): boolean {
  return (searchParams.get('station_id') ?? '') !== '';
}

/** Parameters that links and forms of a panel set; others come from the page behind. */
const OF_PANEL = ['station_id', 'component_id', 'window', 'from', 'to', 'compare'];

function sayUnknown(): void {
  const form = document.querySelector<HTMLFormElement>('form.search');
  if (form === null) return;
  const sentence = document.createElement('p');
  sentence.className = 'unknown-station';
  sentence.role = 'status';
  sentence.textContent = form.dataset['unknown'] ?? '';
  form.before(sentence);
}

function fragmentOf({ search }: URL): URL {
  return new URL(`portal/station-modal${search}`, ROOT);
}
