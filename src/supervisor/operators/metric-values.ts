/** Metrics as prom-client hands them from one process to another: the form in which counted numbers become its metrics. */

export type Labels = Readonly<Record<string, string>>;

/** What `Registry.getMetricsAsJSON` gives of one metric, and `AggregatorRegistry.aggregate` takes. */
export interface MetricValues {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: 'sum';
  readonly values: readonly {
    readonly value: number;
    readonly labels: Labels;
    /** In a histogram: the metric's name with the ending of the series. */
    readonly metricName?: string;
  }[];
}

interface Described {
  readonly type: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
}

/** A metric of any number of series. */
export function metric(
  { type, name, help }: Described,
  values: readonly { readonly value: number; readonly labels: Labels }[],
): MetricValues {
  return { name, help, type, aggregator: 'sum', values };
}

/** @param of.rows how often each bucket was met, how often a larger value than all of them was, and the sum. */
export function histogram(of: {
  readonly name: string;
  readonly help: string;
  readonly buckets: readonly number[];
  readonly rows: readonly { readonly labels: Labels; readonly cells: readonly number[] }[];
}): MetricValues {
  const { name, help, buckets } = of;
  const values = of.rows.flatMap(({ labels, cells }) => {
    let count = 0;
    const cumulative = [...buckets.map(String), '+Inf'].map((le, at) => {
      count += cells[at] ?? 0;
      return { value: count, labels: { ...labels, le }, metricName: `${name}_bucket` };
    });
    const sum = cells[buckets.length + 1] ?? 0;
    return [
      ...cumulative,
      { value: sum, labels, metricName: `${name}_sum` },
      { value: count, labels, metricName: `${name}_count` },
    ];
  });
  return { name, help, type: 'histogram', aggregator: 'sum', values };
}
