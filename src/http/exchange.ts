/** Puts one answer on the wire: status, header fields and body in one turn of the event loop. */
import type { HttpResponse } from 'uWebSockets.js';
import { statusLine, type Answer, type BodyReading } from './answer.js';
import { BodySender } from './body-sender.js';
import { errorAnswer } from './errors.js';
import type { Tally } from './tally.js';

/** Above it the library would hold a copy of what a client does not read (pitfall A6). */
export const DIRECT_BYTES_MAX = 64 * 1024;

const BUSY = errorAnswer('busy');

/** What of a request, or of the process, shapes the sending of its answer. */
export interface Sending {
  /** HEAD: the same header fields, no body. */
  readonly headOnly: boolean;
  /** After this answer the connection is of no use; one without a body leaves it to the client. */
  readonly close: boolean;
}

/** To be called corked: within the handler, or in `res.cork`. Not for a response that was aborted. */
export function send(res: HttpResponse, answer: Answer, sending: Sending, tally: Tally): void {
  const { body, headers, status } = answer;
  tally.answered(status, sending.headOnly ? 0 : (body?.byteLength ?? 0));
  if (answer === BUSY) tally.busyRejections += 1;
  if (status !== 200) res.writeStatus(statusLine(status));
  res.writeHeader(headers.firstName, headers.rest);
  if (body === undefined || sending.headOnly) {
    if (body !== undefined) res.writeHeader('Content-Length', String(body.byteLength));
    // With any argument, even to close, it never finishes the answer (pitfall A2).
    res.endWithoutBody();
  } else if (!(body instanceof Uint8Array)) {
    sendLong(res, body.open(), tally);
  } else if (body.byteLength > DIRECT_BYTES_MAX) {
    sendLong(res, readingOf(body), tally);
  } else {
    res.end(body, sending.close);
  }
}

function sendLong(res: HttpResponse, body: BodyReading, tally: Tally): void {
  tally.inFlight += 1;
  new BodySender(res, body, () => {
    tally.inFlight -= 1;
    body.close();
  }).begin();
}

function readingOf(bytes: Uint8Array): BodyReading {
  return {
    byteLength: bytes.byteLength,
    from: (offset) => (offset === 0 ? bytes : bytes.subarray(offset)),
    close: () => undefined,
  };
}
