/**
 * The Redis store (`docs/snapshot-format.md, "Redis store"`): objects, an index for each folder, replaceable names, and
 * a message for each change. An object exists once the index has its entry, which is added after all its bytes.
 */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { countMember, parseMembers, textMember } from '../../domain/json-members.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import {
  missingObject,
  NAMED_BYTES_MAX,
  promisedBytes,
  type Change,
  type NewObject,
  type OpenOptions,
  type StoredObject,
  type WritableObjectStore,
} from '../objects.js';
import { documentPath, POINTER_NAME, snapshotIdOf } from '../pointer.js';
import { pulledStream } from '../pulled-stream.js';
import { redisKeys, type RedisKeys } from './redis-keys.js';
import { readBytes, type RedisClient } from './redis-library.js';
import { RedisLink, type RedisLinkOptions } from './redis-link.js';
import { APPEND, CHANGE, COMMIT, evaluate } from './redis-scripts.js';
import { readServerMemory } from './server-memory.js';

/** Limit of an object: half of the longest value of a Redis server. */
const OBJECT_BYTES_MAX = 256 * 1024 * 1024;

/** Bytes of an object per round trip. Shorter chunks, such as a compressor's 16 KiB, are joined. */
const CHUNK_BYTES = 256 * 1024;

/** Index entries per scan request. */
const SCAN_COUNT = 1000;

/** Attempts to write an object when failovers lose parts of it. */
const MAX_WRITES = 3;

/** Memory that an object needs beyond its bytes: keys, index entries and buffers. */
const MEMORY_FACTOR = 1.1;
const MEMORY_MARGIN_BYTES = 1024 * 1024;

export interface RedisObjectsOptions extends Omit<RedisLinkOptions, 'key'> {
  readonly keyPrefix: string;
}

export class RedisObjects implements WritableObjectStore {
  readonly address: string;
  readonly #keys: RedisKeys;
  readonly #link: RedisLink;
  readonly #onNote: (note: string) => void;

  constructor(options: RedisObjectsOptions) {
    const { shown, keyPrefix } = options;
    const onNote = (note: string): void => {
      options.onNote(`${shown}: ${note}`);
    };
    this.address = shown;
    this.#keys = redisKeys(keyPrefix);
    this.#link = new RedisLink({ ...options, key: this.#keys.named(POINTER_NAME), onNote });
    this.#onNote = onNote;
  }

  async read(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const key = this.#keys.named(name);
    return await this.#link.run(
      `read ${name}`,
      async (client) => {
        // Reads one byte over the limit, so that the caller can refuse a longer value.
        const read = () => readBytes(client, key, [0, NAMED_BYTES_MAX]);
        const bytes = await read();
        if (bytes.length > 0) return bytes;
        // Distinguishes a missing value from an empty one; the value may also have been written meanwhile.
        return (await client.exists(key)) === 0 ? undefined : await read();
      },
      signal,
    );
  }

  async open(name: string, { sizeBytes = Infinity, signal }: OpenOptions = {}): Promise<Readable> {
    const { field, key } = this.#keys.object(name);
    const stored = await this.stat(name, signal);
    if (stored === undefined) throw missingObject(this.address, name);
    let offset = 0;
    const end = Math.min(stored.sizeBytes, sizeBytes + 1);
    return pulledStream({
      pull: async () => {
        if (offset >= end) return undefined;
        const last = Math.min(end, offset + CHUNK_BYTES) - 1;
        const bytes = await this.#link.run(
          `read ${field}`,
          (client) => readBytes(client, key, [offset, last]),
          signal,
        );
        if (bytes.length === 0) throw missingObject(this.address, name);
        offset += bytes.byteLength;
        return bytes;
      },
      close: () => Promise.resolve(),
      signal,
    });
  }

  watch(_name: string, onChange: () => void): { close(): void } {
    let isChecked = false;
    return this.#link.watch(this.#keys.channel, () => {
      onChange();
      if (isChecked) return;
      isChecked = true;
      this.#memory().catch(() => {
        isChecked = false;
      });
    });
  }

  close(): void {
    this.#link.close();
  }

  /** Keys are created by writes, so this only checks the server. */
  async prepare(): Promise<void> {
    await this.read(POINTER_NAME);
  }

  async list(folder: string): Promise<readonly StoredObject[]> {
    const index = this.#keys.index(folder);
    const entries = await this.#link.run('read the index', async (client) => {
      // A scan during changes may return an entry more than once.
      const fields = new Map<string, string>();
      for (let cursor = '0'; ;) {
        const scanned = await client.hScan(index, cursor, { COUNT: SCAN_COUNT });
        for (const { field, value } of scanned.entries) fields.set(field, value);
        cursor = scanned.cursor;
        if (cursor === '0') return fields;
      }
    });
    return [...entries].flatMap(([field, text]) => {
      const entry = decodeEntry(text);
      const name = folder === 'snapshots' ? documentPath(field) : field;
      return entry === undefined ? [] : { name, ...entry };
    });
  }

  async stat(name: string, signal?: AbortSignal) {
    const { index, field } = this.#keys.object(name);
    const read = (client: RedisClient) => client.hGet(index, field);
    const text = await this.#link.run('read the index', read, signal);
    const entry = text === null ? undefined : decodeEntry(text);
    return entry && { name, ...entry };
  }

  async isRetired(name: string, signal?: AbortSignal): Promise<boolean> {
    const { field } = this.#keys.object(name);
    const read = (client: RedisClient) => client.hExists(this.#keys.removed, field);
    return (await this.#link.run('read the removed ids', read, signal)) === 1;
  }

  async put(name: string, object: NewObject, signal?: AbortSignal) {
    const { field } = this.#keys.object(name);
    const { sizeBytes } = object;
    if (sizeBytes > OBJECT_BYTES_MAX) {
      const most = `${OBJECT_BYTES_MAX} at the most`;
      throw this.#full(`${field} has ${sizeBytes} bytes; a Redis store takes ${most}`);
    }
    for (let attempt = 0; attempt < MAX_WRITES; attempt += 1) {
      if (await this.isRetired(name, signal)) return 'retired';
      // Another publisher may have stored the object first.
      if ((await this.stat(name, signal)) !== undefined) return 'present';
      if (attempt === 0) await this.#refuseIfFull(sizeBytes);
      if (await this.#write(name, object, signal)) return 'stored';
    }
    const what = `${field} was lost ${MAX_WRITES} times while it was written`;
    throw new SnapshotError('store_unreachable', `${this.address}: ${what}`);
  }

  async change({ name, from, to, needs = [], removes }: Change): Promise<boolean> {
    const needed = needs.map((one) => this.#keys.object(one));
    const gone = removes === undefined ? undefined : this.#keys.object(removes);
    const isRetired = removes !== undefined && snapshotIdOf(removes) !== undefined;
    const { index, field } = gone ?? needed[0] ?? this.#keys.object(name);
    const before = from === undefined ? '' : Buffer.from(from);
    const step = evaluate(CHANGE, {
      keys: [
        this.#keys.named(name),
        index,
        this.#keys.removed,
        ...needed.map(({ key }) => key),
        ...(gone ? [gone.key] : []),
      ],
      values: [
        before,
        to ?? before,
        this.#keys.channel,
        field,
        isRetired ? new Date().toISOString() : '',
        ...needed.map((one) => one.field),
      ],
    });
    const doing = name === POINTER_NAME ? `activate ${field}` : `replace ${name}`;
    return await this.#link.run(gone ? `remove ${gone.field}` : doing, step);
  }

  /** Does nothing: the unfinished objects of killed publishers expire. */
  removeOrphans(): Promise<number> {
    return Promise.resolve(0);
  }

  /**
   * Writes an object under a temporary name, then gives it its name and index entry in one step. The temporary name
   * expires ten minutes after the last write, so a killed publisher leaves nothing.
   *
   * @returns false if written bytes were lost meanwhile, or the name is in use or retired.
   */
  async #write(name: string, object: NewObject, signal?: AbortSignal): Promise<boolean> {
    const { index, field, key } = this.#keys.object(name);
    const doing = `write ${field}`;
    const unfinished = this.#keys.unfinished(`${field}:${randomBytes(12).toString('hex')}`);
    let isAway = false;
    try {
      let written = 0;
      for await (const chunk of inChunks(promisedBytes(object, field, signal))) {
        const step = evaluate(APPEND, { keys: [unfinished], values: [String(written), chunk] });
        if (!(await this.#link.run(doing, step, signal))) return false;
        written += chunk.byteLength;
      }
      const step = evaluate(COMMIT, {
        keys: [unfinished, index, key, this.#keys.removed],
        values: [field, encodeEntry({ ...object, storedAtMs: Date.now() }), String(written)],
      });
      return await this.#link.run(doing, step, signal);
    } catch (error) {
      isAway = error instanceof SnapshotError && error.code === 'store_unreachable';
      throw error;
    } finally {
      if (!isAway) {
        await this.#link.run(doing, (client) => client.unlink(unfinished)).catch(() => undefined);
      }
    }
  }

  async #memory() {
    const memory = await this.#link.run('read the memory of the server', readServerMemory);
    if (memory.note !== undefined) this.#onNote(memory.note);
    return memory;
  }

  /** @throws {SnapshotError} `store_full` where the server is known to have too little memory for an object. */
  async #refuseIfFull(sizeBytes: number): Promise<void> {
    const { freeBytes } = await this.#memory();
    if (freeBytes === undefined) {
      this.#onNote('INFO says nothing of its memory, so it is not known whether the document fits');
      return;
    }
    const neededBytes = Math.ceil(sizeBytes * MEMORY_FACTOR) + MEMORY_MARGIN_BYTES;
    if (freeBytes >= neededBytes) return;
    const free = Math.max(0, freeBytes);
    throw this.#full(`it has ${free} bytes of memory free, the document needs ${neededBytes}`);
  }

  #full(why: string): SnapshotError {
    return new SnapshotError('store_full', `${this.address} is full: ${why}`);
  }
}

async function* inChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    if (held.byteLength < CHUNK_BYTES) continue;
    yield held;
    held = Buffer.alloc(0);
  }
  if (held.byteLength > 0) yield held;
}

type Entry = Required<Omit<StoredObject, 'name'>>;

function encodeEntry({ sizeBytes, sha256, storedAtMs }: Entry): string {
  const storedAt = new Date(storedAtMs).toISOString();
  return JSON.stringify({ size_bytes: sizeBytes, sha256, stored_at: storedAt });
}

/** Undefined for malformed text: the object then counts as missing. */
function decodeEntry(text: string): Entry | undefined {
  try {
    const members = parseMembers(text);
    const sizeBytes = countMember(members, 'size_bytes');
    const storedAtMs = Date.parse(textMember(members, 'stored_at'));
    if (Number.isNaN(storedAtMs)) return undefined;
    return { sizeBytes, sha256: textMember(members, 'sha256'), storedAtMs };
  } catch {
    return undefined;
  }
}
