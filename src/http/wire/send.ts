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
import { httpDate } from '../semantics/representation.js';
import type { PlainRequest } from '../semantics/request.js';
import { acquireAll, type ClientQuotas } from './clients.js';
import { EventStream } from './event-stream.js';
import type { HttpResponse } from './uwebsockets.js';

/** Above it the library would hold a copy of what a client does not read (docs/dependencies.md, "Large bodies"). */
const DIRECT_BYTES_MAX = 64 * 1024;

const BUSY = errorAnswer('busy');
const UNREADABLE = errorAnswer('unavailable');

/**
 * Fits into the 16 KB that the library buffers before it writes. A longer answer is written at once; on a connection
 * that the client has reset the library counts it as unfinished, and without an abort handler it would end the process
 * (docs/dependencies.md, "After an abort").
 */
const BUFFERED_BYTES_MAX = 8 * 1024;

const ignored = (): void => undefined;

/** Counters of answers as they are sent. */
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
  /** @param answer undefined where none was begun: the client had gone. */
  end(end: BodyEnd, answer: Answer | undefined, bodyBytes: number): void;
}

/** The request and its connection, as far as they shape the sending of the answer. */
export interface Sending {
  /** HEAD: the same header fields, no body. */
  readonly headOnly: boolean;
  /**
   * Whether the connection is kept; its end is announced; or it is closed, in a later iteration, without another
   * answer.
   */
  readonly connection: 'kept' | 'ending' | 'closed';
  /** Place of the endpoint in the table of routes; the one after the last is for requests that are for none. */
  readonly route: number;
  /** Arrival of the request, by `performance.now()`. */
  readonly arrivedAt: number;
  /** Undefined where the request is not logged. */
  readonly access: AccessEntry | undefined;
  /** The client of the request: its share of large bodies and of streams counts. */
  readonly request: Pick<PlainRequest, 'client' | 'fields'>;
  readonly sent: Sent;
}

/** Counters and limits that all answers of a process share. */
export interface Sent {
  readonly counters: SendCounters;
  readonly largeBodies: ClientQuotas;
  /** Bodies that are read from open files. */
  readonly fileBodies: ClientQuotas;
  /** Bytes of this process that they hold. */
  readonly heldBytes: ClientQuotas;
  readonly listeners: ClientQuotas;
}

/** Sends an answer, corked: within the handler, or in `res.cork`. Not for a response that was aborted. */
export function send(res: HttpResponse, answer: Answer, sending: Sending): void {
  const { body, feed } = answer;
  const { headOnly, connection } = sending;
  if (feed !== undefined && !headOnly) {
    sendFeed(res, answer, feed, sending);
    return;
  }
  const isWhole = body instanceof Uint8Array && body.byteLength <= DIRECT_BYTES_MAX;
  if (body !== undefined && !headOnly && !isWhole) {
    sendLarge(res, answer, body, sending);
    return;
  }
  const { counters } = sending.sent;
  const bodyBytes = headOnly ? 0 : (body?.byteLength ?? 0);
  counters.answered(sending.route, answer, bodyBytes);
  if (answer.error === 'busy') counters.count('busyRejections');
  writeHead(res, answer);
  if (body instanceof Uint8Array && !headOnly) {
    if (body.byteLength > BUFFERED_BYTES_MAX) res.onAborted(ignored);
    res.end(body, connection !== 'kept');
  } else {
    if (body !== undefined) res.writeHeader('Content-Length', String(body.byteLength));
    if (connection === 'closed') endHeadAndClose(res);
    else {
      if (connection === 'ending') res.writeHeader('Connection', 'close');
      // With any argument, even to close, it never finishes the answer (docs/dependencies.md, "HEAD answers").
      res.endWithoutBody();
    }
  }
  counters.finished(sending);
  sending.access?.end('sent', answer, bodyBytes);
}

/** Ends an answer without a body and its connection; for the library it stays unfinished, so further data closes it. */
function endHeadAndClose(res: HttpResponse): void {
  let isOpen = true;
  res.onAborted(() => {
    isOpen = false;
  });
  res.writeHeader('Date', httpDate(Date.now()));
  // The second line end is the one that ends all header fields.
  res.writeHeader('Connection', 'close\r\n');
  setImmediate(() => {
    if (isOpen) res.close();
  });
}

function sendLarge(
  res: HttpResponse,
  answer: Answer,
  body: Uint8Array | LongBody,
  sending: Sending,
): void {
  const { counters, largeBodies, fileBodies, heldBytes } = sending.sent;
  const isInMemory = body instanceof Uint8Array;
  const release = acquireAll(sending.request.client, [
    [largeBodies, 1],
    [fileBodies, isInMemory ? 0 : body.openFiles],
    // Each reader of a shared body counts it: the body may leave the cache before its readers.
    [heldBytes, isInMemory ? body.byteLength : body.residentBytes + body.readingBytes],
  ]);
  if (release === undefined) {
    counters.count('largeRejections');
    send(res, BUSY, sending);
    return;
  }
  let reading: BodyReading;
  try {
    const onRevoked = (): void => {
      sender.revoke();
    };
    const onReady = (): void => {
      sender.ready();
    };
    reading = open(body, { onRevoked, onReady });
  } catch {
    release();
    send(res, UNREADABLE, sending);
    return;
  }
  counters.inFlight += 1;
  const closes = sending.connection !== 'kept';
  const writeHeadOfBody = (): void => {
    counters.answered(sending.route, answer, reading.byteLength);
    writeHead(res, answer);
    if (closes) res.writeHeader('Connection', 'close');
  };
  const onEnd = (end: BodyEnd, hasHead: boolean): void => {
    counters.inFlight -= 1;
    release();
    reading.close();
    if (!hasHead && end !== 'client_gone') send(res, UNREADABLE, sending);
    else countEnd(end, sending, hasHead ? { answer, bytes: reading.byteLength } : undefined);
  };
  const sender = new BodySender(res, reading, { closes, writeHead: writeHeadOfBody, onEnd });
  sender.begin();
}

/** @param sent the answer whose head is out; undefined where its client has left before. */
function countEnd(
  end: BodyEnd,
  sending: Sending,
  sent: { readonly answer: Answer; readonly bytes: number } | undefined,
): void {
  const { counters } = sending.sent;
  if (end === 'sent') counters.finished(sending);
  else counters.cut(end);
  sending.access?.end(end, sent?.answer, sent?.bytes ?? 0);
}

/** An answer that ends when its client leaves, so neither its duration nor its end is counted. */
function sendFeed(res: HttpResponse, answer: Answer, feed: Feed, sending: Sending): void {
  const { counters, listeners } = sending.sent;
  const { client, fields } = sending.request;
  if (!listeners.acquire(client)) {
    // A client that may not listen would else keep its connection until it counts as idle.
    send(res, BUSY, { ...sending, connection: 'ending' });
    return;
  }
  counters.answered(sending.route, answer, 0);
  writeHead(res, answer);
  // A client that listens again does so on another connection, to another process.
  res.writeHeader('Connection', 'close');
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

/** @throws {Error} what keeps it from being opened. */
function open(body: Uint8Array | LongBody, reader: BodyReader): BodyReading {
  if (!(body instanceof Uint8Array)) return body.open(reader);
  return {
    byteLength: body.byteLength,
    from: (offset) => (offset === 0 ? body : body.subarray(offset)),
    close: () => undefined,
  };
}
