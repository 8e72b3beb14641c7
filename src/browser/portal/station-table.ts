/** Searches while the user types, as the server would, but without a request. */
import { normalizeForSearch } from '../../views/pages/portal/search-text.js';

export interface EnhancedTable {
  /** Whether it shows a part of its rows by itself; else the server is asked again. */
  readonly hasAllRows: boolean;
  /** To be called when it has other rows. */
  readonly rearrange: () => void;
}

export function enhanceTable(): EnhancedTable {
  const table = document.querySelector<HTMLTableElement>('table.stations');
  const search = document.querySelector<HTMLInputElement>('#search');
  const form = search?.form;
  if (table === null || search === null || !form) {
    return { hasAllRows: false, rearrange: () => undefined };
  }
  // A page that the server searched lacks the other rows, and so does one of too many stations: the server is asked again.
  const isPartial = form.dataset['partial'] !== undefined;
  const hasAllRows = search.value === '' && !isPartial;
  search.addEventListener('input', () => {
    if (hasAllRows) filter(table, search.value);
  });
  search.addEventListener('search', () => {
    if (!hasAllRows) form.requestSubmit();
  });
  /** An address with what is searched for, so that it is a link to the present state. */
  const searching = (address: string): string => {
    const url = new URL(address);
    const text = search.value.trim();
    if (text === '') url.searchParams.delete('q');
    else url.searchParams.set('q', text);
    return url.href;
  };
  const keepInAddress = (): void => {
    if (hasAllRows) history.replaceState(history.state, '', searching(location.href));
  };
  search.addEventListener('change', keepInAddress);
  form.addEventListener('submit', (event) => {
    if (hasAllRows) event.preventDefault();
    keepInAddress();
  });
  for (const link of table.querySelectorAll<HTMLAnchorElement>('thead a')) {
    link.addEventListener('click', () => {
      link.href = searching(link.href);
    });
  }
  const rearrange = (): void => {
    delete document.querySelector<HTMLElement>('.found')?.dataset['all'];
    if (hasAllRows && search.value !== '') filter(table, search.value);
  };
  return { hasAllRows, rearrange };
}

function filter(table: HTMLTableElement, text: string): void {
  const query = normalizeForSearch(text);
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  const found = new Set<string>();
  for (const row of rows) {
    row.hidden = !(row.dataset['q'] ?? '').includes(query);
    const station = row.querySelector<HTMLElement>('[data-station]')?.dataset['station'];
    if (!row.hidden && station !== undefined) found.add(station);
  }
  for (const marker of document.querySelectorAll<SVGElement>('.marker')) {
    marker.classList.toggle('unfound', !found.has(marker.dataset['station'] ?? ''));
  }
  const count = document.querySelector<HTMLElement>('.found');
  if (count !== null) {
    // The server has written `28 of 28 stations`: the first number is the number of stations found.
    const { all = count.textContent, none = '' } = count.dataset;
    count.dataset['all'] = all;
    const shown = all.replace(String(rows.length), String(found.size));
    count.textContent = found.size === 0 ? none : shown;
  }
}
