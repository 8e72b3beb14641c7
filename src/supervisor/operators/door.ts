/**
 * What operators look at, over HTTP: `/metrics`, `/status` and `/health`, on the Unix socket of the directory's lock and, where
 * `ADMIN_PORT` is set, on `ADMIN_HOST`; never on the public port (`docs/operations/monitoring.md, "Looking at an instance"`).
 */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { describeAddress, reasonOf } from '../port.js';
import type { Instance } from './instance.js';
import { OperatorsServer } from './operators-server.js';
import { scrape } from './scrape.js';
import { describeStatus } from './status.js';

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const JSON_TEXT = 'application/json';

const LOOK_MS = 100;

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

/** Whether the instance serves a snapshot, with all of its fronts. */
function healthOf({ fronts, frontProcesses }: Instance): OperatorsAnswer {
  const { alive, serving } = fronts;
  const isReady = serving?.kind === 'snapshot' && fronts.generatedAtMs !== undefined && alive > 0;
  const body = {
    status: isReady ? 'ready' : 'not ready',
    snapshot_id: serving?.kind === 'snapshot' ? serving.snapshotId : null,
    fronts: frontProcesses,
    fronts_alive: alive,
  };
  return { status: isReady ? 200 : 503, type: JSON_TEXT, body: `${JSON.stringify(body)}\n` };
}

/** What answers operators. */
export function answerOperators(instance: Instance): RequestListener {
  /** Answers that are being made: all who ask meanwhile get the same one. */
  const pending = new Map<string, Promise<OperatorsAnswer>>();
  const made = (path: string, answer: (typeof ANSWERS)[string]): Promise<OperatorsAnswer> => {
    const found = pending.get(path);
    if (found !== undefined) return found;
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
      // Whoever asked has gone.
      .catch(() => undefined);
  };
}

/**
 * Answers on a port of its own; port 0 picks a free one.
 *
 * @param options.retryForMs how long a port that is taken is asked for again: an instance that leaves frees it soon.
 * @throws {Error} one line, where the port cannot be had.
 */
export async function openAdminPort(
  listener: RequestListener,
  options: { readonly host: string; readonly port: number; readonly retryForMs: number },
): Promise<{ readonly port: number; close(): void }> {
  const { host, port, retryForMs } = options;
  const at = { host, port };
  const until = performance.now() + retryForMs;
  const door = new OperatorsServer(listener);
  for (;;) {
    try {
      await once(door.server.listen(at), 'listening');
      break;
    } catch (cause) {
      const where = describeAddress(at);
      if (performance.now() < until) await after(LOOK_MS);
      else throw new Error(`cannot listen on ${where} for metrics: ${reasonOf(cause)}`, { cause });
    }
  }
  const address = door.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => {
      door.close();
    },
  };
}
