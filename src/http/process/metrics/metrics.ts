/** Collects the metrics of the service and renders them as Prometheus text (exposition format 0.0.4). */
import type { FollowEvent } from '../../../snapshot/follow/follow-event.js';
import { COUNTED, COUNTED_NAMES, type FrontCounters } from './counters.js';

/** Values that are read at the moment of a scrape. */
export interface Readings {
  readonly frontsAlive: number;
  readonly frontsReplaced: number;
  readonly frontsHung: number;
  /** Epoch milliseconds, UTC; undefined while no snapshot is served. */
  readonly generatedAtMs: number | undefined;
  readonly nowMs: number;
  readonly counters: FrontCounters;
}

export class Metrics {
  #swaps = 0;
  #imports = 0;
  #importMs = 0;
  #overtaken = { ended: 0, finished: 0 };
  #storeReachable = false;
  readonly #failures = new Map<string, number>();

  record(event: FollowEvent): void {
    switch (event.kind) {
      case 'activated':
        this.#swaps++;
        if (event.importMs === undefined) break;
        this.#imports++;
        this.#importMs += event.importMs;
        break;
      case 'overtaken':
        this.#overtaken[event.finishes ? 'finished' : 'ended']++;
        break;
      case 'failed':
        this.#failures.set(event.code, (this.#failures.get(event.code) ?? 0) + 1);
        break;
      case 'store':
        this.#storeReachable = event.reachable;
        break;
      case 'importing':
      case 'pointer_older':
      case 'unavailable':
      case 'strangers':
      case 'store_status_not_written':
        break; // logged
    }
  }

  /** Snapshot metrics are absent while no snapshot is served. */
  render({ counters, ...readings }: Readings): string {
    const { generatedAtMs, nowMs } = readings;
    const snapshot =
      generatedAtMs === undefined
        ? []
        : [
            gauge(
              'bura_snapshot_generated_at_seconds',
              'generated_at of the served snapshot',
              generatedAtMs / 1000,
            ),
            gauge(
              'bura_snapshot_age_seconds',
              'Seconds since generated_at of the served snapshot',
              (nowMs - generatedAtMs) / 1000,
            ),
          ];
    return [
      gauge('bura_snapshot_served', 'Whether a snapshot is served', snapshot.length > 0 ? 1 : 0),
      ...snapshot,
      gauge('bura_store_reachable', 'Whether the store answers', this.#storeReachable ? 1 : 0),
      counter('bura_swaps_total', 'Snapshots put into service', this.#swaps),
      family('bura_failures_total', 'Failed imports, pointers and local copies, by code', 'code', [
        ...this.#failures,
      ]),
      summary('bura_import_seconds', 'Successful imports', {
        sum: this.#importMs / 1000,
        count: this.#imports,
      }),
      family(
        'bura_imports_overtaken_total',
        'Imports overtaken by a newer pointer, by what became of them',
        'import',
        Object.entries(this.#overtaken),
      ),
      gauge('bura_fronts_alive', 'Front processes that are alive', readings.frontsAlive),
      counter(
        'bura_fronts_replaced_total',
        'Front processes that died and were replaced',
        readings.frontsReplaced,
      ),
      counter(
        'bura_fronts_hung_total',
        'Front processes that hung and were killed',
        readings.frontsHung,
      ),
      family(
        'bura_answers_total',
        'Answers by the first digit of their status',
        'class',
        Object.entries(counters.answersByClass).map(([digit, count]) => [`${digit}xx`, count]),
      ),
      ...COUNTED_NAMES.map((name) => {
        const { metric, help } = COUNTED[name];
        return counter(metric, help, counters.counts[name]);
      }),
      gauge('bura_leases', 'Open leases on snapshots', counters.leases),
      '',
    ].join('\n');
  }
}

function gauge(name: string, help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}`;
}

function counter(name: string, help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${name} ${value}`;
}

/** One counter for each value of a label. Label values are constants of this service, with nothing in them to escape. */
function family(
  name: string,
  help: string,
  label: string,
  values: readonly (readonly [string, number])[],
): string {
  const lines = values.map(([labelValue, value]) => `${name}{${label}="${labelValue}"} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...lines].join('\n');
}

/** A summary without quantiles: a sum and a count. */
function summary(
  name: string,
  help: string,
  of: { readonly sum: number; readonly count: number },
): string {
  const values = `${name}_sum ${of.sum}\n${name}_count ${of.count}`;
  return `# HELP ${name} ${help}\n# TYPE ${name} summary\n${values}`;
}
