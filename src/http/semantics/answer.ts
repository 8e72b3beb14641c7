/** An answer as data: endpoints return it, and `wire/send.ts` sends it. */
import type { HeaderBlock } from './header-block.js';

const STATUS_LINES = {
  200: '200 OK',
  204: '204 No Content',
  206: '206 Partial Content',
  304: '304 Not Modified',
  308: '308 Permanent Redirect',
  400: '400 Bad Request',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  410: '410 Gone',
  412: '412 Precondition Failed',
  416: '416 Range Not Satisfiable',
  422: '422 Unprocessable Content',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
} as const;

export type Status = keyof typeof STATUS_LINES;

export const STATUSES = Object.keys(STATUS_LINES).map(Number) as readonly Status[];

export interface Answer {
  readonly status: Status;
  readonly headers: HeaderBlock;
  /** Code of an error without details of the request; undefined for other answers. */
  readonly error?: string;
  /** Undefined for 204 and 304, which state no length. The bytes never change. */
  readonly body?: Uint8Array | LongBody;
  /** An endless stream instead of a body. */
  readonly feed?: Feed;
}

/** Sends messages to its listeners. */
export interface Feed {
  /** @param lastEventId the field `Last-Event-ID` of the request, or empty. */
  join(listener: Listener, lastEventId: string): void;
  leave(listener: Listener): void;
}

export interface Listener {
  write(message: Uint8Array): void;
  end(): void;
}

/** A body of known length that is read at each client's pace. */
export interface LongBody {
  readonly byteLength: number;
  /** Memory of the body without its readings. */
  readonly residentBytes: number;
  /** Maximal memory of each reading. */
  readonly readingBytes: number;
  readonly openFiles: number;
  /** Begins a reading, which the sender of the body closes once. @throws {Error} if the body cannot be opened. */
  open(reader: BodyReader): BodyReading;
}

export interface BodyReader {
  /** Called when the source is withdrawn: the reading must be closed soon. */
  readonly onRevoked: () => void;
  /** Called when awaited bytes can be read, or their read has failed. */
  readonly onReady: () => void;
}

export interface BodyReading {
  readonly byteLength: number;
  /**
   * Bytes from `offset` on: at least one, valid until another body is read; undefined until `onReady`.
   *
   * @throws {Error} if the bytes cannot be read.
   */
  from(offset: number): Uint8Array | undefined;
  close(): void;
}

export class PendingAnswer {
  readonly promise: Promise<Answer>;
  /** Called when the client has disconnected or has got another answer. */
  readonly abandon: () => void;

  constructor(promise: Promise<Answer>, abandon: () => void = () => undefined) {
    this.promise = promise;
    this.abandon = abandon;
  }

  mapped(change: (answer: Answer) => Answer): PendingAnswer {
    return new PendingAnswer(this.promise.then(change), this.abandon);
  }

  /** Replaces the answer if it fails. */
  recovered(onError: (error: unknown) => Answer): PendingAnswer {
    return new PendingAnswer(this.promise.catch(onError), this.abandon);
  }
}

export function statusLine(status: Status): string {
  return STATUS_LINES[status];
}
