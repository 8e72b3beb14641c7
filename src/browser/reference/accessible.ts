/** Adds to a viewer's markup what assistive technologies need: labels, heading levels, focusable scroll areas. */

/** Redoc begins with `h1` and skips levels; in this page its headings are below an `h2`. */
const HEADING_LEVELS = [
  ['h1', '3'],
  ['h2', '4'],
  [':is(h3, h4, h5)', '5'],
] as const;

/** Corrects the present markup, and markup that the viewer adds later. */
export function makeAccessible(viewer: HTMLElement): void {
  const correct = (): void => {
    for (const select of viewer.querySelectorAll('select:not([aria-label])')) {
      select.setAttribute('aria-label', nameOfSelect(select));
    }
    for (const scrolling of viewer.querySelectorAll('pre:not([tabindex])')) {
      scrolling.setAttribute('tabindex', '0');
    }
    for (const table of viewer.querySelectorAll('table[role="region"]:not([aria-label])')) {
      table.setAttribute('aria-label', `Responses of ${operationOf(table)}`);
    }
    for (const [tag, level] of HEADING_LEVELS) {
      for (const heading of viewer.querySelectorAll(`.redoc-wrap ${tag}:not([aria-level])`)) {
        heading.setAttribute('aria-level', level);
      }
    }
  };
  new MutationObserver(correct).observe(viewer, { childList: true, subtree: true });
  correct();
}

function nameOfSelect(select: Element): string {
  const parameter = select.closest('tr[data-param-name]')?.getAttribute('data-param-name');
  if (parameter !== null && parameter !== undefined) return parameter;
  return select.className.includes('example') ? 'Example' : 'Media type';
}

function operationOf(element: Element): string {
  return element.closest('.opblock')?.querySelector('.opblock-summary-path')?.textContent ?? '';
}
