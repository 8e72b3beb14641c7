/**
 * Sends one answer: status, header fields and a short body in one call, a longer body in memory as the socket takes it,
 * and what is left, like every long body, by `BodySender`.
 */
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

/** The library would buffer the unread bytes of a longer body (docs/dependencies.md, "Large bodies"). */
const DIRECT_BYTES_MAX = 64 * 1024;

/** A longer body in memory would delay other answers if it were written in one call. */
const OFFERED_BYTES_MAX = 128 * 1024;

const BUSY = errorAnswer('busy');
const UNREADABLE = errorAnswer('unavailable');

/**
 * Bodies up to this length fit with their head into the 16 KB that the library buffers. The library writes a longer
 * answer to the socket immediately; if the client has reset the connection, this write ends the process, unless the
 * response has an abort handler (docs/dependencies.md, "After an abort").
 */
const BUFFERED_BYTES_MAX = 8 * 1024;

const ignored = (): void => undefined;

export interface SendCounters {
  /** Answers that are still being sent. */
  inFlight: number;
  count(name: 'busyRejections' | 'largeRejections'): void;
  /** Called when an answer begins; `route` is its endpoint's index. */
  answered(route: number, answer: Answer, bodyBytes: number): void;
  /** Called when the library has the last byte of an answer. */
  finished(sending: Pick<Sending, 'route' | 'arrivedAt'>): void;
  /** Called when an answer ends early. */
  cut(end: Exclude<BodyEnd, 'sent'>): void;
}

/** The log line of a request. */
export interface AccessEntry {
  /** @param answer undefined if the client left before it. */
  end(end: BodyEnd, answer: Answer | undefined, bodyBytes: number): void;
}

/** The request and its connection, as far as sending depends on them. */
export interface Sending {
  /** Whether the request is HEAD: the same header fields, no body. */
  readonly headOnly: boolean;
  /**
   * The connection after the answer: `kept` leaves it open; `ending` announces its end in a header
   * field; `closed` closes it, also after an answer without a body.
   */
  readonly connection: 'kept' | 'ending' | 'closed';
  /** Index of the endpoint in the table of routes; for a request without an endpoint, the length of the table. */
  readonly route: number;
  /** Time by `performance.now()`. */
  readonly arrivedAt: number;
  /** Undefined where the request is not logged. */
  readonly access: AccessEntry | undefined;
  /** The client, for its shares of large bodies and event streams, and its header fields. */
  readonly request: Pick<PlainRequest, 'client' | 'fields'>;
  readonly sent: Sent;
}

export interface Sent {
  readonly counters: SendCounters;
  readonly largeBodies: ClientQuotas;
  readonly fileBodies: ClientQuotas;
  readonly heldBytes: ClientQuotas;
  readonly listeners: ClientQuotas;
}

/** Sends an answer; must be called in the handler or in `res.cork`, and not for an aborted response. */
export function send(res: HttpResponse, answer: Answer, sending: Sending): void {
  const { body, feed } = answer;
  const { headOnly, connection } = sending;
  if (feed !== undefined && !headOnly) {
    sendFeed(res, answer, feed, sending);
    return;
  }
  const isWhole = body instanceof Uint8Array && body.byteLength <= DIRECT_BYTES_MAX;
  if (body !== undefined && !headOnly && !isWhole) {
    const isShort = body instanceof Uint8Array && body.byteLength <= OFFERED_BYTES_MAX;
    if (isShort && connection === 'kept' && hasQuotas(body, sending.sent)) {
      offerWhole(res, answer, body, sending);
    } else sendLarge(res, answer, body, sending);
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
      // With an argument the answer never ends (docs/dependencies.md, "HEAD answers").
      res.endWithoutBody();
    }
  }
  counters.finished(sending);
  sending.access?.end('sent', answer, bodyBytes);
}

/**
 * Ends a bodiless answer and its connection. The library regards the answer as unfinished, so it closes the connection
 * if the client sends further data.
 */
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

/** Offers the socket the whole body. If it takes all, which is usual, the answer needs no quota and no `BodySender`. */
function offerWhole(res: HttpResponse, answer: Answer, body: Uint8Array, sending: Sending): void {
  const startOffset = res.getWriteOffset();
  const client = { isGone: false };
  res.onAborted(() => {
    client.isGone = true;
  });
  const bytes = body.byteLength;
  sending.sent.counters.answered(sending.route, answer, bytes);
  writeHead(res, answer);
  const [, isSent] = res.tryEnd(body, bytes);
  if (isSent || client.isGone)
    countEnd(isSent ? 'sent' : 'client_gone', sending, { answer, bytes });
  else sendLarge(res, answer, body, sending, startOffset);
}

/** @param startOffset write offset of the body's first byte, if the head and the first bytes are sent. */
function sendLarge(
  res: HttpResponse,
  answer: Answer,
  body: Uint8Array | LongBody,
  sending: Sending,
  startOffset?: number,
): void {
  const { counters } = sending.sent;
  const release = acquireQuotas(body, sending);
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
  sender.begin(startOffset);
}

/** Whether every client would get the quotas of a body, so that none is refused after its head. */
function hasQuotas(body: Uint8Array, { largeBodies, heldBytes }: Sent): boolean {
  return largeBodies.isFree(1) && heldBytes.isFree(body.byteLength);
}

function acquireQuotas(
  body: Uint8Array | LongBody,
  { request, sent: { largeBodies, fileBodies, heldBytes } }: Sending,
): (() => void) | undefined {
  const isInMemory = body instanceof Uint8Array;
  return acquireAll(request.client, [
    [largeBodies, 1],
    [fileBodies, isInMemory ? 0 : body.openFiles],
    // A shared body counts for each reader, since it may leave the cache before its readers end.
    [heldBytes, isInMemory ? body.byteLength : body.residentBytes + body.readingBytes],
  ]);
}

/** @param sent the answer whose head is out, if any. */
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

/** A stream ends when its client leaves, so its duration and end are not counted. */
function sendFeed(res: HttpResponse, answer: Answer, feed: Feed, sending: Sending): void {
  const { counters, listeners } = sending.sent;
  const { client, fields } = sending.request;
  if (!listeners.acquire(client)) {
    // Otherwise a refused client would keep its connection until it has been idle for too long.
    send(res, BUSY, { ...sending, connection: 'ending' });
    return;
  }
  counters.answered(sending.route, answer, 0);
  writeHead(res, answer);
  // The client reconnects after the stream has ended: with a new connection, to another process.
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

/** Begins a reading of the body. @throws {Error} when the body cannot be opened. */
function open(body: Uint8Array | LongBody, reader: BodyReader): BodyReading {
  if (!(body instanceof Uint8Array)) return body.open(reader);
  return {
    byteLength: body.byteLength,
    from: (offset) => (offset === 0 ? body : body.subarray(offset)),
    close: () => undefined,
  };
}
