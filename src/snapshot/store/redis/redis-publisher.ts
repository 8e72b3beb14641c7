/**
 * Writes one document into a Redis store: a publisher holds the guard of the snapshot's id, writes the parts, and names them
 * in the index at last.
 *
 * Every write renews the guard, and none is done without it: a publisher that was held up for a minute cannot write among
 * the parts of the next one.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Digester, digesting } from '../../domain/digest.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import type { NewSnapshot } from '../store.js';
import { encodeEntry } from './index-entry.js';
import type { RedisAccess } from './redis-access.js';
import { ACQUIRE, COMMIT, DISCARD, RELEASE, WRITE_PART } from './redis-scripts.js';

/**
 * Of a part. What a server needs for a value beside its bytes fits into the same piece of memory: 256 KiB and a byte more
 * would take 320 KiB of it.
 */
const PART_BYTES = 256 * 1024 - 64;

/** How often a publisher that waits for another one looks again. */
const GUARD_POLL_MS = 500;

/** Ten times what the largest document takes; another publisher that needs longer is in trouble. */
const GUARD_WAIT_MS = 600_000;

/** Of what is done after an interruption. */
const NEVER = new AbortController().signal;

/** Times that a document is written anew because a failover has lost parts of it. */
const MAX_ATTEMPTS = 3;

export interface WriteOptions {
  readonly access: RedisAccess;
  readonly snapshot: NewSnapshot;
  /** Called before the first byte is written; what it throws ends the write. */
  readonly onBegin: () => Promise<void>;
  readonly onNote: (note: string) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Answers whether the document was written: false where the id was stored before, in whatever bytes.
 *
 * After a failure nothing is left of it, unless the store itself was the reason.
 */
export async function writeDocument(options: WriteOptions): Promise<boolean> {
  const publisher = new Publisher(options);
  await publisher.acquire();
  try {
    if ((await options.access.entry(options.snapshot.snapshotId, options.signal)) !== undefined) {
      return false;
    }
    await options.onBegin();
    await publisher.write();
    return true;
  } catch (error) {
    await publisher.discard(error);
    throw error;
  } finally {
    await publisher.release();
  }
}

class Publisher {
  readonly #options: WriteOptions;
  readonly #id: string;
  readonly #guard: string;
  readonly #holder = randomBytes(12).toString('hex');
  /** Parts that may have been written. */
  #parts = 0;
  #isAway = false;

  constructor(options: WriteOptions) {
    this.#options = options;
    this.#id = options.snapshot.snapshotId;
    this.#guard = options.access.keys.guard(this.#id);
  }

  async acquire(): Promise<void> {
    const { signal, onNote } = this.#options;
    const deadline = performance.now() + GUARD_WAIT_MS;
    for (let isTold = false; ; isTold = true) {
      if (await this.#evaluate(ACQUIRE, { keys: [], values: [] })) return;
      if (performance.now() > deadline) throw this.#taken();
      if (!isTold) onNote(`another publisher is storing ${this.#id}; waiting until it has ended`);
      await wait(GUARD_POLL_MS, undefined, signal === undefined ? {} : { signal });
    }
  }

  async write(): Promise<void> {
    const { keys } = this.#options.access;
    const { sizeBytes, sha256 } = this.#options.snapshot;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const parts = await this.#writeParts();
      const entry = encodeEntry({ sizeBytes, sha256, parts, storedAtMs: Date.now() });
      const isDone = await this.#evaluate(COMMIT, {
        keys: [keys.index, ...keys.parts(this.#id, parts)],
        values: [this.#id, entry, String(sizeBytes)],
      });
      if (isDone) return;
    }
    throw this.#taken();
  }

  /** Removes what has been written, unless the store cannot be reached: then it is an orphan, which `prune` removes. */
  async discard(error: unknown): Promise<void> {
    this.#isAway = error instanceof SnapshotError && error.code === 'store_unreachable';
    if (this.#isAway || this.#parts === 0) return;
    const { keys } = this.#options.access;
    const parts = {
      keys: [keys.index, ...keys.parts(this.#id, this.#parts)],
      values: [this.#id, ''],
    };
    await this.#evaluate(DISCARD, parts, NEVER).catch(() => undefined);
  }

  async release(): Promise<void> {
    if (this.#isAway) return;
    await this.#evaluate(RELEASE, { keys: [], values: [] }, NEVER).catch(() => undefined);
  }

  async #writeParts(): Promise<number> {
    const { snapshot, access } = this.#options;
    const digester = new Digester();
    let part = 0;
    for await (const bytes of inParts(digesting(snapshot.open(), digester))) {
      this.#parts = Math.max(this.#parts, part + 1);
      const written = { keys: [access.keys.part(this.#id, part)], values: [bytes] };
      if (!(await this.#evaluate(WRITE_PART, written))) throw this.#taken();
      part += 1;
    }
    if (digester.digest().sha256 === snapshot.sha256) return part;
    throw new SnapshotError(
      'document_corrupt',
      `the document of ${this.#id} changed while it was being published`,
    );
  }

  async #evaluate(
    script: string,
    {
      keys,
      values,
    }: { readonly keys: readonly string[]; readonly values: readonly (string | Buffer)[] },
    signal = this.#options.signal,
  ): Promise<boolean> {
    const all = { keys: [this.#guard, ...keys], values: [this.#holder, ...values] };
    return await this.#options.access.evaluate(`write ${this.#id}`, script, all, signal);
  }

  #taken(): SnapshotError {
    return new SnapshotError(
      'snapshot_conflict',
      `another publisher is storing ${this.#id}; publish it again when that one has ended`,
    );
  }
}

/** The same bytes in parts of one size; the last one may be smaller. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    while (sizeBytes + rest.byteLength >= PART_BYTES) {
      const missing = PART_BYTES - sizeBytes;
      yield Buffer.concat([...held, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      held = [];
      sizeBytes = 0;
    }
    if (rest.byteLength === 0) continue;
    held.push(rest);
    sizeBytes += rest.byteLength;
  }
  if (sizeBytes > 0) yield Buffer.concat(held);
}
