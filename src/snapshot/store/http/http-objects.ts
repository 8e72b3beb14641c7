/** The `http(s):` store (`docs/snapshot-format.md, "HTTP store"`): a file store on a web server, read-only. */
import type { IncomingMessage } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { messageOf, SnapshotError } from '../../domain/snapshot-error.js';
import { NAMED_BYTES_MAX, type ObjectStore, type OpenOptions } from '../objects.js';
import { pulledStream } from '../pulled-stream.js';
import { get } from './http-get.js';

const TIMEOUTS = { headTimeoutMs: 10_000, progressTimeoutMs: 30_000 };

/** Bytes that count as progress: a connection that only trickles is ended. */
const PROGRESS_BYTES = 64 * 1024;

const MIN_AGE_MS = 2000;

export interface HttpObjectsOptions {
  /** Without credentials. */
  readonly address: string;
  readonly base: URL;
  readonly keyPrefix: string;
  readonly authorization: string | undefined;
  /** Time limit for the head of an answer, and for all content of a replaceable name; default: 10 s. */
  readonly headTimeoutMs?: number;
  /** Time limit for the next 64 KiB of an object, without the reader's pauses; default: 30 s. */
  readonly progressTimeoutMs?: number;
}

/** The last content of a name, with validators (RFC 9110 §13.1). */
interface Remembered {
  readonly content: Uint8Array;
  readonly validators: Readonly<Record<string, string>>;
}

export class HttpObjects implements ObjectStore {
  readonly address: string;
  readonly #namespace: URL;
  readonly #options: Required<HttpObjectsOptions>;
  readonly #remembered = new Map<string, Remembered>();

  constructor(options: HttpObjectsOptions) {
    this.address = options.address;
    this.#namespace = new URL(`${options.keyPrefix}/`, options.base);
    this.#options = { ...TIMEOUTS, ...options };
  }

  async read(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const remembered = this.#remembered.get(name);
    const message = await this.#get(name, remembered?.validators, signal);
    if (message.statusCode === 304 && remembered !== undefined) {
      message.resume();
      return remembered.content;
    }
    this.#remembered.delete(name);
    if (message.statusCode !== 200) {
      const refused = this.#refused(name, message);
      if (refused.code === 'snapshot_missing') return undefined;
      throw refused;
    }
    const content = await this.#attempt(name, () => this.#readContent(message, signal), signal);
    this.#remembered.set(name, { content, validators: validatorsOf(message) });
    return content;
  }

  async open(name: string, options: OpenOptions = {}): Promise<Readable> {
    const message = await this.#get(name, {}, options.signal);
    if (message.statusCode !== 200) throw this.#refused(name, message);
    return this.#bodyStream(message, name, options);
  }

  /** Does nothing: idle connections do not keep the process alive. */
  close(): void {}

  async #get(
    name: string,
    headers: Readonly<Record<string, string>> = {},
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    const { authorization, headTimeoutMs: timeoutMs } = this.#options;
    const url = new URL(name, this.#namespace);
    const call = { url, headers, authorization, timeoutMs, signal };
    return await this.#attempt(name, () => get(call), signal);
  }

  async #readContent(message: IncomingMessage, signal?: AbortSignal): Promise<Uint8Array> {
    const timer = setTimeout(
      () => message.destroy(new Error('no end of the answer in time')),
      this.#options.headTimeoutMs,
    );
    try {
      const chunks: Uint8Array[] = [];
      let length = 0;
      const body: AsyncIterable<Uint8Array> =
        signal === undefined ? message : addAbortSignal(signal, message);
      for await (const chunk of body) {
        chunks.push(chunk);
        length += chunk.byteLength;
        if (length > NAMED_BYTES_MAX) break; // which destroys the message
      }
      return decoded(Buffer.concat(chunks), message);
    } finally {
      clearTimeout(timer);
    }
  }

  #bodyStream(
    message: IncomingMessage,
    name: string,
    { sizeBytes, signal }: OpenOptions,
  ): Readable {
    const body: AsyncIterable<Uint8Array> = message;
    const chunks = body[Symbol.asyncIterator]();
    let waitedMs = 0;
    let sinceProgress = 0;
    let missingBytes = sizeBytes ?? 0;
    let wantedBytes = sizeBytes === undefined ? Infinity : sizeBytes + 1;
    const pull = async (): Promise<Uint8Array | undefined> => {
      if (wantedBytes === 0) return undefined;
      const startedMs = performance.now();
      const timer = setTimeout(
        () => message.destroy(new Error('no progress in time')),
        this.#options.progressTimeoutMs - waitedMs,
      );
      const next = await chunks.next().finally(() => {
        clearTimeout(timer);
      });
      if (next.done === true) {
        if (missingBytes > 0 && !isFramed(message)) throw new Error('the connection ended early');
        return undefined;
      }
      const { byteLength } = next.value;
      missingBytes -= byteLength;
      waitedMs += performance.now() - startedMs;
      sinceProgress += byteLength;
      if (sinceProgress >= PROGRESS_BYTES) waitedMs = sinceProgress = 0;
      const wanted = next.value.subarray(0, wantedBytes);
      wantedBytes -= wanted.byteLength;
      return wanted;
    };
    return pulledStream({
      pull: () => this.#attempt(name, pull, signal),
      close: () => Promise.resolve(message.destroy()),
      signal,
    });
  }

  #refused(name: string, message: IncomingMessage): SnapshotError {
    message.destroy();
    const { statusCode: status = 0 } = message;
    const code = status === 404 || status === 410 ? 'snapshot_missing' : 'store_unreachable';
    return new SnapshotError(code, `${this.address} answers ${status} to ${name}`);
  }

  async #attempt<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && signal?.aborted === true) throw error;
      const text = `cannot read ${name} from ${this.address}: ${messageOf(error)}`;
      throw new SnapshotError('store_unreachable', text, { cause: error });
    }
  }
}

/** Whether the answer states where its body ends (RFC 9112 §6.3). */
function isFramed({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function validatorsOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const { etag, date } = headers;
  const lastModified = headers['last-modified'];
  // A pointer replaced twice within a second may keep its date, and its tag, which many servers derive from date and
  // size (RFC 9110 §8.8.2.2). Validators of content younger than two seconds are therefore not used.
  const ageMs = Date.parse(date ?? '') - Date.parse(lastModified ?? '');
  if (ageMs < MIN_AGE_MS) return {};
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

/** The body without gzip, which some servers apply although it was not requested. */
function decoded(body: Buffer, { headers }: IncomingMessage): Uint8Array {
  return /^(?:x-)?gzip$/i.test(headers['content-encoding'] ?? '')
    ? gunzipSync(body, { maxOutputLength: NAMED_BYTES_MAX + 1 })
    : body;
}
