/** Sends one answer: status, header fields and body in one iteration of the event loop. */
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

/** Above it the library would buffer what a client does not read (docs/dependencies.md, "Large bodies"). */
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

export interface SendCounters {
  /** Answers that are still being sent. */
  inFlight: number;
  count(name: 'busyRejections' | 'largeRejections'): void;
  /** Called when an answer begins; `route` is its endpoint's index. */
  answered(route: number, answer: Answer, bodyBytes: number): void;
  /** Called when the library has the last byte. */
  finished(sending: Pick<Sending, 'route' | 'arrivedAt'>): void;
  /** Called when it ends early. */
  cut(end: Exclude<BodyEnd, 'sent'>): void;
}

/** A logged request. */
export interface AccessEntry {
  /** @param answer undefined for a client that left before it. */
  end(end: BodyEnd, answer: Answer | undefined, bodyBytes: number): void;
}

/** The request and its connection, as far as sending depends on them. */
export interface Sending {
  /** HEAD: the same header fields, no body. */
  readonly headOnly: boolean;
  /** Whether the connection is kept, its end is announced, or it is closed in a later iteration. */
  readonly connection: 'kept' | 'ending' | 'closed';
  /** Index of the endpoint in the table of routes; the next index for other requests. */
  readonly route: number;
  /** By `performance.now()`. */
  readonly arrivedAt: number;
  /** Undefined where the request is not logged. */
  readonly access: AccessEntry | undefined;
  /** The client's shares of large bodies and streams count. */
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

/** Sends an answer in the handler, or in `res.cork`; not for an aborted response. */
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
      // With an argument the answer never ends (docs/dependencies.md, "HEAD answers").
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
    // Each reader counts a shared body, which may leave the cache before them.
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
    // A refused client would otherwise keep its connection until it is idle.
    send(res, BUSY, { ...sending, connection: 'ending' });
    return;
  }
  counters.answered(sending.route, answer, 0);
  writeHead(res, answer);
  // The client connects again, to another process.
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

/** @throws {Error} when it cannot be opened. */
function open(body: Uint8Array | LongBody, reader: BodyReader): BodyReading {
  if (!(body instanceof Uint8Array)) return body.open(reader);
  return {
    byteLength: body.byteLength,
    from: (offset) => (offset === 0 ? body : body.subarray(offset)),
    close: () => undefined,
  };
}
