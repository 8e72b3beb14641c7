/** Clients with constant requests, like proxies, while something happens to the service. */
import { Agent } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { get } from './requests.js';

const CHEAP = ['/health/live', '/meta', '/1/stations', '/api/v1/metadata'];

const PAUSE_MS = 10;

interface LoadOptions {
  readonly requests: readonly { readonly method: string; readonly path: string }[];
  readonly keepAlive?: boolean;
  readonly localAddress?: string;
  /** Expected content of every body. */
  readonly body?: Buffer;
  readonly expectsFailures?: boolean;
}

/**
 * Starts clients that send requests until `stop`, and count complete answers with status 200; `failures` has a line for
 * each other outcome.
 *
 * @param clients their number; each has one request at a time.
 */
export function startLoad(
  { port }: { readonly port: number },
  clients: number,
  { requests, keepAlive = true, localAddress = '127.0.0.1', ...options }: LoadOptions,
) {
  const agent = new Agent({ keepAlive, maxSockets: clients });
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const ask = async (index: number): Promise<void> => {
    for (let next = index; !isOver; next += 1) {
      const { method = 'GET', path = '/' } = requests[next % requests.length] ?? {};
      try {
        const { status, body } = await get({ port }, path, { method, agent, localAddress });
        const isRight = options.body?.equals(body) ?? true;
        if (status === 200 && isRight) answered += 1;
        else failures.push(`${method} ${path}: status ${status}, the right body: ${isRight}`);
      } catch (error) {
        // A body that is cut off is "aborted".
        failures.push(`${method} ${path}: ${String(error)}`);
      }
      await after(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, index) => ask(index)));
  return {
    get answered() {
      return answered;
    },
    failures,
    /** Resolves after `count` more answers; at the first failure too, unless failures are expected. */
    more: async (count: number): Promise<void> => {
      const enough = answered + count;
      const isFine = (): boolean => options.expectsFailures === true || failures.length === 0;
      while (answered < enough && isFine()) await after(PAUSE_MS);
    },
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
      agent.destroy();
    },
  };
}

/** A client of another address, with a connection for each small request. */
export function standBy(service: { readonly port: number }) {
  const requests = CHEAP.map((path) => ({ method: 'GET', path }));
  const load = startLoad(service, 1, { requests, keepAlive: false, localAddress: '127.0.0.2' });
  return {
    sees: load.more,
    end: async () => {
      await load.stop();
      return { answers: load.answered, failures: load.failures };
    },
  };
}
