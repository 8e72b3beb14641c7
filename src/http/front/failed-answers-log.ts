/** Logs answers with a status of 5xx (`docs/operations/monitoring.md, "Metrics and logs"`). */
import type { Log } from '../../log/log.js';
import type { Answer } from '../semantics/answer.js';

/** For this time after a failure, equal failures of the route are counted; then their number is logged. */
const WINDOW_MS = 60_000;

/** Logs the first failure at once, and only the number of later ones: an overload causes thousands a second. */
export class FailedAnswersLog {
  readonly #log: Log;
  /** Numbers of answers not logged yet, by status, route and text. */
  readonly #since = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  add(route: string, { status, body }: Answer): void {
    const said = body instanceof Uint8Array ? Buffer.from(body).toString().slice(0, 200) : '';
    const key = `${status} ${route} ${said}`;
    const since = this.#since.get(key);
    if (since !== undefined) {
      this.#since.set(key, since + 1);
      return;
    }
    const log = (answers: number): void => {
      this.#log.info({ route, status, said, answers }, 'answered with an error');
    };
    log(1);
    this.#since.set(key, 0);
    setTimeout(() => {
      const answers = this.#since.get(key) ?? 0;
      this.#since.delete(key);
      if (answers > 0) log(answers);
    }, WINDOW_MS).unref();
  }
}
