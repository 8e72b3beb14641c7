/** Zooms the map by button, wheel or pinch, and moves it by dragging, scrolling or the arrow keys. */
import {
  MapLayout,
  MARKER_RADIUS,
  type LabelOffset,
  type Point,
} from '../../views/pages/map/label-placement.js';

/** The most and the least that any map can be zoomed. */
const SCALE_LIMITS = { least: 2, most: 12 };

/** Pixels between the two nearest markers at which their names have room too: nothing more is to be seen beyond that. */
const APART = 4 * MARKER_RADIUS;

const ZOOM_STEP = 1.6;

/** @returns what is to be called when the map has other circles. */
export function enhanceMap(): () => void {
  const map = document.querySelector<HTMLElement>('.map');
  const inner = map?.querySelector<HTMLElement>('.map-inner');
  const controls = document.querySelector<HTMLElement>('.map-controls');
  if (!map || !inner || controls === null) return () => undefined;
  const view = new ZoomableMap(map, inner, controls);
  controls.hidden = false;
  controls.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button?.dataset['zoom'] === 'in') view.zoom(ZOOM_STEP);
    if (button?.dataset['zoom'] === 'out') view.zoom(1 / ZOOM_STEP);
    if (button?.dataset['zoom'] === 'reset') view.reset();
  });
  map.addEventListener(
    'wheel',
    (event) => {
      // The wheel alone scrolls the page; with Ctrl it zooms. Browsers send a pinch on a touchpad as Ctrl and wheel.
      if (!event.ctrlKey) return;
      event.preventDefault();
      view.zoom(Math.exp(-event.deltaY / 120), event);
    },
    { passive: false },
  );
  listenToPointers(map, view);
  const placeLabels = (): void => {
    view.placeLabels();
  };
  addEventListener('resize', placeLabels);
  return placeLabels;
}

interface ClientPoint {
  readonly clientX: number;
  readonly clientY: number;
}

class ZoomableMap {
  readonly #map: HTMLElement;
  readonly #inner: HTMLElement;
  readonly #controls: HTMLElement;
  #scale = 1;
  #scaleMax: number = SCALE_LIMITS.most;

  constructor(map: HTMLElement, inner: HTMLElement, controls: HTMLElement) {
    this.#map = map;
    this.#inner = inner;
    this.#controls = controls;
    this.placeLabels();
  }

  /** @param around the point that does not move; the centre by default. */
  zoom(factor: number, around?: ClientPoint): void {
    const box = this.#map.getBoundingClientRect();
    const before = this.#inner.getBoundingClientRect();
    const scale = Math.min(Math.max(this.#scale * factor, 1), this.#scaleMax);
    if (scale === this.#scale) return;
    const { clientX: x, clientY: y } = around ?? {
      clientX: box.left + box.width / 2,
      clientY: box.top + box.height / 2,
    };
    this.#scale = scale;
    if (scale === 1) {
      this.reset();
      return;
    }
    // A tall map is cropped before it is zoomed: it keeps its height, so that the page does not jump.
    this.#map.style.height = `${box.height}px`;
    this.#map.classList.add('zoomable', 'zoomed');
    this.#map.tabIndex = 0;
    this.#inner.style.width = `${scale * 100}%`;
    const after = this.#inner.getBoundingClientRect();
    const ratio = after.width / before.width;
    this.#map.scrollLeft = (x - before.left) * ratio - (x - box.left);
    this.#map.scrollTop = (y - before.top) * ratio - (y - box.top);
    this.placeLabels();
  }

  reset(): void {
    this.#scale = 1;
    this.#inner.style.removeProperty('width');
    this.#map.style.removeProperty('height');
    this.#map.classList.remove('zoomable', 'zoomed');
    this.#map.removeAttribute('tabindex');
    this.#map.scrollTo(0, 0);
    this.placeLabels();
  }

  move(x: number, y: number): void {
    this.#map.scrollBy(-x, -y);
  }

  get isZoomed(): boolean {
    return this.#scale > 1;
  }

  /** Decides which markers show their values, and which stations and towns their names, at this size. */
  placeLabels(): void {
    const inner = this.#inner.getBoundingClientRect();
    const { width, height } = inner;
    const overlay = this.#inner.querySelector('.map-overlay');
    if (overlay === null || width === 0) return;
    /** Of its circle, which may lie beside its position. */
    const pointOf = (element: Element): Point => {
      const box = element.querySelector('circle')?.getBoundingClientRect() ?? inner;
      return {
        x: (box.left + box.right) / 2 - inner.left,
        y: (box.top + box.bottom) / 2 - inner.top,
      };
    };
    // A zoomed map can be moved: all of it can be seen, and nothing is covered by the buttons for good.
    const left = this.isZoomed ? 0 : Math.max((width - this.#map.clientWidth) / 2, 0);
    const layout = new MapLayout({ left, right: width - left, bottom: height }, !this.isZoomed);
    // All is measured before anything is changed. The last marker in the page is the most important one.
    const markers = [...overlay.querySelectorAll(':scope > svg')].reverse().map((marker) => {
      const name = marker.querySelector<SVGTextElement>('.name');
      const hasValue = marker.querySelector('text:not(.name, :empty), .arrow') !== null;
      const point = pointOf(marker);
      const isDot = !layout.addMarker(point, hasValue);
      return { marker, point, isDot, name, width: name?.getComputedTextLength() ?? 0 };
    });
    const towns = [...overlay.querySelectorAll('.towns > svg')].map((town) => {
      const name = town.querySelector('text');
      return { town, name, point: pointOf(town), width: name?.getComputedTextLength() ?? 0 };
    });
    for (const { marker, name, point, width, isDot } of markers) {
      marker.firstElementChild?.classList.toggle('dot', isDot);
      if (name !== null) showName(name, name, layout.addStation(point, { width, isDot }));
    }
    for (const { town, name, point, width } of towns) {
      if (name !== null) showName(name, town, layout.addTown(point, { width }));
    }
    overlay.classList.add('placed');
    if (!this.isZoomed) this.#scaleMax = scaleToPart(markers.map(({ point }) => point));
    for (const button of this.#controls.querySelectorAll('button')) {
      button.disabled =
        button.dataset['zoom'] === 'in' ? this.#scale >= this.#scaleMax : !this.isZoomed;
    }
  }
}

/** @param shown what is hidden where the name has no place. */
function showName(name: SVGTextElement, shown: Element, offset: LabelOffset | undefined): void {
  shown.classList.toggle('hidden', offset === undefined);
  if (offset === undefined) return;
  name.setAttribute('x', String(offset.x));
  name.setAttribute('y', String(offset.y));
  name.setAttribute('text-anchor', offset.anchor);
}

/** How far a map is to be zoomed until its two nearest markers are apart. */
function scaleToPart(points: readonly Point[]): number {
  const nearest = points.reduce(
    (least, a, index) =>
      points
        .slice(index + 1)
        .reduce((so, b) => Math.min(so, Math.hypot(a.x - b.x, a.y - b.y)), least),
    Infinity,
  );
  return Math.min(Math.max(APART / nearest, SCALE_LIMITS.least), SCALE_LIMITS.most);
}

/** Listens to dragging with a mouse or pen and to pinching with two fingers; one finger scrolls the page. */
function listenToPointers(map: HTMLElement, view: ZoomableMap): void {
  const pointers = new Map<number, PointerEvent>();
  let travelled = 0;
  map.addEventListener('pointerdown', (event) => {
    pointers.set(event.pointerId, event);
    travelled = 0;
  });
  map.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const others = [...pointers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
    pointers.set(event.pointerId, event);
    const [other] = others;
    if (other !== undefined) {
      const middle = {
        clientX: (event.clientX + other.clientX) / 2,
        clientY: (event.clientY + other.clientY) / 2,
      };
      view.zoom(distance(event, other) / Math.max(distance(before, other), 1), middle);
    } else if (event.pointerType !== 'touch' && view.isZoomed) {
      const x = event.clientX - before.clientX;
      const y = event.clientY - before.clientY;
      travelled += Math.abs(x) + Math.abs(y);
      if (travelled > MARKER_RADIUS / 3) map.classList.add('dragging');
      view.move(x, y);
    }
  });
  const end = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    map.classList.remove('dragging');
  };
  for (const type of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
    map.addEventListener(type, end);
  }
  map.addEventListener('dragstart', (event) => {
    event.preventDefault();
  });
  // The end of a drag on a marker is no click.
  map.addEventListener(
    'click',
    (event) => {
      if (travelled > MARKER_RADIUS / 3) event.preventDefault();
    },
    true,
  );
}

function distance(a: ClientPoint, b: ClientPoint): number {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
