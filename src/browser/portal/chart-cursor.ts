/** Shows single values of a chart by pointer or keyboard, from the table below it; a drag over hours leads to the chart of these. */
import { currentAddress } from './address.js';
import { enhanceCopy } from './copy-button.js';

export function enhanceChart(root: ParentNode): void {
  const chart = root.querySelector<HTMLElement>('.chart');
  const plot = chart?.querySelector<SVGSVGElement>('.plot');
  if (chart && plot) new ReadableChart(chart, plot, readingsOf(root));
  for (const button of root.querySelectorAll<HTMLButtonElement>('.copy')) enhanceCopy(button);
}

/** Values of the table, which is in descending order, in ascending order. */
function readingsOf(root: ParentNode) {
  const heads = [...root.querySelectorAll<HTMLElement>('.values th[data-name]')];
  return [...root.querySelectorAll<HTMLTableRowElement>('.values tbody tr')]
    .map((row) => ({
      hour: Number(row.dataset['h']),
      time: row.cells[0]?.textContent ?? '',
      /** One for each line, with its name where there are several. */
      values: [...row.cells].slice(2).map(({ textContent, dataset }, at) => ({
        text: `${heads[at]?.dataset['name'] ?? ''} ${textContent}`.trim(),
        /** Clamped for the scale; undefined where there is none. */
        plotted: dataset['v'] === undefined ? undefined : Number(dataset['v']),
      })),
    }))
    .reverse();
}

type Reading = ReturnType<typeof readingsOf>[number];

/** Where a key leads from a reading; before the first key that is after the last one. */
const KEYS: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  PageUp: (index) => index - 24,
  PageDown: (index) => index + 24,
  Home: () => 0,
  End: (_, last) => last,
};

/** Pixels that a pointer is moved at least in a drag. */
const DRAG = 6;

const HOUR_MS = 3_600_000;

class ReadableChart {
  readonly #chart: HTMLElement;
  readonly #plot: SVGSVGElement;
  readonly #readings: readonly Reading[];
  readonly #from: number;
  readonly #hours: number;
  /** Values at the ends of the vertical axis. */
  readonly #low: number;
  readonly #high: number;
  #index: number | undefined;

  constructor(chart: HTMLElement, plot: SVGSVGElement, readings: readonly Reading[]) {
    this.#chart = chart;
    this.#plot = plot;
    this.#readings = readings;
    this.#from = Number(chart.dataset['from']);
    this.#hours = Number(chart.dataset['hours']);
    this.#low = Number(chart.dataset['low']);
    this.#high = Number(chart.dataset['high']);
    const help = chart.querySelector<HTMLElement>('.chart-help');
    if (help !== null) {
      help.hidden = false;
      help.id = 'chart-help';
      plot.setAttribute('aria-describedby', help.id);
    }
    plot.setAttribute('tabindex', '0');
    this.#show(undefined);
    for (const type of ['pointermove', 'pointerdown'] as const) {
      plot.addEventListener(type, ({ clientX }) => {
        this.#readAt(clientX);
      });
    }
    plot.addEventListener('pointerleave', ({ pointerType }) => {
      // After a touch the value stays.
      if (pointerType === 'mouse' && document.activeElement !== plot) this.#show(undefined);
    });
    this.#selectByDrag();
    plot.addEventListener('blur', () => {
      this.#show(undefined);
    });
    plot.addEventListener('keydown', (event) => {
      const last = this.#readings.length - 1;
      const index = KEYS[event.key]?.(this.#index ?? last + 1, last);
      if (index === undefined) return;
      event.preventDefault();
      this.#show(Math.max(Math.min(index, last), 0));
    });
  }

  /** With a finger the chart is read, and the page scrolled. */
  #selectByDrag(): void {
    const plot = this.#plot;
    const selection = plot.querySelector('.selection');
    let start: number | undefined;
    const select = (end: number): readonly [number, number] | undefined => {
      const isDrag = start !== undefined && Math.abs(end - start) >= DRAG;
      const [from = 0, to = 0] = [start ?? 0, end]
        .map((x) => this.#hourAt(x))
        .sort((a, b) => a - b);
      const hours = [Math.max(Math.floor(from), 0), Math.min(Math.ceil(to), this.#hours)] as const;
      const [first, last] = isDrag ? hours : [0, 0];
      selection?.setAttribute('x', `${(first / this.#hours) * 100}%`);
      selection?.setAttribute('width', `${((last - first) / this.#hours) * 100}%`);
      return last > first ? hours : undefined;
    };
    plot.addEventListener('pointerdown', ({ pointerType, button, clientX, pointerId }) => {
      if (pointerType === 'touch' || button !== 0) return;
      start = clientX;
      plot.setPointerCapture(pointerId);
    });
    plot.addEventListener('pointermove', ({ clientX }) => {
      if (start !== undefined) select(clientX);
    });
    plot.addEventListener('pointerup', ({ clientX }) => {
      const hours = select(clientX);
      const isSelected = start !== undefined && hours !== undefined;
      start = undefined;
      if (isSelected) this.#open(hours);
    });
    plot.addEventListener('pointercancel', () => {
      start = undefined;
      select(0);
    });
  }

  /** As a link of the panel would. */
  #open([from, to]: readonly [number, number]): void {
    const { searchParams } = currentAddress();
    const link = document.createElement('a');
    const timeOf = (hour: number): string =>
      new Date((this.#from + hour) * HOUR_MS).toISOString().replace(':00.000Z', 'Z');
    searchParams.delete('window');
    searchParams.set('from', timeOf(from));
    searchParams.set('to', timeOf(to));
    link.href = `?${searchParams.toString()}`;
    this.#chart.append(link);
    link.click();
    link.remove();
  }

  /** Hours from the beginning of the chart. */
  #hourAt(clientX: number): number {
    const { left, width } = this.#plot.getBoundingClientRect();
    return ((clientX - left) / width) * this.#hours;
  }

  #readAt(clientX: number): void {
    const hour = this.#from + this.#hourAt(clientX) - 0.5;
    const distances = this.#readings.map((reading) => Math.abs(reading.hour - hour));
    this.#show(distances.indexOf(Math.min(...distances)));
  }

  #show(index: number | undefined): void {
    this.#index = index;
    const reading = index === undefined ? undefined : this.#readings[index];
    // Of several lines the newest values: they have a place of their own.
    const isCompared = this.#chart.matches('.comparing');
    const said = reading ?? (isCompared ? this.#readings.at(-1) : undefined);
    const cursor = this.#plot.querySelector<SVGGElement>('.cursor');
    const text = this.#chart.querySelector('.readout');
    if (cursor === null || text === null) return;
    cursor.classList.toggle('hidden', reading === undefined);
    text.textContent = said === undefined ? '' : this.#textOf(said);
    if (reading === undefined) return;
    const x = `${((reading.hour - this.#from + 0.5) / this.#hours) * 100}%`;
    for (const name of ['x1', 'x2']) cursor.querySelector('line')?.setAttribute(name, x);
    for (const [station, circle] of [...cursor.querySelectorAll('circle')].entries()) {
      const plotted = reading.values[station]?.plotted;
      circle.classList.toggle('hidden', plotted === undefined);
      if (plotted === undefined) continue;
      const share = (plotted - this.#low) / (this.#high - this.#low);
      circle.setAttribute('cx', x);
      circle.setAttribute('cy', String((1 - share) * this.#plot.height.baseVal.value));
    }
  }

  /** `3 Feb, 14:00: 23 µg/m³`, of two stations `3 Feb, 14:00: Getafe 23 · Leganés 31 µg/m³`. */
  #textOf({ time, values }: Reading): string {
    const texts = values.map(({ text }) => text);
    return `${time}: ${texts.join(' · ')} ${this.#chart.dataset['unit'] ?? ''}`.trim();
  }
}
