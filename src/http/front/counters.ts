/** Counters of one front since its start. Frequent ones are incremented without a call. */
import {
  ANSWER_BUCKETS,
  frontCounters,
  JOB_KINDS,
  type CountedEvent,
  type FrontLabels,
  type Held,
} from '../../ipc/front-counters.js';
import { observe } from '../../ipc/counter-table.js';
import type { JobKind } from '../../workers/messages.js';
import { STATUSES, type Answer } from '../semantics/answer.js';
import { CONTENT_CODINGS } from '../semantics/header-block.js';
import type { BodyEnd } from '../wire/body-sender.js';

/** Label of requests that match no endpoint. */
const OTHER_ROUTE = 'other';

/** Index of each status in `STATUSES`; a `Map` would take three times as long. */
const PLACE_OF_STATUS = new Uint8Array(600);
for (const [place, status] of STATUSES.entries()) PLACE_OF_STATUS[status] = place;

const CUT = {
  client_gone: 'clientsGone',
  too_slow: 'slowReaders',
  unreadable: 'unreadableAnswers',
  revoked: 'revokedReaders',
} as const satisfies Record<Exclude<BodyEnd, 'sent'>, CountedEvent>;

export class Counters {
  /** Answers that are still being sent. */
  inFlight = 0;
  total = 0;
  /** Requests are counted by the index of their endpoint; the last index is for all other requests. */
  readonly labels: FrontLabels;
  readonly #table: ReturnType<typeof frontCounters>;
  readonly #cells: number[];
  readonly #requests: number;
  readonly #durations: number;
  readonly #bodyBytes: number;

  readonly #onFailed: (route: string, answer: Answer) => void;

  /** @param paths of the endpoints; `onFailed` is called with each answer that is 5xx. */
  constructor(paths: readonly string[], onFailed: (route: string, answer: Answer) => void) {
    this.#onFailed = onFailed;
    this.labels = {
      routes: [...paths, OTHER_ROUTE],
      statuses: STATUSES.map(String),
      codings: CONTENT_CODINGS,
    };
    this.#table = frontCounters(this.labels);
    this.#cells = Array.from({ length: this.#table.length }, () => 0);
    this.#requests = this.#table.cell('requests');
    this.#durations = this.#table.cell('durations');
    this.#bodyBytes = this.#table.cell('bodyBytes');
  }

  count(name: CountedEvent): void {
    this.#table.add(this.#cells, name);
  }

  /** Called when an answer begins. */
  answered(route: number, answer: Answer, bodyBytes: number): void {
    const { status, headers } = answer;
    this.total += 1;
    if (status >= 500) this.#onFailed(this.labels.routes[route] as string, answer);
    const cells = this.#cells;
    const at = this.#requests + route * STATUSES.length + (PLACE_OF_STATUS[status] as number);
    cells[at] = (cells[at] as number) + 1;
    const coding = this.#bodyBytes + CONTENT_CODINGS.indexOf(headers.coding);
    cells[coding] = (cells[coding] as number) + bodyBytes;
  }

  /** Called when the library has the last byte of an answer. */
  finished({ route, arrivedAt }: { readonly route: number; readonly arrivedAt: number }): void {
    const at = this.#durations + route * (ANSWER_BUCKETS.length + 2);
    observe(this.#cells, at, ANSWER_BUCKETS, (performance.now() - arrivedAt) / 1000);
  }

  /** Called when an answer ends early. */
  cut(end: Exclude<BodyEnd, 'sent'>): void {
    this.count(CUT[end]);
  }

  job(what: 'queued' | 'ran', kind: JobKind, milliseconds: number): void {
    this.#table.observe(this.#cells, what, milliseconds / 1000, JOB_KINDS.indexOf(kind));
  }

  /** All counters in the order of `frontCounters`. */
  read(held: Held): readonly number[] {
    for (const [name, value] of Object.entries(held) as [keyof Held, number][]) {
      this.#table.set(this.#cells, name, value);
    }
    return this.#cells;
  }
}
