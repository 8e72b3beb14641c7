/** Planned answers of one snapshot: asked of the worker pool once for all clients that ask the same. */
import type { LeasedSnapshot } from '../snapshot/lease.js';
import type { Plan } from '../workers/messages.js';
import type { WorkerPool } from '../workers/pool.js';
import type { Answer } from './answer.js';
import { headerBlock, type HeaderField } from './header-block.js';
import { PlannedBody } from './planned-body.js';
import type { PlannedRequest } from './planned-request.js';
import type { SegmentCache } from './segment-cache.js';

/** What plans hold beside references into the copy; the oldest are dropped. */
const PLAN_BYTES = 32 * 1024 * 1024;

/** What a plan costs beside its own bytes, and what each of its pieces does, roughly. */
const ENTRY_BYTES = 2048;
const PIECE_BYTES = { range: 80, bytes: 256 } as const;

export interface PlansOptions {
  readonly snapshot: LeasedSnapshot;
  readonly pool: WorkerPool;
  readonly segments: SegmentCache;
  /** That every answer from the snapshot carries, of an edition or of none. */
  readonly fieldsOf: (edition: string | undefined) => readonly HeaderField[];
}

interface Entry {
  readonly answer: Answer;
  readonly bytes: number;
}

export class Plans {
  readonly #snapshot: LeasedSnapshot;
  readonly #pool: WorkerPool;
  readonly #fieldsOf: PlansOptions['fieldsOf'];
  readonly #segments: SegmentCache;
  /** In the order of their last use. */
  readonly #known = new Map<string, Entry>();
  readonly #asked = new Map<string, Promise<Answer>>();
  #bytes = 0;

  constructor({ snapshot, pool, segments, fieldsOf }: PlansOptions) {
    this.#snapshot = snapshot;
    this.#pool = pool;
    this.#fieldsOf = fieldsOf;
    this.#segments = segments;
  }

  /**
   * The answer at once where it is known, else when a worker has planned it.
   *
   * @throws {PoolBusyError} asynchronously, when too many wait already.
   */
  answer(request: PlannedRequest, wantsGzip: boolean): Answer | Promise<Answer> {
    const gzip = wantsGzip && request.packed !== true;
    const key = `${gzip ? 'gzip' : 'identity'} ${request.key}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#known.delete(key);
      this.#known.set(key, known);
      return known.answer;
    }
    const asked = this.#asked.get(key) ?? this.#ask(key, request, gzip);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(key: string, request: PlannedRequest, gzip: boolean): Promise<Answer> {
    const lease = this.#snapshot.lease();
    try {
      const { snapshotId, reader } = this.#snapshot;
      const place = { snapshotId, directory: reader.directory };
      const plan = await request.plan(this.#pool, { place, gzip });
      const answer = this.#answerOf(plan, request);
      // A client's text may be long, and of two bytes a character.
      this.#keep(key, { answer, bytes: ENTRY_BYTES + 2 * key.length + ownBytes(plan) });
      return answer;
    } finally {
      this.#asked.delete(key);
      lease.release();
    }
  }

  #answerOf(plan: Plan, request: PlannedRequest): Answer {
    const [only] = plan.pieces;
    const whole = plan.pieces.length === 1 && only?.kind === 'bytes';
    return {
      status: 200,
      headers: headerBlock([
        ...request.fields,
        ...(plan.coding === 'gzip' ? [['Content-Encoding', 'gzip'] as const] : []),
        ...(plan.records === undefined ? [] : [recordCount(plan.records)]),
        ...this.#fieldsOf(request.edition),
      ]),
      body: whole ? only.bytes : new PlannedBody(plan, this.#snapshot, this.#segments),
    };
  }

  #keep(key: string, entry: Entry): void {
    this.#known.set(key, entry);
    this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#known) {
      if (this.#bytes <= PLAN_BYTES) return;
      this.#known.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

function recordCount(records: number): HeaderField {
  return ['X-Record-Count', String(records)];
}

function ownBytes(plan: Plan): number {
  return plan.pieces.reduce(
    (sum, piece) =>
      sum + PIECE_BYTES[piece.kind] + (piece.kind === 'bytes' ? piece.bytes.byteLength : 0),
    0,
  );
}
