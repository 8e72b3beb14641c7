/** Keeps the focus where it is while the page gets new content. */

/** Replaces parts of the page, and gives the focus back to whatever stands for the element that had it. */
export function keepingFocus(replace: () => void): void {
  const active = document.activeElement;
  const selector = active === null ? undefined : selectorOf(active);
  const { scrollX, scrollY } = window;
  replace();
  if (selector === undefined || active?.isConnected === true) return;
  focus(document.querySelector(selector));
  window.scrollTo(scrollX, scrollY);
}

export function focus(element: Element | null | undefined): void {
  if (element instanceof HTMLElement || element instanceof SVGElement) {
    element.focus({ preventScroll: true });
  }
}

/** Finds the same element in another version of the page, by its name or its link; undefined if it has neither. */
export function selectorOf(element: Element): string | undefined {
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  const station = element.getAttribute('data-station');
  const scope = element.closest('.map-overlay') === null ? 'table.stations' : '.map-overlay';
  if (station !== null) return `${scope} [data-station="${CSS.escape(station)}"]`;
  const href = element.getAttribute('href');
  return href === null ? undefined : `a[href="${CSS.escape(href)}"]`;
}
