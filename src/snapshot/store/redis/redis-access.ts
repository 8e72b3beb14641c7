/** What a Redis store reads: the pointer, the index and documents, chunk by chunk; a server's errors become the store's. */
import { SnapshotError } from '../../domain/snapshot-error.js';
import { MAX_POINTER_BYTES } from '../pointer.js';
import { missingSnapshot } from '../store.js';
import { decodeEntry, type FoundEntry } from './index-entry.js';
import { asList, type RedisConnection, type Reply } from './redis-connection.js';
import { ReplyError } from './redis-errors.js';
import type { RedisKeys } from './redis-keys.js';
import type { RedisLink } from './redis-link.js';

/** Of a document, asked for at once. */
const CHUNK_BYTES = 256 * 1024;

export interface RedisAccessOptions {
  /** As settings name it, without credentials. */
  readonly address: string;
  readonly keys: RedisKeys;
  readonly link: RedisLink;
}

export class RedisAccess {
  readonly address: string;
  readonly keys: RedisKeys;
  readonly link: RedisLink;

  constructor({ address, keys, link }: RedisAccessOptions) {
    this.address = address;
    this.keys = keys;
    this.link = link;
  }

  /**
   * What `work` gives; it may be done more than once, on another server the second time.
   *
   * @throws {SnapshotError} `store_unreachable`, `store_full`.
   */
  async run<T>(
    doing: string,
    work: (server: RedisConnection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    try {
      return await this.link.run(work, signal);
    } catch (error) {
      if (!(error instanceof ReplyError)) throw error;
      if (error.kind === 'OOM') throw this.full(error.message, error);
      const message = `cannot ${doing} in ${this.address}: ${error.message}`;
      throw new SnapshotError('store_unreachable', message, { cause: error });
    }
  }

  /** Runs a script; answers whether it was done. */
  async evaluate(
    doing: string,
    script: string,
    { keys, values }: { readonly keys: readonly string[]; readonly values: readonly Value[] },
    signal?: AbortSignal,
  ): Promise<boolean> {
    const command = ['EVAL', script, String(keys.length), ...keys, ...values];
    return (await this.run(doing, (server) => server.send(command), signal)) === 1;
  }

  /** Undefined where there is no pointer. */
  async pointerBytes(signal?: AbortSignal): Promise<Buffer | undefined> {
    const { pointer } = this.keys;
    // One byte more than a pointer may have is enough to refuse it.
    const read = ['GETRANGE', pointer, '0', String(MAX_POINTER_BYTES)];
    return await this.run(
      'read the pointer',
      async (server) => {
        const bytes = asBytes(await server.send(read));
        if (bytes.length > 0) return bytes;
        // Nothing is read where there is nothing, and where it is empty; it may have come meanwhile.
        if ((await server.send(['EXISTS', pointer])) === 0) return undefined;
        return asBytes(await server.send(read));
      },
      signal,
    );
  }

  /** Undefined where the snapshot is not stored. */
  async entry(snapshotId: string, signal?: AbortSignal): Promise<FoundEntry | undefined> {
    const command = ['HGET', this.keys.index, snapshotId];
    const text = await this.run('read the index', (server) => server.send(command), signal);
    return text === null ? undefined : decodeEntry(asText(text));
  }

  async isRemoved(snapshotId: string, signal?: AbortSignal): Promise<boolean> {
    const command = ['HEXISTS', this.keys.removed, snapshotId];
    const doing = 'read the removed ids';
    return (await this.run(doing, (server) => server.send(command), signal)) === 1;
  }

  /** All entries, by snapshot id. */
  async entries(): Promise<ReadonlyMap<string, FoundEntry>> {
    const command = ['HGETALL', this.keys.index];
    const reply = await this.run('read the index', (server) => server.send(command));
    const fields = asList(reply).map(asText);
    const found = new Map<string, FoundEntry>();
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const entry = decodeEntry(fields[at + 1] ?? '');
      if (entry !== undefined) found.set(fields[at] ?? '', entry);
    }
    return found;
  }

  /** Of a document's bytes those from `offset` on, some of them at least. */
  async chunk(snapshotId: string, offset: number, signal?: AbortSignal): Promise<Buffer> {
    const last = String(offset + CHUNK_BYTES - 1);
    const command = ['GETRANGE', this.keys.document(snapshotId), String(offset), last];
    const doing = `read ${snapshotId}`;
    const bytes = asBytes(await this.run(doing, (server) => server.send(command), signal));
    if (bytes.length === 0) throw this.missing(snapshotId);
    return bytes;
  }

  full(why: string, cause?: unknown): SnapshotError {
    return new SnapshotError('store_full', `${this.address} is full: ${why}`, { cause });
  }

  missing(snapshotId: string): SnapshotError {
    return missingSnapshot(this.address, snapshotId);
  }
}

type Value = string | Buffer;

function asBytes(reply: Reply): Buffer {
  return Buffer.isBuffer(reply) ? reply : Buffer.alloc(0);
}

function asText(reply: Reply): string {
  return Buffer.isBuffer(reply) ? reply.toString('utf8') : '';
}
