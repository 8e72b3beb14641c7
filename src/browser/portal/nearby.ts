/** What is near: to where the user clicks on the map, and, when asked to, to where the device is, which no request says. */
import type { Place } from '../../views/pages/portal/search.js';

/** In the storage of this browser, where the user wants that. */
const STORED = 'bura.location';

/** @param show is called with a place named as the page names it. */
export function enhanceNearby(show: (place: Place) => void): void {
  const map = document.querySelector<HTMLElement>('.map');
  const button = document.querySelector<HTMLButtonElement>('.locate');
  if (map === null || button === null) return;
  const { nearMe = '', nearPoint = '', failed = '' } = button.dataset;
  map.addEventListener('click', ({ target, clientX, clientY, defaultPrevented }) => {
    if (defaultPrevented || !(target instanceof Element) || target.closest('a') !== null) return;
    const inner = map.querySelector('.map-inner')?.getBoundingClientRect();
    const point =
      inner &&
      pointAt(map, (clientX - inner.left) / inner.width, (clientY - inner.top) / inner.height);
    if (point !== undefined) show({ ...point, name: nearPoint });
  });
  // Browsers say where they are to pages of a secure connection only.
  if (!isSecureContext || !('geolocation' in navigator)) {
    button.remove();
    return;
  }
  const keep = document.querySelector<HTMLLabelElement>('.keep-location');
  const choice = keep?.querySelector('input');
  button.hidden = false;
  const found = (place: Place): void => {
    show(place);
    if (!keep || !choice) return;
    keep.hidden = false;
    choice.checked = localStorage.getItem(STORED) !== null;
    choice.onchange = () => {
      if (choice.checked)
        localStorage.setItem(STORED, JSON.stringify([place.latitude, place.longitude]));
      else localStorage.removeItem(STORED);
    };
  };
  button.addEventListener('click', () => {
    const stored = storedPlace();
    if (stored !== undefined) {
      found({ ...stored, name: nearMe });
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        found({ latitude, longitude, name: nearMe });
      },
      () => {
        button.textContent = failed;
      },
    );
  });
}

function storedPlace(): Pick<Place, 'latitude' | 'longitude'> | undefined {
  const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
  if (!Array.isArray(stored)) return undefined;
  const [latitude, longitude] = stored.map(Number);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** The inverse of Web Mercator between the edges of the map (`views/pages/map/frame.ts`); shares of its width and height. */
function pointAt(
  map: HTMLElement,
  x: number,
  y: number,
): Pick<Place, 'latitude' | 'longitude'> | undefined {
  const [west, south, east, north] = (map.dataset['bounds'] ?? '').split(',').map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined)
    return undefined;
  const [top, bottom] = [mercator(north), mercator(south)];
  const latitude = (Math.atan(Math.sinh(top + (bottom - top) * y)) * 180) / Math.PI;
  return { latitude, longitude: west + (east - west) * x };
}

function mercator(latitude: number): number {
  return Math.asinh(Math.tan((latitude * Math.PI) / 180));
}
