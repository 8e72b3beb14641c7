/**
 * The Redis store (`docs/snapshot-format.md, "Redis store"`): documents, an index of them, and the pointer, with a message when it moves.
 *
 * A document is there when the index names it, and it is named when all of it is written.
 */
import type { Readable } from 'node:stream';
import { SnapshotError } from '../../domain/snapshot-error.js';
import { isSnapshotId } from '../../domain/snapshot-id.js';
import { decodePointer, encodePointer, pointerIn, withdrawing } from '../pointer.js';
import { pulledStream } from '../pulled-stream.js';
import {
  assertInactive,
  type DocumentLocation,
  type NewSnapshot,
  type Pointer,
  type PointerReading,
  type RemoveOptions,
  type StoredSnapshot,
  type WritableSnapshotStore,
} from '../store.js';
import { RedisAccess, type RedisAccessOptions } from './redis-access.js';
import { writeDocument } from './redis-publisher.js';
import { ACTIVATE, REMOVE } from './redis-scripts.js';
import { watchChannel } from './redis-watch.js';
import { evictionNote, readServerMemory, type ServerMemory } from './server-memory.js';

/** Times that a step is tried again because the pointer moved after it was read. */
const MAX_MOVES = 20;

/** Keys and entries take memory too, and so does a write under way. */
const MEMORY_FACTOR = 1.1;
const MEMORY_MARGIN_BYTES = 1024 * 1024;

export interface RedisStoreOptions extends RedisAccessOptions {
  readonly onNote: (note: string) => void;
}

export class RedisStore implements WritableSnapshotStore {
  readonly address: string;
  readonly #access: RedisAccess;
  readonly #onNote: (note: string) => void;
  constructor(options: RedisStoreOptions) {
    const { address, onNote } = options;
    this.address = address;
    this.#access = new RedisAccess(options);
    this.#onNote = (note) => {
      onNote(`${address}: ${note}`);
    };
  }

  async readPointer(signal?: AbortSignal): Promise<PointerReading> {
    const bytes = await this.#access.pointerBytes(signal);
    if (bytes === undefined) return { kind: 'absent' };
    return { kind: 'pointer', pointer: decodePointer(bytes) };
  }

  async openDocument({ snapshotId }: DocumentLocation, signal?: AbortSignal): Promise<Readable> {
    const entry = await this.#access.entry(snapshotId, signal);
    if (entry === undefined) throw this.#access.missing(snapshotId);
    let offset = 0;
    return pulledStream({
      pull: async () => {
        if (offset >= entry.sizeBytes) return undefined;
        const bytes = await this.#access.chunk(snapshotId, offset, signal);
        offset += bytes.byteLength;
        return bytes;
      },
      close: () => Promise.resolve(),
      signal,
    });
  }

  watch(onChange: () => void): { close(): void } {
    const { link, keys } = this.#access;
    let isChecked = false;
    const onListening = (): void => {
      if (isChecked) return;
      this.#memory().then(
        (memory) => {
          isChecked = true;
          this.#noteEviction(memory);
        },
        () => undefined,
      );
    };
    const { channel } = keys;
    return watchChannel({ link, channel, onChange, onListening, onNote: this.#onNote });
  }

  close(): void {
    this.#access.link.close();
  }

  /** Keys come into being when they are written, so this only looks whether the server is there. */
  async prepare(): Promise<void> {
    await this.#access.pointerBytes();
  }

  async list(): Promise<readonly StoredSnapshot[]> {
    const entries = [...(await this.#access.entries())];
    return entries
      .filter(([snapshotId]) => isSnapshotId(snapshotId))
      .map(([snapshotId, { sizeBytes, storedAtMs }]) => ({ snapshotId, sizeBytes, storedAtMs }));
  }

  async write(snapshot: NewSnapshot, signal?: AbortSignal): Promise<boolean> {
    return await writeDocument({
      access: this.#access,
      snapshot,
      onBegin: () => this.#refuseIfFull(snapshot.sizeBytes),
      signal,
    });
  }

  async isRemoved(snapshotId: string): Promise<boolean> {
    return await this.#access.isRemoved(snapshotId);
  }

  async movePointer(change: (before: Pointer | undefined) => Pointer): Promise<Pointer> {
    const { keys } = this.#access;
    let before = await this.#access.pointerBytes();
    for (let move = 0; move < MAX_MOVES; move += 1) {
      const to = change(pointerIn(before));
      const { snapshotId, sizeBytes, sha256 } = to;
      const entry = await this.#access.entry(snapshotId);
      if (entry === undefined) throw this.#access.missing(snapshotId);
      if (sha256 !== entry.sha256 || sizeBytes !== entry.sizeBytes) {
        throw new SnapshotError(
          'document_corrupt',
          `${snapshotId} has ${sizeBytes} bytes, SHA-256 ${sha256}; the index says ${entry.sizeBytes} and ${entry.sha256}`,
        );
      }
      const isDone = await this.#access.evaluate(`activate ${snapshotId}`, ACTIVATE, {
        keys: [keys.pointer, keys.index, keys.document(snapshotId)],
        values: [
          ...[snapshotId, entry.text, String(sizeBytes)],
          ...[before ?? '', encodePointer(to), keys.channel],
        ],
      });
      if (isDone) return to;
      const after = await this.#access.pointerBytes();
      // `remove` may have taken the document after it was verified.
      if (after === before || (before && after?.equals(before)))
        throw this.#access.missing(snapshotId);
      before = after;
    }
    throw this.#moving();
  }

  async remove(snapshotId: string, { withdraw = false }: RemoveOptions = {}): Promise<boolean> {
    if (!isSnapshotId(snapshotId)) throw this.#access.missing(snapshotId);
    const { keys } = this.#access;
    for (let move = 0; move < MAX_MOVES; move += 1) {
      const before = await this.#access.pointerBytes();
      const pointer = before && decodePointer(before);
      assertInactive(pointer, snapshotId);
      const isStored = (await this.#access.entry(snapshotId)) !== undefined;
      const to = withdraw && pointer ? encodePointer(withdrawing(pointer, snapshotId)) : before;
      const isDone = await this.#access.evaluate(`remove ${snapshotId}`, REMOVE, {
        keys: [keys.pointer, keys.index, keys.document(snapshotId), keys.removed],
        values: [snapshotId, before ?? '', to ?? '', new Date().toISOString(), keys.channel],
      });
      if (isDone) return isStored;
    }
    throw this.#moving();
  }

  /** None: what a killed publisher leaves behind expires. */
  removeOrphans(): Promise<number> {
    return Promise.resolve(0);
  }

  #moving(): SnapshotError {
    return new SnapshotError('store_unreachable', `${this.address}: its pointer moves too often`);
  }

  async #memory(): Promise<ServerMemory | undefined> {
    return await this.#access.run('read the memory of the server', readServerMemory);
  }

  #noteEviction(memory: ServerMemory | undefined): void {
    const note = evictionNote(memory?.evictionPolicy);
    if (note !== undefined) this.#onNote(note);
  }

  /** Called before anything of a document is written. */
  async #refuseIfFull(sizeBytes: number): Promise<void> {
    const memory = await this.#memory();
    this.#noteEviction(memory);
    if (memory?.freeBytes === undefined) {
      this.#onNote('INFO says nothing of its memory, so it is not known whether the document fits');
      return;
    }
    const neededBytes = Math.ceil(sizeBytes * MEMORY_FACTOR) + MEMORY_MARGIN_BYTES;
    if (memory.freeBytes >= neededBytes) return;
    const free = Math.max(0, memory.freeBytes);
    throw this.#access.full(
      `it has ${free} bytes of memory free, the document needs ${neededBytes}`,
    );
  }
}
