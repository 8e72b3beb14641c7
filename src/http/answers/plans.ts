/** Planned answers of one snapshot: asked of the worker pool once for all clients that ask the same. */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { Plan } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { Answer } from '../semantics/answer.js';
import { headerBlock, type HeaderField } from '../semantics/header-block.js';
import { PlannedBody } from './planned-body.js';
import type { PlannedRequest } from './planned-request.js';
import type { SegmentCache } from './segment-cache.js';

/** What plans hold beside references into the copy; the oldest are dropped. */
const PLAN_BYTES = 32 * 1024 * 1024;

/** What a plan costs beside its own bytes, and what each of its chunks does, roughly. */
const ENTRY_BYTES = 2048;
const PIECE_BYTES = { range: 80, bytes: 256 } as const;

export interface PlansOptions {
  readonly snapshot: LeasedSnapshot;
  readonly pool: WorkerPool;
  readonly segments: SegmentCache;
  /** That every answer from the snapshot carries, of an edition or of none. */
  readonly fieldsOf: (edition: string | undefined) => readonly HeaderField[];
}

/** Request targets that lead to known answers without being parsed; longer ones are not remembered. */
const TARGETS_MAX = 4096;
const TARGET_LENGTH_MAX = 256;

interface Entry {
  readonly answer: Answer;
  readonly edition: string | undefined;
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
  /** By coding and what clients typed; all forgotten at once when there are too many, or when an answer is dropped. */
  readonly #targets = new Map<string, Entry>();
  #bytes = 0;

  constructor({ snapshot, pool, segments, fieldsOf }: PlansOptions) {
    this.#snapshot = snapshot;
    this.#pool = pool;
    this.#fieldsOf = fieldsOf;
    this.#segments = segments;
  }

  /** What was asked for in the same words before, if it is still known. */
  recall(target: string, gzip: boolean): Pick<Entry, 'answer' | 'edition'> | undefined {
    return this.#targets.get(gzip ? `gzip ${target}` : target);
  }

  /**
   * The answer at once where it is known, else when a worker has planned it.
   *
   * @param target the words that asked for it, to be recalled by once it is known.
   *
   * @throws {PoolBusyError} asynchronously, when too many wait already.
   */
  answer(request: PlannedRequest, wantsGzip: boolean, target?: string): Answer | Promise<Answer> {
    const gzip = wantsGzip && request.packed !== true;
    const key = `${gzip ? 'gzip' : 'identity'} ${request.key}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#known.delete(key);
      this.#known.set(key, known);
      if (target !== undefined) this.#remember(wantsGzip ? `gzip ${target}` : target, known);
      return known.answer;
    }
    const asked = this.#asked.get(key) ?? this.#ask(key, request, gzip);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(key: string, request: PlannedRequest, gzip: boolean): Promise<Answer> {
    const lease = this.#snapshot.lease();
    try {
      const location = { directory: this.#snapshot.reader.directory };
      const plan = await request.plan(this.#pool, { location, gzip });
      const answer = this.#answerOf(plan, request);
      // A client's text may be long, and of two bytes a character.
      const { edition } = request;
      this.#keep(key, { answer, edition, bytes: ENTRY_BYTES + 2 * key.length + ownBytes(plan) });
      return answer;
    } finally {
      this.#asked.delete(key);
      lease.release();
    }
  }

  #answerOf(plan: Plan, request: PlannedRequest): Answer {
    const [only] = plan.chunks;
    const whole = plan.chunks.length === 1 && only?.kind === 'bytes';
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

  #remember(target: string, entry: Entry): void {
    if (target.length > TARGET_LENGTH_MAX) return;
    if (this.#targets.size >= TARGETS_MAX) this.#targets.clear();
    this.#targets.set(target, entry);
  }

  #keep(key: string, entry: Entry): void {
    this.#known.set(key, entry);
    this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#known) {
      if (this.#bytes <= PLAN_BYTES) return;
      this.#known.delete(oldest);
      this.#bytes -= bytes;
      // They may lead to what has just been dropped.
      this.#targets.clear();
    }
  }
}

function recordCount(records: number): HeaderField {
  return ['X-Record-Count', String(records)];
}

function ownBytes(plan: Plan): number {
  return plan.chunks.reduce(
    (sum, chunk) =>
      sum + PIECE_BYTES[chunk.kind] + (chunk.kind === 'bytes' ? chunk.bytes.byteLength : 0),
    0,
  );
}
