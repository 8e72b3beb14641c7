/**
 * The Redis store (`docs/snapshot-format.md, "Redis store"`): documents, an index of them, and the pointer, with a message when it moves.
 *
 * A document is there when the index names it, and it is named when all of it is written.
 */
import type { Readable } from 'node:stream';
import { SnapshotError } from '../../domain/snapshot-error.js';
import { isSnapshotId } from '../../domain/snapshot-id.js';
import {
  decodePointer,
  encodePointer,
  MAX_POINTER_BYTES,
  pointerIn,
  withdrawing,
} from '../pointer.js';
import { pulledStream } from '../pulled-stream.js';
import {
  assertInactive,
  missingSnapshot,
  removedSnapshot,
  type DocumentLocation,
  type NewSnapshot,
  type Pointer,
  type PointerReading,
  type RemoveOptions,
  type StoredSnapshot,
  type WritableSnapshotStore,
} from '../store.js';
import { decodeEntry, type FoundEntry } from './index-entry.js';
import { redisKeys, type RedisKeys } from './redis-keys.js';
import { readBytes } from './redis-library.js';
import { RedisLink, type RedisLinkOptions } from './redis-link.js';
import { writeDocument } from './redis-publisher.js';
import { ACTIVATE, evaluate, REMOVE } from './redis-scripts.js';
import { readServerMemory, type ServerMemory } from './server-memory.js';

/** Half of the longest value that a server takes. */
const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024;

/** Of a document, asked for at once. */
const CHUNK_BYTES = 256 * 1024;

/** Times that a document is written anew because a failover has lost some of it. */
const MAX_WRITES = 3;

/** Times that a step is tried again because the pointer moved after it was read. */
const MAX_MOVES = 20;

/** Keys and entries take memory too, and so does a write under way. */
const MEMORY_FACTOR = 1.1;
const MEMORY_MARGIN_BYTES = 1024 * 1024;

export interface RedisStoreOptions extends Omit<RedisLinkOptions, 'key'> {
  readonly keyPrefix: string;
}

export class RedisStore implements WritableSnapshotStore {
  readonly address: string;
  readonly #keys: RedisKeys;
  readonly #link: RedisLink;
  readonly #onNote: (note: string) => void;

  constructor(options: RedisStoreOptions) {
    const { shown, keyPrefix } = options;
    const onNote = (note: string): void => {
      options.onNote(`${shown}: ${note}`);
    };
    this.address = shown;
    this.#keys = redisKeys(keyPrefix);
    this.#link = new RedisLink({ ...options, key: this.#keys.pointer, onNote });
    this.#onNote = onNote;
  }

  async readPointer(signal?: AbortSignal): Promise<PointerReading> {
    const bytes = await this.#pointerBytes(signal);
    if (bytes === undefined) return { kind: 'absent' };
    return { kind: 'pointer', pointer: decodePointer(bytes) };
  }

  async openDocument({ snapshotId }: DocumentLocation, signal?: AbortSignal): Promise<Readable> {
    const key = this.#keys.document(snapshotId);
    const entry = await this.#entry(snapshotId, signal);
    if (entry === undefined) throw this.#missing(snapshotId);
    let offset = 0;
    return pulledStream({
      pull: async () => {
        if (offset >= entry.sizeBytes) return undefined;
        const bytes = await this.#link.run(
          `read ${snapshotId}`,
          (client) => readBytes(client, key, [offset, offset + CHUNK_BYTES - 1]),
          signal,
        );
        if (bytes.length === 0) throw this.#missing(snapshotId);
        offset += bytes.byteLength;
        return bytes;
      },
      close: () => Promise.resolve(),
      signal,
    });
  }

  watch(onChange: () => void): { close(): void } {
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

  /** Keys come into being when they are written, so this only looks whether the server is there. */
  async prepare(): Promise<void> {
    await this.#pointerBytes();
  }

  async list(): Promise<readonly StoredSnapshot[]> {
    const { index } = this.#keys;
    const entries = await this.#link.run('read the index', (client) => client.hGetAll(index));
    return Object.entries(entries).flatMap(([snapshotId, text]) => {
      const entry = isSnapshotId(snapshotId) ? decodeEntry(text) : undefined;
      if (entry === undefined) return [];
      return { snapshotId, sizeBytes: entry.sizeBytes, storedAtMs: entry.storedAtMs };
    });
  }

  async isRemoved(snapshotId: string, signal?: AbortSignal): Promise<boolean> {
    const { removed } = this.#keys;
    const doing = 'read the removed ids';
    return (await this.#link.run(doing, (one) => one.hExists(removed, snapshotId), signal)) === 1;
  }

  async write(snapshot: NewSnapshot, signal?: AbortSignal): Promise<boolean> {
    const { snapshotId, sizeBytes } = snapshot;
    if (sizeBytes > DOCUMENT_BYTES_MAX) {
      const most = `${DOCUMENT_BYTES_MAX} at the most`;
      throw this.#full(`${snapshotId} has ${sizeBytes} bytes; a Redis store takes ${most}`);
    }
    for (let attempt = 0; attempt < MAX_WRITES; attempt += 1) {
      if (await this.isRemoved(snapshotId, signal)) throw removedSnapshot(this.address, snapshotId);
      // Another publisher may have been faster.
      if ((await this.#entry(snapshotId, signal)) !== undefined) return false;
      if (attempt === 0) await this.#refuseIfFull(sizeBytes);
      const written = { link: this.#link, keys: this.#keys, snapshot, signal };
      if (await writeDocument(written)) return true;
    }
    const what = `${snapshotId} was lost ${MAX_WRITES} times while it was written`;
    throw new SnapshotError('store_unreachable', `${this.address}: ${what}`);
  }

  async movePointer(change: (before: Pointer | undefined) => Pointer): Promise<Pointer> {
    const { pointer, index, document, channel } = this.#keys;
    let before = await this.#pointerBytes();
    for (let move = 0; move < MAX_MOVES; move += 1) {
      const to = change(pointerIn(before));
      const { snapshotId, sizeBytes, sha256 } = to;
      const entry = await this.#entry(snapshotId);
      if (entry === undefined) throw this.#missing(snapshotId);
      if (sha256 !== entry.sha256 || sizeBytes !== entry.sizeBytes) {
        throw new SnapshotError(
          'document_corrupt',
          `${snapshotId} has ${sizeBytes} bytes, SHA-256 ${sha256}; the index says ${entry.sizeBytes} and ${entry.sha256}`,
        );
      }
      const values = [
        snapshotId,
        entry.text,
        String(sizeBytes),
        before ?? '',
        encodePointer(to),
        channel,
      ];
      const step = evaluate(ACTIVATE, { keys: [pointer, index, document(snapshotId)], values });
      if (await this.#link.run(`activate ${snapshotId}`, step)) return to;
      const after = await this.#pointerBytes();
      // `remove` may have taken the document after it was verified.
      if (after === before || (before && after?.equals(before))) throw this.#missing(snapshotId);
      before = after;
    }
    throw this.#moving();
  }

  async remove(snapshotId: string, { withdraw = false }: RemoveOptions = {}): Promise<boolean> {
    if (!isSnapshotId(snapshotId)) throw this.#missing(snapshotId);
    const { pointer, index, document, removed, channel } = this.#keys;
    for (let move = 0; move < MAX_MOVES; move += 1) {
      const before = await this.#pointerBytes();
      const active = before && decodePointer(before);
      assertInactive(active, snapshotId);
      const isStored = (await this.#entry(snapshotId)) !== undefined;
      const to = withdraw && active ? encodePointer(withdrawing(active, snapshotId)) : before;
      const step = evaluate(REMOVE, {
        keys: [pointer, index, document(snapshotId), removed],
        values: [snapshotId, before ?? '', to ?? '', new Date().toISOString(), channel],
      });
      if (await this.#link.run(`remove ${snapshotId}`, step)) return isStored;
    }
    throw this.#moving();
  }

  /** None: what a killed publisher leaves behind expires. */
  removeOrphans(): Promise<number> {
    return Promise.resolve(0);
  }

  /** Undefined where there is no pointer. */
  async #pointerBytes(signal?: AbortSignal): Promise<Buffer | undefined> {
    const { pointer } = this.#keys;
    return await this.#link.run(
      'read the pointer',
      async (client) => {
        // One byte more than a pointer may have is enough to refuse it.
        const read = () => readBytes(client, pointer, [0, MAX_POINTER_BYTES]);
        const bytes = await read();
        if (bytes.length > 0) return bytes;
        // Nothing is read where there is nothing, and where it is empty; it may have come meanwhile.
        return (await client.exists(pointer)) === 0 ? undefined : await read();
      },
      signal,
    );
  }

  /** Undefined where the snapshot is not stored. */
  async #entry(snapshotId: string, signal?: AbortSignal): Promise<FoundEntry | undefined> {
    const { index } = this.#keys;
    const doing = 'read the index';
    const text = await this.#link.run(doing, (client) => client.hGet(index, snapshotId), signal);
    return text === null ? undefined : decodeEntry(text);
  }

  async #memory(): Promise<ServerMemory> {
    const memory = await this.#link.run('read the memory of the server', readServerMemory);
    if (memory.note !== undefined) this.#onNote(memory.note);
    return memory;
  }

  /** Called before anything of a document is written. */
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

  #missing(snapshotId: string): SnapshotError {
    return missingSnapshot(this.address, snapshotId);
  }

  #moving(): SnapshotError {
    return new SnapshotError('store_unreachable', `${this.address}: its pointer moves too often`);
  }
}
