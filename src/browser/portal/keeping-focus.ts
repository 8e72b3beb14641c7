/** New content for a page that somebody reads: the focus is where it was. */

/** Replaces parts of the page, and gives the focus back to whatever stands for the element that had it. */
export function keepingFocus(replace: () => void): void {
  const active = document.activeElement;
  const find = active === null ? undefined : finderOf(active);
  const { scrollX, scrollY } = window;
  replace();
  if (find === undefined || active?.isConnected === true) return;
  focus(find());
  window.scrollTo(scrollX, scrollY);
}

/** Replaces what a page shows of a snapshot by what a newer version of it shows: only what differs. */
export function replaceParts(
  page: ParentNode,
  next: ParentNode,
  selectors: readonly string[],
): void {
  for (const selector of selectors) {
    const [old, newer] = [page.querySelector(selector), next.querySelector(selector)];
    if (!old || !newer || old.innerHTML === newer.innerHTML) continue;
    old.replaceChildren(...newer.childNodes);
  }
}

export function focus(element: Element | null | undefined): void {
  if (element instanceof HTMLElement || element instanceof SVGElement) {
    element.focus({ preventScroll: true });
  }
}

/** Finds the same element in another version of the page: by its name or its link, or else by its position among its like. */
export function finderOf(element: Element): () => Element | null | undefined {
  const selector = selectorOf(element);
  if (selector !== undefined) return () => document.querySelector(selector);
  const { tagName } = element;
  const index = [...document.querySelectorAll(tagName)].indexOf(element);
  return () => document.querySelectorAll(tagName)[index];
}

function selectorOf(element: Element): string | undefined {
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  const station = element.getAttribute('data-station');
  const scope = element.closest('.map-overlay') === null ? 'table.stations' : '.map-overlay';
  if (station !== null) return `${scope} [data-station="${CSS.escape(station)}"]`;
  const href = element.getAttribute('href');
  return href === null ? undefined : `a[href="${CSS.escape(href)}"]`;
}
