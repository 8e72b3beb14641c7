/** The active snapshot as the front serves it: its finished answers with their headers. */
import type { LeasedSnapshot } from '../snapshot/lease.js';
import type { Coding } from '../snapshot/local/environment.js';
import type { Answer } from './answer.js';
import {
  httpDate,
  isNotModified,
  snapshotValidators,
  type Conditions,
  type Validators,
} from './caching.js';
import { CROSS_ORIGIN, JSON_TYPE } from './common-headers.js';
import { DIRECT_BYTES_MAX } from './exchange.js';
import { headerBlock, type HeaderBlock, type HeaderField } from './header-block.js';
import { HotAnswers } from './hot-answers.js';
import { Plans } from './plans.js';
import type { PlannedRequest } from './route.js';
import type { WorkerPool } from '../workers/pool.js';

/** Contract §6, "ETag": short, so that a swap is seen; stale for as long as a refresh may take. */
const CACHE_CONTROL: HeaderField = [
  'Cache-Control',
  'public, max-age=60, stale-while-revalidate=600',
];

/** Per coding and front process. */
const HOT_BYTES = 16 * 1024 * 1024;

const CODINGS = ['gzip', 'identity'] as const satisfies readonly Coding[];

/** What one request wants of a finished answer, beside its name. */
export interface Wish extends Conditions {
  readonly gzip: boolean;
}

export class ServedSnapshot {
  readonly snapshot: LeasedSnapshot;
  readonly #validators: Validators;
  readonly #blocks: Readonly<Record<Coding, HeaderBlock>>;
  readonly #notModified: Answer;
  readonly #plans: Plans;
  readonly #large = new Map<string, Uint8Array>();
  readonly #hot: Readonly<Record<Coding, HotAnswers>> = {
    identity: new HotAnswers(HOT_BYTES),
    gzip: new HotAnswers(HOT_BYTES),
  };

  constructor(snapshot: LeasedSnapshot, pool: WorkerPool) {
    const { header } = snapshot.reader;
    this.snapshot = snapshot;
    this.#validators = snapshotValidators(header);
    const shared: readonly HeaderField[] = [
      ['ETag', this.#validators.entityTag],
      CACHE_CONTROL,
      ['Last-Modified', httpDate(this.#validators.lastModifiedMs)],
      ['Vary', 'Accept-Encoding'],
      ['X-Snapshot-Id', header.snapshotId],
      ...CROSS_ORIGIN,
    ];
    this.#blocks = {
      identity: headerBlock([JSON_TYPE, ...shared]),
      gzip: headerBlock([JSON_TYPE, ['Content-Encoding', 'gzip'], ...shared]),
    };
    this.#plans = new Plans(snapshot, pool, shared);
    this.#notModified = { status: 304, headers: headerBlock(shared) };
  }

  /** An answer that was asked for in the same words before; undefined: it must be looked up. */
  recall(target: string, wish: Wish): Answer | undefined {
    for (const coding of wish.gzip ? CODINGS : (['identity'] as const)) {
      const body = this.#hot[coding].get(target);
      if (body !== undefined) return this.#answer(coding, body, wish);
    }
    return undefined;
  }

  /**
   * A finished answer by its name in the local copy, remembered under the words that asked for it.
   *
   * Its body may be a view of the map: to be sent, or copied, before the next read.
   */
  read(name: string, target: string, wish: Wish): Answer | undefined {
    for (const coding of wish.gzip ? CODINGS : (['identity'] as const)) {
      const body = this.snapshot.reader.answer(name, coding);
      if (body === undefined) continue;
      if (body.byteLength > DIRECT_BYTES_MAX) {
        return this.#answer(coding, this.#shared(`${coding}/${name}`, body), wish);
      }
      this.#hot[coding].remember(target, body);
      return this.#answer(coding, body, wish);
    }
    return undefined;
  }

  /** A planned answer, at once where it is known. */
  plan(request: PlannedRequest, wish: Wish): Answer | Promise<Answer> {
    if (isNotModified(wish, this.#validators)) return this.#notModified;
    return this.#plans.answer(request, wish.gzip);
  }

  /** Large answers are lists, few of them: one copy each, for all clients that are still reading. */
  #shared(key: string, view: Uint8Array): Uint8Array {
    const known = this.#large.get(key);
    if (known !== undefined) return known;
    const body = Uint8Array.from(view);
    this.#large.set(key, body);
    return body;
  }

  #answer(coding: Coding, body: Uint8Array, wish: Wish): Answer {
    if (isNotModified(wish, this.#validators)) return this.#notModified;
    return { status: 200, headers: this.#blocks[coding], body };
  }
}
