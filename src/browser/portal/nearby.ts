/** Shows stations near a point of the map, or near the device; no request contains the location. */
import type { Place } from '../../views/pages/portal/search.js';
import { currentNarrowing, narrow } from './page-address.js';

type Point = Omit<Place, 'name'>;

/** The device's location, in the fragment of the address. */
const DEVICE = 'me';

/** Pixels that a finger covers around its touch point. */
const FINGER = 9;

/** @param show called with a place, named by a text of the page, and whether the place is a point of the map. */
export function enhanceNearby(show: (place: Place, isOnMap: boolean) => void): void {
  const map = document.querySelector<HTMLElement>('.map');
  const button = document.querySelector<HTMLButtonElement>('.locate');
  if (map === null || button === null) return;
  const { nearMe = '', nearPoint = '', failed = '' } = button.dataset;
  const showPoint = (point: Point): void => {
    show({ ...point, name: nearPoint }, true);
  };
  map.addEventListener('click', (event) => {
    const { target, defaultPrevented } = event;
    if (defaultPrevented || !(target instanceof Element)) return;
    if (target.closest('a') !== null && !isCrowded(map, event)) return;
    const point = pointAt(map, event);
    if (point === undefined) return;
    event.preventDefault();
    narrow({ near: [point.latitude, point.longitude].map((one) => one.toFixed(4)).join(',') });
    showPoint(point);
    map.scrollIntoView({ block: 'nearest' });
  });
  const showMe = locating(button, (place) => {
    narrow({ near: DEVICE });
    show({ ...place, name: nearMe }, false);
  });
  button.addEventListener('click', () => {
    showMe(() => {
      button.textContent = failed;
    });
  });
  const restore = (): void => {
    const { near } = currentNarrowing();
    const point = asPoint(near.split(','));
    if (point !== undefined) showPoint(point);
    // A link from another page must not make the browser ask for the location.
    if (near === DEVICE)
      void navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => {
        if (state === 'granted') showMe(() => undefined);
      });
  };
  addEventListener('popstate', restore);
  restore();
}

/** Whether a finger touches several markers; the page then lists their stations, the nearest first. */
function isCrowded(
  map: HTMLElement,
  { pointerType, clientX, clientY }: MouseEvent & Partial<PointerEvent>,
): boolean {
  if (pointerType !== 'touch') return false;
  const touched = [...map.querySelectorAll('.marker circle:not(.target)')].filter((circle) => {
    const { left, top, width } = circle.getBoundingClientRect();
    const radius = width / 2;
    return Math.hypot(clientX - left - radius, clientY - top - radius) < radius + FINGER;
  });
  return touched.length > 1;
}

/**
 * Shows the button if the browser can locate the device, which requires a secure origin; otherwise removes it.
 *
 * @returns a function that locates the device: it calls `found`, or `fail` if the user or the device refuses.
 */
function locating(button: HTMLElement, found: (point: Point) => void): (fail: () => void) => void {
  if (!isSecureContext || !('geolocation' in navigator)) {
    button.remove();
    return () => undefined;
  }
  button.hidden = false;
  return (fail) => {
    navigator.geolocation.getCurrentPosition(({ coords: { latitude, longitude } }) => {
      found({ latitude, longitude });
    }, fail);
  };
}

function asPoint(list: readonly unknown[]): Point | undefined {
  const [latitude = NaN, longitude = NaN] = list.map(Number);
  return Number.isFinite(latitude) && Number.isFinite(longitude)
    ? { latitude, longitude }
    : undefined;
}

/** The coordinates of a pointer on the map: the inverse of Web Mercator (`views/pages/map/frame.ts`). */
function pointAt(map: HTMLElement, { clientX, clientY }: MouseEvent): Point | undefined {
  const inner = map.querySelector('.map-inner')?.getBoundingClientRect();
  if (inner === undefined) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = (map.dataset['bounds'] ?? '')
    .split(',')
    .map(Number);
  const [x, y] = [(clientX - inner.left) / inner.width, (clientY - inner.top) / inner.height];
  const [top, bottom] = [mercator(north), mercator(south)];
  const latitude = (Math.atan(Math.sinh(top + (bottom - top) * y)) * 180) / Math.PI;
  return { latitude, longitude: west + (east - west) * x };
}

function mercator(latitude: number): number {
  return Math.asinh(Math.tan((latitude * Math.PI) / 180));
}
