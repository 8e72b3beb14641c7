/**
 * The operators' HTTP interface, `/metrics`, `/status` and `/health`: on the socket in the local directory and on
 * `ADMIN_HOST`:`ADMIN_PORT`, never on the public port (`docs/operations/monitoring.md, "Looking at an instance"`).
 */
import type { RequestListener } from 'node:http';
import { listen, type Address } from '../port.js';
import type { Instance } from './instance.js';
import { OperatorsServer } from './operators-server.js';
import { scrape } from './scrape.js';
import { describeStatus } from './status.js';

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const JSON_TEXT = 'application/json';

interface OperatorsAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const ANSWERS: Readonly<
  Record<string, (instance: Instance) => OperatorsAnswer | Promise<OperatorsAnswer>>
> = {
  '/metrics': async (instance) => ({
    status: 200,
    type: PROMETHEUS_TEXT,
    body: await scrape(instance),
  }),
  '/status': async (instance) => ({
    status: 200,
    type: JSON_TEXT,
    body: `${JSON.stringify(await describeStatus(instance))}\n`,
  }),
  '/health': healthOf,
};

/** The answer of `/health`: 200 where the instance listens and its fronts serve a snapshot, else 503. */
function healthOf({ fronts, settings }: Instance): OperatorsAnswer {
  const { alive, serving, isListening } = fronts;
  const isServed = serving?.kind === 'snapshot' && fronts.generatedAtMs !== undefined;
  const isReady = isServed && isListening && alive > 0;
  const body = {
    status: isReady ? 'ready' : 'not ready',
    snapshot_id: serving?.kind === 'snapshot' ? serving.snapshotId : null,
    fronts: settings.frontProcesses,
    fronts_alive: alive,
  };
  return { status: isReady ? 200 : 503, type: JSON_TEXT, body: `${JSON.stringify(body)}\n` };
}

export function answerOperators(instance: Instance): RequestListener {
  /** Pending answers, shared by concurrent requests. */
  const pending = new Map<string, Promise<OperatorsAnswer>>();
  const made = (path: string, answer: (typeof ANSWERS)[string]): Promise<OperatorsAnswer> => {
    const running = pending.get(path);
    if (running !== undefined) return running;
    const begun = Promise.resolve(instance)
      .then(answer)
      .finally(() => pending.delete(path));
    pending.set(path, begun);
    return begun;
  };
  return ({ url = '', method }, response) => {
    const [path = ''] = url.split('?', 1);
    const answer = ANSWERS[path];
    if (answer === undefined || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not Found\n');
      return;
    }
    made(path, answer)
      .then(
        ({ status, type, body }) => response.writeHead(status, { 'Content-Type': type }).end(body),
        () => response.writeHead(500).end(),
      )
      .catch(() => undefined);
  };
}

/**
 * Opens the operators' own port, and answers there with the listener; port 0 picks a free one.
 *
 * @throws {Error} one line, where it cannot listen on the port.
 */
export async function openAdminPort(
  listener: RequestListener,
  at: Address,
): Promise<{ readonly port: number; close(): void }> {
  const operators = new OperatorsServer(listener);
  const port = await listen(operators.server, at, ' for metrics');
  return { port, close: operators.close.bind(operators) };
}
