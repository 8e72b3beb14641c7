/** Puts one answer on the wire: status, header fields and body in one turn of the event loop. */
import {
  statusLine,
  type Answer,
  type BodyReader,
  type BodyReading,
  type Feed,
  type LongBody,
} from '../semantics/answer.js';
import { BodySender, type BodyEnd } from './body-sender.js';
import { errorAnswer } from '../semantics/error-answers.js';
import type { PlainRequest } from '../semantics/request.js';
import type { ClientQuotas } from './clients.js';
import { EventStream } from './event-stream.js';
import type { HttpResponse } from './uwebsockets.js';

/** Above it the library would hold a copy of what a client does not read (docs/dependencies.md, "Large bodies"). */
const DIRECT_BYTES_MAX = 64 * 1024;

const BUSY = errorAnswer('busy');
const UNREADABLE = errorAnswer('unavailable');

/**
 * What the library surely has room for in the 16 KB that it gathers before it writes. A longer answer is written at once,
 * and where the client has just reset the connection the library holds it for unfinished: without an abort handler it
 * would then end the process (docs/dependencies.md, "After an abort").
 */
const BUFFERED_BYTES_MAX = 8 * 1024;

const ignored = (): void => undefined;

/** What is counted of answers as they are sent. */
export interface SendCounters {
  /** Answers whose last byte is not out yet. */
  inFlight: number;
  count(name: 'busyRejections' | 'largeRejections'): void;
  /** An answer has begun; `route` is its endpoint's place in the table of routes. */
  answered(route: number, answer: Answer, bodyBytes: number): void;
  /** Its last byte was handed over to the library. */
  finished(sending: Pick<Sending, 'route' | 'arrivedAt'>): void;
  /** It has ended without its last byte, or before its first. */
  cut(end: Exclude<BodyEnd, 'sent'>): void;
}

/** A request that is logged when its answer has ended. */
export interface AccessEntry {
  /** @param answer undefined where none was begun: the client had gone, or the service closed the connection instead. */
  end(end: BodyEnd | 'unanswered', answer: Answer | undefined, bodyBytes: number): void;
}

/** What of a request, or of the process, shapes the sending of its answer. */
export interface Sending {
  /** HEAD: the same header fields, no body. */
  readonly headOnly: boolean;
  /** After this answer the connection is of no use; one without a body, or with a large one, leaves the closing to the client. */
  readonly close: boolean;
  /** Place of the endpoint in the table of routes; the one after the last is for requests that are for none. */
  readonly route: number;
  /** Of the request, by `performance.now()`. */
  readonly arrivedAt: number;
  /** Undefined where the request is not logged. */
  readonly access: AccessEntry | undefined;
  /** Whose share of large bodies and of streams counts. */
  readonly request: Pick<PlainRequest, 'client' | 'fields'>;
  readonly sent: Sent;
}

/** What all answers of a process share. */
export interface Sent {
  readonly counters: SendCounters;
  readonly largeBodies: ClientQuotas;
  /** Bytes of this process that they hold. */
  readonly heldBytes: ClientQuotas;
  readonly listeners: ClientQuotas;
}

/** To be called corked: within the handler, or in `res.cork`. Not for a response that was aborted. */
export function send(res: HttpResponse, answer: Answer, sending: Sending): void {
  const { body, feed } = answer;
  const { headOnly, close } = sending;
  if (feed !== undefined && !headOnly) {
    sendFeed(res, answer, feed, sending);
    return;
  }
  if (body !== undefined && !headOnly && body.byteLength > DIRECT_BYTES_MAX) {
    sendLarge(res, answer, body, sending);
    return;
  }
  if (body !== undefined && !headOnly && !(body instanceof Uint8Array)) {
    send(res, inMemory(answer, body), sending);
    return;
  }
  const { counters } = sending.sent;
  const bodyBytes = headOnly ? 0 : (body?.byteLength ?? 0);
  counters.answered(sending.route, answer, bodyBytes);
  if (answer === BUSY) counters.count('busyRejections');
  writeHead(res, answer);
  if (body instanceof Uint8Array && !headOnly) {
    if (body.byteLength > BUFFERED_BYTES_MAX) res.onAborted(ignored);
    res.end(body, close);
  } else {
    if (body !== undefined) res.writeHeader('Content-Length', String(body.byteLength));
    if (close) res.writeHeader('Connection', 'close');
    // With any argument, even to close, it never finishes the answer (docs/dependencies.md, "HEAD answers").
    res.endWithoutBody();
  }
  counters.finished(sending);
  sending.access?.end('sent', answer, bodyBytes);
}

/** The answer with its short body in one piece: a body sender would take longer than all the rest of it. */
function inMemory(answer: Answer, body: LongBody): Answer {
  const reading = open(body, { client: '', onRevoked: ignored, onReady: ignored });
  if (reading === undefined) return UNREADABLE;
  try {
    const { status, headers } = answer;
    return { status, headers, body: readWhole(reading) };
  } catch {
    return UNREADABLE;
  } finally {
    reading.close();
  }
}

function readWhole(reading: BodyReading): Uint8Array {
  const { byteLength } = reading;
  const bytes = new Uint8Array(byteLength);
  for (let offset = 0; ;) {
    const next = reading.from(offset);
    if (next === undefined) throw new RangeError('a short body is there at once');
    if (next.byteLength === byteLength) return next;
    bytes.set(next, offset);
    offset += next.byteLength;
    if (offset >= byteLength) return bytes;
  }
}

function sendLarge(
  res: HttpResponse,
  answer: Answer,
  body: Uint8Array | LongBody,
  sending: Sending,
): void {
  const { counters, largeBodies, heldBytes } = sending.sent;
  const { client } = sending.request;
  // Those of a shared body are counted for each: it may leave the cache before its readers.
  const held =
    body instanceof Uint8Array ? body.byteLength : body.residentBytes + body.readingBytes;
  const acquire = (): boolean => {
    if (!largeBodies.acquire(client)) return false;
    if (heldBytes.acquire(client, held)) return true;
    largeBodies.release(client);
    return false;
  };
  const release = (): void => {
    largeBodies.release(client);
    heldBytes.release(client, held);
  };
  if (!acquire()) {
    counters.count('largeRejections');
    send(res, BUSY, sending);
    return;
  }
  const reading = open(body, {
    client,
    onRevoked: () => {
      sender.revoke();
    },
    onReady: () => {
      sender.ready();
    },
  });
  if (reading === undefined) {
    release();
    send(res, UNREADABLE, sending);
    return;
  }
  counters.answered(sending.route, answer, reading.byteLength);
  counters.inFlight += 1;
  writeHead(res, answer);
  if (sending.close) res.writeHeader('Connection', 'close');
  const sender = new BodySender(res, reading, (end) => {
    counters.inFlight -= 1;
    release();
    if (end === 'sent') counters.finished(sending);
    else counters.cut(end);
    sending.access?.end(end, answer, reading.byteLength);
    reading.close();
  });
  sender.begin();
}

/** An answer that ends when its client leaves, so neither its duration nor its end is counted. */
function sendFeed(res: HttpResponse, answer: Answer, feed: Feed, sending: Sending): void {
  const { counters, listeners } = sending.sent;
  const { client, fields } = sending.request;
  if (!listeners.acquire(client)) {
    // A client that may not listen would else keep its connection until it counts as idle.
    send(res, BUSY, { ...sending, close: true });
    return;
  }
  counters.answered(sending.route, answer, 0);
  writeHead(res, answer);
  const stream = new EventStream(res, (bytes) => {
    listeners.release(client);
    sending.access?.end('sent', answer, bytes);
  });
  stream.begin(feed, fields.lastEventId);
}

function writeHead(res: HttpResponse, { status, headers }: Answer): void {
  if (status !== 200) res.writeStatus(statusLine(status));
  res.writeHeader(headers.firstName, headers.rest);
}

/** Undefined where its first bytes cannot be read: found out before a status line is out. */
function open(body: Uint8Array | LongBody, reader: BodyReader): BodyReading | undefined {
  if (body instanceof Uint8Array) return readingOf(body);
  const reading = body.open(reader);
  try {
    reading.from(0);
    return reading;
  } catch {
    reading.close();
    return undefined;
  }
}

function readingOf(bytes: Uint8Array): BodyReading {
  return {
    byteLength: bytes.byteLength,
    from: (offset) => (offset === 0 ? bytes : bytes.subarray(offset)),
    close: () => undefined,
  };
}
