/** The `http(s):` store (`docs/snapshot-format.md, "HTTP store"`): the file store's layout behind any static web server, read-only. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { SnapshotError } from '../../domain/snapshot-error.js';
import { get } from './http-get.js';
import { decodePointer, documentPath, MAX_POINTER_BYTES } from '../pointer.js';
import { pulledStream } from '../pulled-stream.js';
import type { DocumentLocation, PointerReading, SnapshotStore } from '../store.js';

const HEAD_TIMEOUT_MS = 10_000;
const PROGRESS_TIMEOUT_MS = 30_000;

/** What counts as progress: a body that trickles byte by byte would otherwise never be given up. */
const PROGRESS_BYTES = 64 * 1024;

const MIN_AGE_MS = 2000;

export interface HttpStoreOptions {
  /** As settings name it, without credentials. */
  readonly address: string;
  /** Ends in `/`. */
  readonly base: URL;
  readonly keyPrefix: string;
  /** Value of the header of that name. */
  readonly authorization: string | undefined;
  /** From asking to the head of an answer, and for the whole of a pointer. Default: 10 s. */
  readonly headTimeoutMs?: number;
  /** Of waiting for the next 64 KiB of a document; the reader's own pauses do not count. Default: 30 s. */
  readonly progressTimeoutMs?: number;
}

/** The last pointer, and what the server gave to ask whether it has changed (RFC 9110 §13.1). */
interface Remembered {
  readonly reading: PointerReading;
  readonly validators: Readonly<Record<string, string>>;
}

export class HttpStore implements SnapshotStore {
  readonly address: string;
  readonly #namespace: URL;
  readonly #authorization: string | undefined;
  readonly #headTimeoutMs: number;
  readonly #progressTimeoutMs: number;
  #remembered: Remembered | undefined;

  constructor(options: HttpStoreOptions) {
    this.address = options.address;
    this.#namespace = new URL(`${options.keyPrefix}/`, options.base);
    this.#authorization = options.authorization;
    this.#headTimeoutMs = options.headTimeoutMs ?? HEAD_TIMEOUT_MS;
    this.#progressTimeoutMs = options.progressTimeoutMs ?? PROGRESS_TIMEOUT_MS;
  }

  async readPointer(signal?: AbortSignal): Promise<PointerReading> {
    const remembered = this.#remembered;
    const message = await this.#get('active.json', remembered?.validators, signal);
    const { statusCode: status } = message;
    if (status === 304 && remembered !== undefined) {
      message.resume();
      return remembered.reading;
    }
    this.#remembered = undefined;
    if (status === 404 || status === 410) {
      message.destroy();
      return { kind: 'absent' };
    }
    if (status !== 200) throw this.#refused('active.json', message);
    const bytes = await this.#readPointerBody(message, signal);
    const reading: PointerReading = { kind: 'pointer', pointer: decodePointer(bytes) };
    this.#remembered = { reading, validators: validatorsOf(message) };
    return reading;
  }

  async openDocument(at: DocumentLocation, signal?: AbortSignal): Promise<Readable> {
    const document = at.document ?? documentPath(at.snapshotId);
    const message = await this.#get(document, {}, signal);
    const { statusCode: status } = message;
    if (status === 404 || status === 410) {
      message.destroy();
      throw new SnapshotError(
        'snapshot_missing',
        `${this.address} answers ${status} to ${document}`,
      );
    }
    if (status !== 200) throw this.#refused(document, message);
    return this.#bodyStream(message, { document, ...at }, signal);
  }

  /** A web server sends no events, so the pointer is only polled. */
  watch(): { close(): void } {
    return { close: () => undefined };
  }

  /** Connections that wait for the next request keep no process alive. */
  close(): void {
    // Nothing is held.
  }

  async #get(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    try {
      return await get({
        url: new URL(path, this.#namespace),
        headers,
        authorization: this.#authorization,
        timeoutMs: this.#headTimeoutMs,
        signal,
      });
    } catch (error) {
      throw this.#unreachable(path, error, signal);
    }
  }

  async #readPointerBody(message: IncomingMessage, signal?: AbortSignal): Promise<Uint8Array> {
    const timer = setTimeout(
      () => message.destroy(new Error('no end of the answer in time')),
      this.#headTimeoutMs,
    );
    try {
      const chunks: Uint8Array[] = [];
      let length = 0;
      const body: AsyncIterable<Uint8Array> =
        signal === undefined ? message : addAbortSignal(signal, message);
      for await (const chunk of body) {
        chunks.push(chunk);
        length += chunk.byteLength;
        if (length > MAX_POINTER_BYTES) break; // which destroys the message
      }
      return decoded(Buffer.concat(chunks), message);
    } catch (error) {
      throw this.#unreachable('active.json', error, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  #bodyStream(
    message: IncomingMessage,
    { document: path, sizeBytes = 0 }: DocumentLocation & { readonly document: string },
    signal: AbortSignal | undefined,
  ): Readable {
    const body: AsyncIterable<Uint8Array> = message;
    const chunks = body[Symbol.asyncIterator]();
    let waitedMs = 0;
    let sinceProgress = 0;
    let missingBytes = sizeBytes;
    return pulledStream({
      pull: async () => {
        const startedMs = performance.now();
        const timer = setTimeout(
          () => message.destroy(new Error('no progress in time')),
          this.#progressTimeoutMs - waitedMs,
        );
        try {
          const next = await chunks.next();
          if (next.done === true) {
            if (missingBytes > 0 && !isFramed(message))
              throw new Error('the connection ended early');
            return undefined;
          }
          missingBytes -= next.value.byteLength;
          waitedMs += performance.now() - startedMs;
          sinceProgress += next.value.byteLength;
          if (sinceProgress >= PROGRESS_BYTES) waitedMs = sinceProgress = 0;
          return next.value;
        } catch (error) {
          throw this.#unreachable(path, error, signal);
        } finally {
          clearTimeout(timer);
        }
      },
      close: () => {
        message.destroy();
        return Promise.resolve();
      },
      signal,
    });
  }

  #refused(path: string, message: IncomingMessage): SnapshotError {
    message.destroy();
    return new SnapshotError(
      'store_unreachable',
      `${this.address} answers ${message.statusCode ?? 0} to ${path}`,
    );
  }

  #unreachable(path: string, error: unknown, signal: AbortSignal | undefined): Error {
    if (error instanceof Error && signal?.aborted === true) return error;
    const why = error instanceof Error ? error.message : String(error);
    const text = `cannot read ${path} from ${this.address}: ${why}`;
    return new SnapshotError('store_unreachable', text, { cause: error });
  }
}

/** Whether an answer says where it ends; else the end of its connection is all that there is (RFC 9112 §6.3). */
function isFramed({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function validatorsOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const { etag, date } = headers;
  const lastModified = headers['last-modified'];
  // Dates have seconds, and many servers make tags from the date and the size: a pointer that was replaced
  // within the last second may be replaced again without a sign of it (RFC 9110 §8.8.2.2). Ask anew until then.
  const ageMs = Date.parse(date ?? '') - Date.parse(lastModified ?? '');
  if (ageMs < MIN_AGE_MS) return {};
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

/** Some servers compress text whatever is asked for. */
function decoded(body: Buffer, { headers }: IncomingMessage): Uint8Array {
  return /^(?:x-)?gzip$/i.test(headers['content-encoding'] ?? '')
    ? gunzipSync(body, { maxOutputLength: MAX_POINTER_BYTES + 1 })
    : body;
}
