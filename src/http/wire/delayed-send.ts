/** Sends answers that are not sent in their request's own turn: those that are still made, and those that end a connection. */
import type { Answer, PendingAnswer } from '../semantics/answer.js';
import { errorAnswer } from '../semantics/error-answers.js';
import { send, type Sending } from './send.js';
import type { HttpResponse } from './uwebsockets.js';

const BUSY = errorAnswer('busy');

/**
 * Answers a malformed request, or one with content: no endpoint needs content, and the library's parser lets smuggled
 * requests through. The answer is sent a turn later and the connection closed, so that whatever else came in the same
 * packet makes the library drop the connection (docs/dependencies.md, "Requests with content").
 *
 * A large answer leaves the connection open: the library closes only what it sends whole. Its request has one
 * clear length, so what comes after that is a request of its own.
 */
export function sendAndClose(res: HttpResponse, answer: Answer, sending: Sending): void {
  let isWaiting = true;
  res.onAborted(() => {
    if (isWaiting) endUnanswered(sending);
    isWaiting = false;
  });
  setImmediate(() => {
    if (!isWaiting) return;
    isWaiting = false;
    // The library can end an answer without a body, or close after an answer, but not both.
    if (sending.headOnly || answer.body === undefined) {
      sending.access?.end('unanswered', undefined, 0);
      res.close();
      return;
    }
    res.cork(() => {
      send(res, answer, { ...sending, close: true });
    });
  });
}

/** The client of a request has gone before its answer was begun. */
function endUnanswered({ access, sent }: Sending): void {
  sent.counters.cut('client_gone');
  access?.end('client_gone', undefined, 0);
}

/** Sends an answer that is still being made, unless its client goes or it takes too long: then it is abandoned. */
export function sendLater(
  res: HttpResponse,
  pending: PendingAnswer,
  { sending, answerDeadlineMs }: { readonly sending: Sending; readonly answerDeadlineMs: number },
): void {
  const { counters } = sending.sent;
  let isWaiting = true;
  counters.inFlight += 1;
  const end = (): void => {
    isWaiting = false;
    counters.inFlight -= 1;
    clearTimeout(timer);
  };
  const answer = (made: Answer): void => {
    if (!isWaiting) return;
    end();
    res.cork(() => {
      send(res, made, sending);
    });
  };
  const timer = setTimeout(() => {
    pending.abandon();
    answer(BUSY);
  }, answerDeadlineMs);
  res.onAborted(() => {
    if (!isWaiting) return;
    end();
    pending.abandon();
    endUnanswered(sending);
  });
  void pending.promise.then(answer);
}
