/** Sends answers after the request's handler has returned: pending answers, and those that end a connection. */
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { errorAnswer } from '../semantics/error-answers.js';
import { send, type Sending } from './send.js';
import type { HttpResponse } from './uwebsockets.js';

const BUSY = errorAnswer('busy');

/**
 * Sends an answer in the next iteration, or when it is rendered; 503 after a time limit, nothing if the client leaves.
 *
 * While an answer is pending, further data in the request's packet makes the library drop the connection
 * (docs/dependencies.md, "Requests with content"), so an answer that exists already is also sent after the packet.
 */
export function sendLater(
  res: HttpResponse,
  given: Answer | PendingAnswer,
  { sending, answerDeadlineMs }: { readonly sending: Sending; readonly answerDeadlineMs: number },
): void {
  const { counters } = sending.sent;
  const pending =
    given instanceof PendingAnswer ? given : new PendingAnswer(Promise.resolve(given));
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
    counters.cut('client_gone');
    sending.access?.end('client_gone', undefined, 0);
  });
  setImmediate(() => void pending.promise.then(answer));
}
