/** Zooms the map by button, wheel or pinch, and moves it by dragging, scrolling or the arrow keys. */

const SCALE_LIMITS = { least: 2, most: 12 };

const ZOOM_STEP = 1.6;

/** Pixels that a pointer may move during a click. */
const CLICK_MOVE = 5;

export function enhanceMap(): void {
  const map = document.querySelector<HTMLElement>('.map');
  const inner = map?.querySelector<HTMLElement>('.map-inner');
  const controls = document.querySelector<HTMLElement>('.map-controls');
  if (!map || !inner || controls === null) return;
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
}

type ClientPoint = Pick<MouseEvent, 'clientX' | 'clientY'>;

class ZoomableMap {
  readonly #map: HTMLElement;
  readonly #inner: HTMLElement;
  readonly #controls: HTMLElement;
  #scale = 1;

  constructor(map: HTMLElement, inner: HTMLElement, controls: HTMLElement) {
    this.#map = map;
    this.#inner = inner;
    this.#controls = controls;
    this.#showLimits();
  }

  /** @param around the point that does not move; default: the centre. */
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
    this.#map.classList.add('zoomed');
    this.#map.tabIndex = 0;
    this.#inner.style.width = `${scale * 100}%`;
    const after = this.#inner.getBoundingClientRect();
    const ratio = after.width / before.width;
    this.#map.scrollLeft = (x - before.left) * ratio - (x - box.left);
    this.#map.scrollTop = (y - before.top) * ratio - (y - box.top);
    this.#showLimits();
  }

  reset(): void {
    this.#scale = 1;
    this.#inner.style.removeProperty('width');
    this.#map.classList.remove('zoomed');
    this.#map.removeAttribute('tabindex');
    this.#map.scrollTo(0, 0);
    this.#showLimits();
  }

  move(x: number, y: number): void {
    this.#map.scrollBy(-x, -y);
  }

  get isZoomed(): boolean {
    return this.#scale > 1;
  }

  /** The scale at which the two nearest markers do not overlap, within limits. */
  get #scaleMax(): number {
    const scale = Number(this.#map.dataset['apart']) / this.#map.clientWidth;
    return Math.min(Math.max(scale, SCALE_LIMITS.least), SCALE_LIMITS.most);
  }

  #showLimits(): void {
    for (const button of this.#controls.querySelectorAll('button')) {
      button.disabled =
        button.dataset['zoom'] === 'in' ? this.#scale >= this.#scaleMax : !this.isZoomed;
    }
  }
}

/** Handles drags with a mouse or pen and pinches; one finger scrolls the map or the page. */
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
      if (travelled > CLICK_MOVE) map.classList.add('dragging');
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
  keepGestures(map);
  // The end of a drag on a marker must not open it; a key press, whose `detail` is 0, still does.
  map.addEventListener(
    'click',
    (event) => {
      if (travelled > CLICK_MOVE && event.detail > 0) event.preventDefault();
    },
    true,
  );
}

/** Keeps two fingers from scrolling or zooming the page, and the browser from dragging links and images. */
function keepGestures(map: HTMLElement): void {
  for (const type of ['touchstart', 'touchmove'] as const) {
    map.addEventListener(
      type,
      (event) => {
        if (event.touches.length > 1 && event.cancelable) event.preventDefault();
      },
      { passive: false },
    );
  }
  map.addEventListener('dragstart', (event) => {
    event.preventDefault();
  });
}

function distance(a: ClientPoint, b: ClientPoint): number {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
