/** Searches while the user types, as the server would, but without a request; and finds what is near a place. */
import { currentAddress } from './address.js';
import {
  distanceFormat,
  distanceTo,
  nearestTo,
  searchStations,
  type Place,
  type Searched,
} from '../../views/pages/portal/search.js';

export interface EnhancedTable {
  /** Whether it shows a part of its rows by itself; else the server is asked again. */
  readonly hasAllRows: boolean;
  /** To be called when it has other rows. */
  readonly rearrange: () => void;
  /** Shows the stations nearest to a place, whose name is what the page says of them. */
  readonly showNear: (place: Place) => void;
}

const formatDistance = distanceFormat(document.documentElement.dataset['locale'] ?? 'en');

export function enhanceTable(): EnhancedTable {
  const portal = document.querySelector<HTMLElement>('.portal');
  const search = document.querySelector<HTMLInputElement>('#search');
  const form = search?.form;
  if (portal === null || search === null || !form) {
    return { hasAllRows: false, rearrange: () => undefined, showNear: () => undefined };
  }
  // A page that the server searched lacks the other rows, and so does one of too many stations: the server is asked again.
  const isPartial = form.dataset['partial'] !== undefined;
  const hasAllRows = search.value === '' && !isPartial;
  const view = new SearchedTable(portal);
  search.addEventListener('input', () => {
    if (hasAllRows) view.search(search.value);
  });
  search.addEventListener('search', () => {
    if (!hasAllRows) form.requestSubmit();
  });
  /** An address with what is searched for, so that it is a link to the present state. */
  const searching = (url: URL): string => {
    const text = search.value.trim();
    if (text === '') url.searchParams.delete('q');
    else url.searchParams.set('q', text);
    return url.href;
  };
  const keepInAddress = (): void => {
    if (hasAllRows) history.replaceState(history.state, '', searching(currentAddress()));
  };
  search.addEventListener('change', keepInAddress);
  form.addEventListener('submit', (event) => {
    // The server knows more towns than the map has room for.
    if (hasAllRows && view.hasFound) event.preventDefault();
    keepInAddress();
  });
  portal.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('thead a') : null;
    if (link instanceof HTMLAnchorElement) link.href = searching(new URL(link.href));
  });
  return {
    hasAllRows,
    rearrange: () => {
      view.reset();
      if (hasAllRows && search.value !== '') view.search(search.value);
    },
    showNear: (place) => {
      search.value = '';
      view.showNear(place);
    },
  };
}

interface Row extends Searched {
  readonly element: HTMLTableRowElement;
  readonly station: string;
}

class SearchedTable {
  readonly #portal: HTMLElement;
  /** What is near to a place keeps being shown when there are other values. */
  #near: Place | undefined;
  /** The rows in the order of the page; undefined until they are asked for. */
  #rows: readonly Row[] | undefined;
  hasFound = true;

  constructor(portal: HTMLElement) {
    this.#portal = portal;
  }

  /** For other rows than before. */
  reset(): void {
    this.#rows = undefined;
    const found = this.#portal.querySelector<HTMLElement>('.found');
    delete found?.dataset['all'];
    if (this.#near !== undefined) this.showNear(this.#near);
  }

  search(text: string): void {
    this.#near = undefined;
    const places = [...this.#portal.querySelectorAll<SVGElement>('.towns > [data-at]')].map(
      (town) => ({ ...positionOf(town.dataset['at']), name: town.textContent.trim() }),
    );
    const found = searchStations(text, this.#allRows(), places.filter(isPlace));
    const { place } = found;
    const sentence = this.#portal.querySelector<HTMLElement>('.found')?.dataset['near'] ?? '';
    this.#show(found.stations, {
      place: place && { ...place, name: sentence.replace('{}', place.name) },
      isSearching: text.trim() !== '',
    });
  }

  showNear(place: Place): void {
    this.#near = place;
    this.#show(nearestTo(place, this.#allRows()), { place, isSearching: true });
  }

  #allRows(): readonly Row[] {
    this.#rows ??= [
      ...this.#portal.querySelectorAll<HTMLTableRowElement>('.stations tr[data-q]'),
    ].map((element) => ({
      ...positionOf(element.dataset['at']),
      text: element.dataset['q'] ?? '',
      station: element.querySelector<HTMLElement>('[data-station]')?.dataset['station'] ?? '',
      element,
    }));
    return this.#rows;
  }

  #show(
    stations: readonly Row[],
    { place, isSearching }: { readonly place: Place | undefined; readonly isSearching: boolean },
  ): void {
    const rows = this.#allRows();
    const found = new Set(stations.map(({ station }) => station));
    this.hasFound = found.size > 0;
    for (const row of rows) {
      const metres = place && distanceTo(place, row);
      const distance = row.element.querySelector('.distance');
      if (distance) distance.textContent = metres === undefined ? '' : formatDistance(metres);
      row.element.hidden = !found.has(row.station);
    }
    this.#order(place === undefined ? rows : stations);
    this.#portal.classList.toggle('searching', isSearching);
    for (const marker of this.#portal.querySelectorAll<SVGElement>('.marker')) {
      marker.classList.toggle('unfound', !found.has(marker.dataset['station'] ?? ''));
    }
    this.#say(found.size, place);
  }

  /** Rows of stations that do not measure the component stay below those that do. */
  #order(rows: readonly Row[]): void {
    for (const body of this.#portal.querySelectorAll('.stations tbody')) {
      const ofBody = rows.filter(({ element }) => element.parentElement === body);
      body.append(...ofBody.map(({ element }) => element));
      const isEmpty = this.#allRows().every(
        ({ element }) => element.parentElement !== body || element.hidden,
      );
      if (body instanceof HTMLElement) body.hidden = isEmpty;
    }
  }

  #say(count: number, place: Place | undefined): void {
    const text = this.#portal.querySelector<HTMLElement>('.found');
    if (text === null) return;
    // The server has written `28 of 28 stations`: the first number is the number of stations found.
    const { all = text.textContent, none = '' } = text.dataset;
    text.dataset['all'] = all;
    const shown = all.replace(String(this.#allRows().length), String(count));
    if (count === 0) text.textContent = none;
    else if (place === undefined) text.textContent = shown;
    else text.textContent = place.name;
  }
}

function positionOf(text = ''): { latitude?: number; longitude?: number } {
  const [latitude, longitude] = text.split(',').map(Number);
  return latitude === undefined || longitude === undefined ? {} : { latitude, longitude };
}

function isPlace(place: Partial<Place> & Pick<Place, 'name'>): place is Place {
  return place.latitude !== undefined && place.longitude !== undefined;
}
