/** Shows single values of a chart by pointer or keyboard; the values come from the table below the chart. */

interface Reading {
  readonly hour: number;
  readonly time: string;
  readonly value: string;
}

export function improveChart(root: ParentNode): void {
  const chart = root.querySelector<HTMLElement>('.chart');
  const plot = chart?.querySelector<SVGSVGElement>('.plot');
  if (chart && plot) new ReadableChart(chart, plot, readingsOf(root));
  for (const button of root.querySelectorAll<HTMLButtonElement>('.copy')) improveCopy(button);
}

/** Values of the table, which is in descending order, in ascending order. */
function readingsOf(root: ParentNode): readonly Reading[] {
  return [...root.querySelectorAll<HTMLTableRowElement>('.values tbody tr')]
    .map((row) => ({
      hour: Number(row.dataset['h']),
      time: row.cells[0]?.textContent ?? '',
      value: row.cells[2]?.textContent ?? '',
    }))
    .reverse();
}

class ReadableChart {
  readonly #chart: HTMLElement;
  readonly #plot: SVGSVGElement;
  readonly #readings: readonly Reading[];
  readonly #from: number;
  readonly #hours: number;
  #index: number | undefined;

  constructor(chart: HTMLElement, plot: SVGSVGElement, readings: readonly Reading[]) {
    this.#chart = chart;
    this.#plot = plot;
    this.#readings = readings;
    this.#from = Number(chart.dataset['from']);
    this.#hours = Number(chart.dataset['hours']);
    const help = chart.querySelector<HTMLElement>('.chart-help');
    if (help !== null) {
      help.hidden = false;
      help.id = 'chart-help';
      plot.setAttribute('aria-describedby', help.id);
    }
    plot.setAttribute('tabindex', '0');
    plot.addEventListener('pointermove', (event) => {
      this.#readAt(event.clientX);
    });
    plot.addEventListener('pointerdown', (event) => {
      this.#readAt(event.clientX);
    });
    plot.addEventListener('pointerleave', () => {
      if (document.activeElement !== plot) this.#show(undefined);
    });
    plot.addEventListener('blur', () => {
      this.#show(undefined);
    });
    plot.addEventListener('keydown', (event) => {
      const index = this.#afterKey(event.key);
      if (index === undefined) return;
      event.preventDefault();
      this.#show(index);
    });
  }

  #afterKey(key: string): number | undefined {
    const last = this.#readings.length - 1;
    const index = this.#index ?? last + 1;
    switch (key) {
      case 'ArrowLeft':
        return Math.max(index - 1, 0);
      case 'ArrowRight':
        return Math.min(index + 1, last);
      case 'PageUp':
        return Math.max(index - 24, 0);
      case 'PageDown':
        return Math.min(index + 24, last);
      case 'Home':
        return 0;
      case 'End':
        return last;
      default:
        return undefined;
    }
  }

  #readAt(clientX: number): void {
    const { left, width } = this.#plot.getBoundingClientRect();
    const hour = this.#from + ((clientX - left) / width) * this.#hours - 0.5;
    let nearest: number | undefined;
    for (const [index, reading] of this.#readings.entries()) {
      const best = nearest === undefined ? undefined : this.#readings[nearest];
      if (best === undefined || Math.abs(reading.hour - hour) < Math.abs(best.hour - hour)) {
        nearest = index;
      }
    }
    this.#show(nearest);
  }

  #show(index: number | undefined): void {
    this.#index = index;
    const reading = index === undefined ? undefined : this.#readings[index];
    const cursor = this.#plot.querySelector<SVGGElement>('.cursor');
    const text = this.#chart.querySelector('.readout');
    if (cursor === null || text === null) return;
    cursor.classList.toggle('hidden', reading === undefined);
    text.textContent =
      reading === undefined
        ? ''
        : `${reading.time}: ${reading.value} ${this.#chart.dataset['unit'] ?? ''}`.trim();
    if (reading === undefined) return;
    const x = `${((reading.hour - this.#from + 0.5) / this.#hours) * 100}%`;
    for (const name of ['x1', 'x2']) cursor.querySelector('line')?.setAttribute(name, x);
    cursor.querySelector('circle')?.setAttribute('cx', x);
    cursor.querySelector('circle')?.setAttribute('cy', this.#heightAt(reading.hour));
  }

  /** Vertical position of the curve at an hour, where its path has a point. */
  #heightAt(hour: number): string {
    const path = this.#plot.querySelector('.line')?.getAttribute('d') ?? '';
    const { width = 1000 } =
      this.#plot.querySelector<SVGSVGElement>('.curve')?.viewBox.baseVal ?? {};
    const x = ((hour - this.#from + 0.5) / this.#hours) * width;
    let best = { distance: Infinity, y: '0' };
    for (const [, cx = '', cy = ''] of path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)) {
      const distance = Math.abs(Number(cx) - x);
      if (distance < best.distance) best = { distance, y: cy };
    }
    return best.y;
  }
}

/** Makes a button copy the absolute address of the link beside it. */
function improveCopy(button: HTMLButtonElement): void {
  const link = button.parentElement?.querySelector('a');
  if (!link) return;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(link.href).then(() => {
      button.textContent = button.dataset['done'] ?? '';
      setTimeout(() => {
        button.textContent = label;
      }, 2000);
    });
  });
}
