/** Gives a viewer's own markup what assistive techniques need of it: names of what has none, and a way into what scrolls. */

/** Redoc begins with `h1` and leaves levels out; here its headings stand below the page's own `h2`. */
const HEADING_LEVELS = [
  ['h1', '3'],
  ['h2', '4'],
  ['h3', '5'],
  ['h4', '5'],
  ['h5', '5'],
] as const;

/** Mends what is there and what comes, for as long as the page lives. */
export function keepAccessible(viewer: HTMLElement): void {
  const mend = (): void => {
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
  new MutationObserver(mend).observe(viewer, { childList: true, subtree: true });
  mend();
}

function nameOfSelect(select: Element): string {
  const parameter = select.closest('tr[data-param-name]')?.getAttribute('data-param-name');
  if (parameter !== null && parameter !== undefined) return parameter;
  return select.className.includes('example') ? 'Example' : 'Media type';
}

function operationOf(part: Element): string {
  return part.closest('.opblock')?.querySelector('.opblock-summary-path')?.textContent ?? '';
}
