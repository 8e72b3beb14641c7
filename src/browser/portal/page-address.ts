/** Addresses, for scripts: of this service, and of the present state of the portal. */

/** The root of this service, which need not be that of its host, with a slash at its end: scripts lie in a folder below it. */
export const ROOT = new URL('..', import.meta.url);

/** The address with its language: without one, `/` is in the browser's language, other paths in the operator's. */
export function currentAddress(): URL {
  const url = new URL(location.href);
  if (!url.searchParams.has('language')) {
    url.searchParams.set('language', document.documentElement.lang);
  }
  return url;
}

/** The present state with some parameters of a link, which may belong to another state. */
export function stateWith({ searchParams }: URL, names: readonly string[]): URL {
  const url = currentAddress();
  for (const name of names) {
    const values = searchParams.getAll(name);
    if (values.length === 0) url.searchParams.delete(name);
    else url.searchParams.set(name, values.join(','));
  }
  return url;
}

/** Whether it is a state of the portal, with or without a station. */
export function isPortal({ origin, pathname }: URL): boolean {
  return origin === location.origin && pathname === ROOT.pathname;
}

export interface Narrowing {
  readonly text?: string;
  /** `40.24,-3.7`, or `me` for the device; in the fragment, which no request contains. */
  readonly near?: string;
}

export function currentNarrowing(): Required<Narrowing> {
  const { searchParams, hash } = new URL(location.href);
  return { text: searchParams.get('q') ?? '', near: /^#near=(.+)$/.exec(hash)?.[1] ?? '' };
}

/** Writes it into the address; its beginning and end are history entries. */
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

/** Names the tab by the open panel or the page, then the operator. */
export function showTitle(): void {
  const titled = document.querySelector<HTMLElement>('#station[open] .panel, .portal[data-title]');
  const operator = document.title.split(' · ').at(-1);
  const title = titled?.dataset['title'];
  if (title !== undefined) document.title = [title, operator].join(' · ');
}

/** Updates the links to other languages and themes with the present state. */
export function keepState(): void {
  for (const type of ['pointerover', 'focusin', 'click']) {
    document.addEventListener(type, ({ target }) => {
      const link = target instanceof Element ? target.closest('.switch a') : null;
      if (!(link instanceof HTMLAnchorElement)) return;
      link.href = stateWith(new URL(link.href), ['language', 'theme']).href;
    });
  }
}
