/** Searches while the user types, with the server's rules but without a request; finds stations near a place. */
import { distanceM } from '../../snapshot/domain/selection.js';
import { currentNarrowing, isPortal, narrow, narrowed } from './page-address.js';
import {
  distanceFormat,
  nearestTo,
  searchStations,
  type Place,
  type Searched,
} from '../../views/pages/portal/search.js';

const formatDistance = distanceFormat(document.documentElement.dataset['locale'] ?? 'en');

/** Enhances the table if the page has all its rows; otherwise a search is a request. */
export function enhanceTable() {
  const portal = document.querySelector<HTMLElement>('.portal');
  const search = document.querySelector<HTMLInputElement>('#search');
  const form = search?.form;
  if (portal === null || search === null || !form || form.dataset['partial'] !== undefined) {
    search?.addEventListener('search', () => form?.requestSubmit());
    return { hasAllRows: false, showNear: () => undefined };
  }
  const view = new SearchedTable(portal, form.dataset['towns']);
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
    /** Shows the stations nearest to a place; for a point on the map, the list lies over the end of a narrow page. */
    showNear: (place: Place, isOnMap: boolean) => {
      search.value = '';
      view.showNear(place, isOnMap);
    },
  };
}

/** Adds the present search to a link to the portal. */
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
  #towns: readonly Place[] | undefined;
  #isLoading = false;
  #text = '';
  /** The rows in the order of the page, read at the first use. */
  #rows: readonly Row[] | undefined;
  /** Whether the last search has sorted the rows by distance. */
  #isNearLast = false;

  constructor(portal: HTMLElement, townsHref: string | undefined) {
    this.#portal = portal;
    this.#townsHref = townsHref;
    if (townsHref === undefined) this.#towns = [];
  }

  /** Loads all towns of the map once, and searches again. */
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
    // The text may be the name of a town: its stations are shown when the towns are loaded.
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
    const matching = new Set(stations.map(({ station }) => station));
    // Writes only changes: otherwise the browser would lay out the whole table again.
    for (const row of rows) {
      const metres = place && distanceM(row, place);
      const distance = row.element.querySelector('.distance');
      const text = metres === undefined ? '' : formatDistance(metres);
      if (distance && distance.textContent !== text) distance.textContent = text;
      row.element.hidden = !matching.has(row.station);
    }
    this.#order(place && stations);
    this.#portal.classList.toggle('searching', isSearching);
    this.#portal.classList.toggle('on-map', isOnMap);
    const [best] = stations;
    for (const marker of this.#portal.querySelectorAll<SVGElement>('.marker')) {
      const { station = '' } = marker.dataset;
      marker.classList.toggle('unfound', !matching.has(station));
      marker.classList.toggle('best', isSearching && station === best?.station);
    }
    this.#say(matching.size, place);
  }

  /** Sorts the rows; those of stations that do not measure the component stay last. @param near the nearest first. */
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

/** The towns; empty after a failure, so that the search still finds stations. */
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
