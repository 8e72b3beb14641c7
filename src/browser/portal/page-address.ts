/** Addresses for scripts: that of this service, and that of the present state of the portal. */

/** URL of this service, with a slash at its end. It may be below its host's root; scripts are in a folder below it. */
export const ROOT = new URL('..', import.meta.url);

/** The current address with its language: otherwise `/` is in the browser's language, other paths in the operator's. */
export function currentAddress(): URL {
  const url = new URL(location.href);
  if (!url.searchParams.has('language')) {
    url.searchParams.set('language', document.documentElement.lang);
  }
  return url;
}

/** The current address with the named parameters of a link; its other parameters may belong to an older state. */
export function stateWith({ searchParams }: URL, names: readonly string[]): URL {
  const url = currentAddress();
  for (const name of names) {
    const values = searchParams.getAll(name);
    if (values.length === 0) url.searchParams.delete(name);
    else url.searchParams.set(name, values.join(','));
  }
  return url;
}

/** Whether the address is a state of the portal, with or without a station. */
export function isPortal({ origin, pathname }: URL): boolean {
  return origin === location.origin && pathname === ROOT.pathname;
}

export interface Narrowing {
  readonly text?: string;
  /** `40.24,-3.7`, or `me` for the device's location; in the address's fragment, which no request contains. */
  readonly near?: string;
}

export function currentNarrowing(): Required<Narrowing> {
  const { searchParams, hash } = new URL(location.href);
  return { text: searchParams.get('q') ?? '', near: /^#near=(.+)$/.exec(hash)?.[1] ?? '' };
}

/** Writes the search into the address; only its beginning and its end, and each new place, add a history entry. */
export function narrow({ text = '', near = '' }: Narrowing): void {
  const before = currentNarrowing();
  if (text === before.text && near === before.near) return;
  const isStep = near !== before.near || text === '' || before.text === '';
  const url = narrowed(currentAddress(), { text, near });
  history[isStep ? 'pushState' : 'replaceState'](history.state, '', url);
}

export function narrowed(url: URL, { text = '', near = '' }: Narrowing): URL {
  if (text === '') url.searchParams.delete('q');
  else url.searchParams.set('q', text);
  if (near !== '') url.hash = `near=${near}`;
  else if (url.hash.startsWith('#near=')) url.hash = '';
  return url;
}

/** Sets the document's title: the name of the open panel or the page, then the operator. */
export function showTitle(): void {
  const titled = document.querySelector<HTMLElement>('#station[open] .panel, .portal[data-title]');
  const operator = document.title.split(' · ').at(-1);
  const title = titled?.dataset['title'];
  if (title !== undefined) document.title = [title, operator].join(' · ');
}

/** Makes the links to other languages and themes lead to the present state. */
export function keepState(): void {
  for (const type of ['pointerover', 'focusin', 'click']) {
    document.addEventListener(type, ({ target }) => {
      const link = target instanceof Element ? target.closest('.switch a') : null;
      if (!(link instanceof HTMLAnchorElement)) return;
      link.href = stateWith(new URL(link.href), ['language', 'theme']).href;
    });
  }
}
