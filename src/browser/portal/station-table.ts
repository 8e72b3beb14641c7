/** Searches while the user types, as the server would, but without a request; and finds what is near a place. */
import { currentNarrowing, isPortal, narrow, narrowed } from './page-address.js';
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
  /** Shows the stations nearest to a place, whose name is what the page says of them; of a point on the map beside that. */
  readonly showNear: (place: Place, isOnMap: boolean) => void;
}

const formatDistance = distanceFormat(document.documentElement.dataset['locale'] ?? 'en');

export function enhanceTable(): EnhancedTable {
  const portal = document.querySelector<HTMLElement>('.portal');
  const search = document.querySelector<HTMLInputElement>('#search');
  const form = search?.form;
  // The page of a large network lacks rows: the server is asked again.
  if (portal === null || search === null || !form || form.dataset['partial'] !== undefined) {
    search?.addEventListener('search', () => form?.requestSubmit());
    return { hasAllRows: false, showNear: () => undefined };
  }
  const view = new SearchedTable(portal, form.dataset['towns']);
  // Rows near to a place are in another order than all.
  const isInOrder = !portal.matches('.searching');
  const show = (text: string): void => {
    search.value = text;
    view.search(text);
  };
  search.addEventListener('focus', () => void view.loadTowns());
  search.addEventListener('input', () => {
    narrow({ text: search.value.trim() });
    view.search(search.value);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    view.search(search.value);
  });
  addEventListener('popstate', () => {
    const { text, near } = currentNarrowing();
    if (near === '') show(text);
  });
  const showAll = (event: Event): void => {
    event.preventDefault();
    narrow({});
    show('');
    document.querySelector<HTMLElement>('#stations')?.focus({ preventScroll: true });
  };
  const onLink = (event: MouseEvent): void => {
    const link = event.target instanceof Element && event.target.closest('.portal a, .switches a');
    if (!(link instanceof HTMLAnchorElement)) return;
    if (!link.matches('.show-all')) keepNarrowing(link);
    else if (isInOrder) showAll(event);
  };
  document.addEventListener('click', onLink, true);
  return {
    hasAllRows: true,
    showNear: (place, isOnMap) => {
      search.value = '';
      view.showNear(place, isOnMap);
    },
  };
}

/** Has a link to the portal lead to what is searched for by then. */
function keepNarrowing(link: HTMLAnchorElement): void {
  const url = new URL(link.href);
  if (isPortal(url)) link.href = narrowed(url, currentNarrowing()).href;
}

interface Row extends Searched {
  readonly element: HTMLTableRowElement;
  readonly station: string;
}

interface Shown {
  readonly place: Place | undefined;
  readonly isSearching: boolean;
  readonly isOnMap: boolean;
}

class SearchedTable {
  readonly #portal: HTMLElement;
  readonly #townsHref: string | undefined;
  /** Undefined until they are there. */
  #towns: readonly Place[] | undefined;
  #isLoading = false;
  #text = '';
  /** The rows in the order of the page; undefined until they are asked for. */
  #rows: readonly Row[] | undefined;
  /** Whether the rows near to a place are the last ones, in another order. */
  #isNearLast = false;

  constructor(portal: HTMLElement, townsHref: string | undefined) {
    this.#portal = portal;
    this.#townsHref = townsHref;
    if (townsHref === undefined) this.#towns = [];
  }

  /** All towns of the map, once, and searches again. */
  async loadTowns(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#towns = await fetchTowns(this.#townsHref);
    if (this.#text !== '') this.search(this.#text);
  }

  search(text: string): void {
    this.#text = text.trim();
    if (this.#text !== '') void this.loadTowns();
    const { place, stations } = searchStations(text, this.#allRows(), this.#towns ?? []);
    // Maybe it is a town.
    if (stations.length === 0 && this.#towns === undefined) return;
    const sentence = this.#found?.dataset['near'] ?? '';
    this.#show(stations, {
      place: place && { ...place, name: sentence.replace('{}', place.name) },
      isSearching: this.#text !== '',
      isOnMap: false,
    });
  }

  showNear(place: Place, isOnMap: boolean): void {
    this.#text = '';
    this.#show(nearestTo(place, this.#allRows()), { place, isSearching: true, isOnMap });
  }

  get #found(): HTMLElement | null {
    return this.#portal.querySelector<HTMLElement>('.found');
  }

  #allRows(): readonly Row[] {
    this.#rows ??= [
      ...this.#portal.querySelectorAll<HTMLTableRowElement>('.stations tr[data-q]'),
    ].map((element) => ({
      ...positionOf(element.dataset['at']),
      text: element.dataset['q'] ?? '',
      station: element.querySelector<HTMLElement>('[data-station]')?.dataset['station'] ?? '',
      isMeasuring: element.closest('.others') === null,
      element,
    }));
    return this.#rows;
  }

  #show(stations: readonly Row[], { place, isSearching, isOnMap }: Shown): void {
    const rows = this.#allRows();
    const found = new Set(stations.map(({ station }) => station));
    // Only changes are written: otherwise the browser would lay out the whole table again.
    for (const row of rows) {
      const metres = place && distanceTo(place, row);
      const distance = row.element.querySelector('.distance');
      const text = metres === undefined ? '' : formatDistance(metres);
      if (distance && distance.textContent !== text) distance.textContent = text;
      row.element.hidden = !found.has(row.station);
    }
    this.#order(place && stations);
    this.#portal.classList.toggle('searching', isSearching);
    this.#portal.classList.toggle('on-map', isOnMap);
    const [best] = stations;
    for (const marker of this.#portal.querySelectorAll<SVGElement>('.marker')) {
      const { station = '' } = marker.dataset;
      marker.classList.toggle('unfound', !found.has(station));
      marker.classList.toggle('best', isSearching && station === best?.station);
    }
    this.#say(found.size, place);
  }

  /** Rows of stations that do not measure the component stay below those that do. @param near the nearest first. */
  #order(near: readonly Row[] | undefined): void {
    const rows = near ?? (this.#isNearLast ? this.#allRows() : []);
    this.#isNearLast = near !== undefined;
    for (const body of this.#portal.querySelectorAll<HTMLElement>('.stations tbody')) {
      const ofBody = rows.filter(({ element }) => element.parentElement === body);
      body.append(...ofBody.map(({ element }) => element));
      body.hidden = body.querySelector('[data-q]:not([hidden])') === null;
    }
  }

  #say(count: number, place: Place | undefined): void {
    const text = this.#found;
    if (text === null) return;
    const { found = '', none = '' } = text.dataset;
    if (count === 0) text.textContent = none;
    else text.textContent = place?.name ?? found.replace('{}', String(count));
  }
}

/** Empty where they cannot be had: then stations are found still. */
async function fetchTowns(href: string | undefined): Promise<readonly Place[]> {
  if (href === undefined) return [];
  try {
    const towns: unknown = await (await fetch(href)).json();
    return Array.isArray(towns) ? towns.filter(isPlace) : [];
  } catch {
    return [];
  }
}

function positionOf(text = ''): { latitude?: number; longitude?: number } {
  const [latitude, longitude] = text.split(',').map(Number);
  return latitude === undefined || longitude === undefined ? {} : { latitude, longitude };
}

function isPlace(place: Partial<Place> | null): place is Place {
  return (
    typeof place?.name === 'string' &&
    typeof place.latitude === 'number' &&
    typeof place.longitude === 'number'
  );
}
