/** Metrics as an array of numbers per process: a table names the cells; the supervisor adds up and renders them. */

export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  /** Values of each label: each combination of them is a series with its own cells. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly buckets?: readonly number[];
  /** Hides series whose value of the first label was never counted. */
  readonly isSparse?: true;
}

export function counter(name: string, help: string): Metric {
  return { type: 'counter', name, help };
}

export function gauge(name: string, help: string): Metric {
  return { type: 'gauge', name, help };
}

export function histogram(name: string, help: string, buckets: readonly number[]) {
  return { type: 'histogram', name, help, buckets } as const satisfies Metric;
}

interface PlacedMetric extends Metric {
  readonly offset: number;
  /** Number of cells of a series: in a histogram one per bucket, one for greater values, and the sum. */
  readonly width: number;
  /** Label texts of each series, without braces. */
  readonly series: readonly string[];
}

export class CounterTable<Name extends string> {
  readonly length: number;
  readonly #metrics: Readonly<Record<Name, PlacedMetric>>;

  constructor(metrics: Readonly<Record<Name, Metric>>) {
    let length = 0;
    const place = ([name, metric]: [string, Metric]): [string, PlacedMetric] => {
      const width = metric.buckets === undefined ? 1 : metric.buckets.length + 2;
      const series = seriesOf(metric.labels ?? {});
      const offset = length;
      length += width * series.length;
      return [name, { ...metric, offset, width, series }];
    };
    const placed = Object.entries<Metric>(metrics).map(place);
    this.#metrics = Object.fromEntries(placed) as Record<Name, PlacedMetric>;
    this.length = length;
  }

  /** The first cell of a metric, or of one of its series. */
  cell(name: Name, series = 0): number {
    const { offset, width } = this.#metrics[name];
    return offset + series * width;
  }

  add(cells: number[], name: Name, { by = 1, series = 0 } = {}): void {
    const at = this.cell(name, series);
    cells[at] = (cells[at] ?? 0) + by;
  }

  set(cells: number[], name: Name, value: number): void {
    cells[this.cell(name)] = value;
  }

  observe(cells: number[], name: Name, value: number, series = 0): void {
    observe(cells, this.cell(name, series), this.#metrics[name].buckets ?? [], value);
  }

  /** The counts of a process that has exited, without its gauges. */
  withoutGauges(cells: readonly number[]): readonly number[] {
    const left = [...cells];
    for (const { type, offset, series } of Object.values<PlacedMetric>(this.#metrics)) {
      if (type === 'gauge') left.fill(0, offset, offset + series.length);
    }
    return left;
  }

  render(cells: readonly number[]): string {
    return Object.values<PlacedMetric>(this.#metrics)
      .map((metric) => {
        const { offset, width, series } = metric;
        const values = series.map((labels, at) => ({
          labels,
          cells: cells.slice(offset + at * width, offset + (at + 1) * width),
        }));
        return renderMetric(metric, metric.isSparse ? withoutUnused(values) : values);
      })
      .join('');
  }
}

/** Adds a value to the histogram whose first cell is `at`. */
export function observe(
  cells: number[],
  at: number,
  buckets: readonly number[],
  value: number,
): void {
  let place = 0;
  // Short durations are the most frequent, so the loop ends early.
  while (place < buckets.length && value > (buckets[place] as number)) place += 1;
  cells[at + place] = (cells[at + place] ?? 0) + 1;
  const sum = at + buckets.length + 1;
  cells[sum] = (cells[sum] ?? 0) + value;
}

export function sumCells(a: readonly number[], b: readonly number[]): readonly number[] {
  const longer = a.length > b.length ? a : b;
  return longer.map((_cell, at) => (a[at] ?? 0) + (b[at] ?? 0));
}

interface SeriesCells {
  readonly labels: string;
  readonly cells: readonly number[];
}

/** A metric in Prometheus' text format 0.0.4; without series, only its description. */
export function renderMetric(metric: Metric, series: readonly SeriesCells[]): string {
  const { name, help, type } = metric;
  const lines = series.flatMap(({ labels, cells }) => {
    if (metric.buckets === undefined) return [line(name, labels, cells[0])];
    let count = 0;
    const buckets = [...metric.buckets.map(String), '+Inf'].map((bound, at) => {
      count += cells[at] ?? 0;
      return line(`${name}_bucket`, joined(labels, `le="${bound}"`), count);
    });
    return [
      ...buckets,
      line(`${name}_sum`, labels, cells[metric.buckets.length + 1]),
      line(`${name}_count`, labels, count),
    ];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function line(name: string, labels: string, value = 0): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}`;
}

function joined(labels: string, label: string): string {
  return labels === '' ? label : `${labels},${label}`;
}

/** The label text of every combination of label values, in order; values need no escapes. */
function seriesOf(labels: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(labels).reduce<readonly string[]>(
    (all, [label, values]) =>
      all.flatMap((before) => values.map((value) => joined(before, `${label}="${value}"`))),
    [''],
  );
}

function withoutUnused(all: readonly SeriesCells[]): readonly SeriesCells[] {
  const first = ({ labels }: SeriesCells): string => labels.split('",', 1)[0] ?? '';
  const used = new Set(all.filter(({ cells }) => cells.some((cell) => cell > 0)).map(first));
  return all.filter((one) => used.has(first(one)));
}
