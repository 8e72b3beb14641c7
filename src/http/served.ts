/** The active snapshot as the front serves it: its finished answers with their headers. */
import { SnapshotError } from '../snapshot/errors.js';
import type { LeasedSnapshot } from '../snapshot/lease.js';
import type { Coding } from '../snapshot/local/environment.js';
import type { Answer } from './answer.js';
import { BulkFiles } from './bulk-files.js';
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
import type { FileWish } from './range.js';
import type { PlannedRequest } from './planned-request.js';
import { SegmentCache } from './segment-cache.js';
import type { BundleVerdict } from '../workers/messages.js';
import type { WorkerPool } from '../workers/pool.js';

/** Contract §6, "ETag": short, so that a swap is seen; stale for as long as a refresh may take. */
const CACHE_CONTROL: HeaderField = [
  'Cache-Control',
  'public, max-age=60, stale-while-revalidate=600',
];

/** Per coding and front process. */
const HOT_BYTES = 16 * 1024 * 1024;

/** Per front process: a whole dataset of 105,000 records fits; a larger one streams through it. */
const SEGMENT_CACHE_BYTES = 64 * 1024 * 1024;

/** How long a look at the whole bundle is good for. */
const VERDICT_MS = 10_000;

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
  readonly #pool: WorkerPool;
  readonly #plans: Plans;
  readonly #bulk: BulkFiles;
  #verdict: { readonly askedAt: number; readonly verdict: Promise<BundleVerdict> } | undefined;
  readonly #large = new Map<string, Uint8Array>();
  readonly #hot: Readonly<Record<Coding, HotAnswers>> = {
    identity: new HotAnswers(HOT_BYTES),
    gzip: new HotAnswers(HOT_BYTES),
  };

  constructor(snapshot: LeasedSnapshot, pool: WorkerPool) {
    const { header } = snapshot.reader;
    this.snapshot = snapshot;
    this.#pool = pool;
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
    const segments = new SegmentCache(snapshot.reader, SEGMENT_CACHE_BYTES);
    this.#plans = new Plans({ snapshot, pool, segments, fields: shared });
    this.#bulk = new BulkFiles(snapshot, segments, this.#validators.lastModifiedMs);
    this.#notModified = { status: 304, headers: headerBlock(shared) };
  }

  /** An answer that was asked for in the same words before; undefined: it must be looked up. */
  recall(target: string, wish: Wish): Answer | undefined {
    const hot = this.#hot[wish.gzip ? 'gzip' : 'identity'].get(target);
    return hot && this.#answer(hot.coding, hot.body, wish);
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
      this.#hot[wish.gzip ? 'gzip' : 'identity'].remember(target, { coding, body });
      return this.#answer(coding, body, wish);
    }
    return undefined;
  }

  /** A planned answer, at once where it is known. */
  plan(request: PlannedRequest, wish: Wish): Answer | Promise<Answer> {
    if (isNotModified(wish, this.#validators)) return this.#notModified;
    return this.#plans.answer(request, wish.gzip);
  }

  /** A file of the bulk bundle, or what is wrong with asking for it. */
  file(name: string, wish: FileWish): Answer {
    return this.#bulk.answer(name, wish);
  }

  /**
   * Whether every file of the bulk bundle is what its index says.
   *
   * All its bytes are read, so an answer is good for a while, for everybody who asks.
   */
  async verifyBundle(): Promise<BundleVerdict> {
    const now = performance.now();
    if (this.#verdict === undefined || now - this.#verdict.askedAt > VERDICT_MS) {
      this.#verdict = { askedAt: now, verdict: this.#askVerdict() };
    }
    return this.#verdict.verdict;
  }

  async #askVerdict(): Promise<BundleVerdict> {
    const lease = this.snapshot.lease();
    try {
      const { snapshotId, reader } = this.snapshot;
      return await this.#pool.run('verify-bundle', { snapshotId, directory: reader.directory });
    } catch (error) {
      this.#verdict = undefined;
      if (!(error instanceof SnapshotError)) throw error;
      return { ok: false, detail: error.message };
    } finally {
      lease.release();
    }
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
