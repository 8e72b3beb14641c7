/** Requests of the benches, whose answers are read byte by byte. */
import { askOnce, type Answer } from '../../test/support/service/connection.js';

/** One request of a client; always GET. */
export interface Target {
  /** The path with its query, as in the request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TIME_LIMIT_MS = 10_000;

/** Sends one request on its own connection. @throws without a listener, and when nothing comes for 10 s. */
export function ask(port: number, { path, headers }: Target): Promise<Answer> {
  return askOnce({ port }, { target: path, fields: headers }, TIME_LIMIT_MS);
}
