/** Sends answers after their request's handler: pending ones, and those that end a connection. */
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { errorAnswer } from '../semantics/error-answers.js';
import { send, type Sending } from './send.js';
import type { HttpResponse } from './uwebsockets.js';

const BUSY = errorAnswer('busy');

/**
 * Sends an answer in the next iteration, or when it is rendered, unless its client goes or a limit passes.
 *
 * Further data in the packet of the request makes the library drop the connection while this answer is awaited
 * (docs/dependencies.md, "Requests with content"); an answer that exists already must therefore wait for the rest of
 * the packet.
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
