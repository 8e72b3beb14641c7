/** Shows single values of a chart, from the table below it, by pointer or keyboard; chosen hours open as a chart. */
import { currentAddress } from './page-address.js';
import { enhanceCopy } from './copy-button.js';

export function enhanceChart(root: ParentNode): void {
  const chart = root.querySelector<HTMLElement>('.chart');
  const plot = chart?.querySelector<SVGSVGElement>('.plot');
  const readings = readingsOf(root);
  if (chart && plot && readings.length > 0) new ReadableChart(chart, plot, readings);
  for (const button of root.querySelectorAll<HTMLButtonElement>('.copy')) enhanceCopy(button);
}

/** The rows of the table by ascending hour; the order of the table is descending. */
function readingsOf(root: ParentNode) {
  const heads = [...root.querySelectorAll<HTMLElement>('.values th[data-name]')];
  return [...root.querySelectorAll<HTMLTableRowElement>('.values tbody tr')]
    .map((row) => ({
      hour: Number(row.dataset['h']),
      time: row.cells[0]?.textContent ?? '',
      values: [...row.cells].slice(2).map(({ textContent, dataset }, at) => ({
        text: `${heads[at]?.dataset['name'] ?? ''} ${textContent}`.trim(),
        /** The value, clamped for the scale; undefined without a value. */
        plotted: dataset['v'] === undefined ? undefined : Number(dataset['v']),
      })),
    }))
    .reverse();
}

type Reading = ReturnType<typeof readingsOf>[number];

/** Where a key leads from a reading; the first key starts after the last reading. */
const KEYS: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  PageUp: (index) => index - 24,
  PageDown: (index) => index + 24,
  Home: () => 0,
  End: (_, last) => last,
};

/** Pixels from which a move of the pointer is a drag. */
const DRAG = 6;

const HOUR_MS = 3_600_000;

class ReadableChart {
  readonly #chart: HTMLElement;
  readonly #plot: SVGSVGElement;
  readonly #readings: readonly Reading[];
  #index: number | undefined;
  /** Index of the reading at which the choice of hours began. */
  #anchor: number | undefined;

  constructor(chart: HTMLElement, plot: SVGSVGElement, readings: readonly Reading[]) {
    this.#chart = chart;
    this.#plot = plot;
    this.#readings = readings;
    // Screen readers pass keys to a slider, but not to an image.
    plot.setAttribute('role', 'slider');
    plot.setAttribute('aria-valuemin', '1');
    plot.setAttribute('aria-valuemax', String(readings.length));
    plot.setAttribute('aria-describedby', 'chart-help');
    plot.setAttribute('tabindex', '0');
    this.#show(undefined);
    this.#followPointer();
    plot.addEventListener('blur', () => {
      this.#show(undefined);
    });
    plot.addEventListener('keydown', (event) => {
      const { key, shiftKey } = event;
      const last = this.#readings.length - 1;
      const moved = KEYS[key]?.(this.#index ?? last + 1, last);
      if (moved !== undefined) {
        const index = Math.max(Math.min(moved, last), 0);
        this.#show(index, shiftKey ? (this.#anchor ?? this.#index ?? index) : undefined);
      } else if (this.#anchor !== undefined && key === 'Enter') this.#open();
      else if (this.#anchor !== undefined && key === 'Escape') this.#show(this.#index);
      else return;
      event.preventDefault();
    });
  }

  #followPointer(): void {
    const plot = this.#plot;
    let pressed: { readonly x: number; readonly index: number } | undefined;
    plot.addEventListener('pointerdown', ({ pointerType, button, clientX, pointerId }) => {
      const index = this.#indexAt(clientX);
      this.#show(index);
      // A finger shows values and scrolls the page; it chooses no hours.
      if (pointerType === 'touch' || button !== 0) return;
      pressed = { x: clientX, index };
      plot.setPointerCapture(pointerId);
    });
    plot.addEventListener('pointermove', ({ clientX }) => {
      const isDrag = pressed !== undefined && Math.abs(clientX - pressed.x) >= DRAG;
      this.#show(this.#indexAt(clientX), isDrag ? pressed?.index : undefined);
    });
    plot.addEventListener('pointerup', () => {
      if (this.#anchor !== undefined) this.#open();
    });
    plot.addEventListener('lostpointercapture', () => {
      pressed = undefined;
    });
    plot.addEventListener('pointerleave', ({ pointerType }) => {
      // After a touch the value stays visible.
      if (pointerType === 'mouse' && document.activeElement !== plot) this.#show(undefined);
    });
  }

  #open(): void {
    const { searchParams } = currentAddress();
    const link = document.createElement('a');
    const [first, last] = this.#ends();
    const timeOf = (hour = 0): string =>
      new Date(hour * HOUR_MS).toISOString().replace(':00.000Z', 'Z');
    searchParams.delete('window');
    searchParams.set('from', timeOf(first?.hour));
    searchParams.set('to', timeOf((last?.hour ?? 0) + 1));
    link.href = `?${searchParams.toString()}`;
    this.#chart.append(link);
    link.click();
    link.remove();
  }

  /** The first and last reading of the chosen hours; without an anchor, only the shown reading, if any. */
  #ends(): readonly Reading[] {
    return [this.#anchor, this.#index]
      .flatMap((at) => this.#readings[at ?? -1] ?? [])
      .sort((a, b) => a.hour - b.hour);
  }

  /** A number of the chart: its first hour, its number of hours, or the value at an end of its vertical axis. */
  #number(name: 'from' | 'hours' | 'low' | 'high'): number {
    return Number(this.#chart.dataset[name]);
  }

  #indexAt(clientX: number): number {
    const { left, width } = this.#plot.getBoundingClientRect();
    const hour = this.#number('from') + ((clientX - left) / width) * this.#number('hours') - 0.5;
    const distances = this.#readings.map((reading) => Math.abs(reading.hour - hour));
    return distances.indexOf(Math.min(...distances));
  }

  /** Shows a reading, and the hours between it and the anchor as chosen. */
  #show(index: number | undefined, anchor?: number): void {
    this.#index = index;
    this.#anchor = anchor;
    const reading = index === undefined ? undefined : this.#readings[index];
    // The panel shows the newest value of a single line; those of several lines are shown here.
    const isCompared = this.#chart.matches('.comparing');
    const said = reading ?? (isCompared ? this.#readings.at(-1) : undefined);
    const cursor = this.#plot.querySelector<SVGGElement>('.cursor');
    const text = this.#chart.querySelector('.readout');
    if (cursor === null || text === null) return;
    const ends = this.#ends();
    const [first, last] = ends;
    const selection = this.#plot.querySelector('.selection');
    const hours = first && last ? last.hour + 1 - first.hour : 0;
    selection?.setAttribute('x', this.#shareOf(first?.hour));
    selection?.setAttribute('width', this.#shareOf(this.#number('from') + hours));
    cursor.classList.toggle('hidden', reading === undefined);
    if (last !== undefined) text.textContent = ends.map(({ time }) => time).join(' – ');
    else text.textContent = said === undefined ? '' : this.#textOf(said);
    this.#plot.setAttribute('aria-valuenow', String((index ?? this.#readings.length - 1) + 1));
    const newest = this.#readings.at(-1);
    this.#plot.setAttribute(
      'aria-valuetext',
      text.textContent || (newest ? this.#textOf(newest) : ''),
    );
    if (reading === undefined) return;
    const x = this.#shareOf(reading.hour + 0.5);
    for (const name of ['x1', 'x2']) cursor.querySelector('line')?.setAttribute(name, x);
    for (const [station, circle] of [...cursor.querySelectorAll('circle')].entries()) {
      const plotted = reading.values[station]?.plotted;
      circle.classList.toggle('hidden', plotted === undefined);
      if (plotted === undefined) continue;
      const low = this.#number('low');
      const share = (plotted - low) / (this.#number('high') - low);
      circle.setAttribute('cx', x);
      circle.setAttribute('cy', String((1 - share) * this.#plot.height.baseVal.value));
    }
  }

  #shareOf(hour = this.#number('from')): string {
    return `${((hour - this.#number('from')) / this.#number('hours')) * 100}%`;
  }

  /** `3 Feb, 14:00: 23 µg/m³`; with two lines `3 Feb, 14:00: Getafe 23 · Leganés 31 µg/m³`. */
  #textOf({ time, values }: Reading): string {
    const texts = values.map(({ text }) => text);
    return `${time}: ${texts.join(' · ')} ${this.#chart.dataset['unit'] ?? ''}`.trim();
  }
}
