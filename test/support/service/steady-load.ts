/** Clients with constant requests, like proxies, while something happens to the service. */
import { Agent } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { get } from './requests.js';

interface Asked {
  readonly method: string;
  readonly path: string;
}

/** Small answers, large ones, one by a worker, one without a body. */
const REQUESTS: readonly Asked[] = [
  { method: 'GET', path: '/meta' },
  { method: 'GET', path: '/api/v1/observations/stream' },
  { method: 'HEAD', path: '/stations' },
  { method: 'GET', path: '/health/ready' },
  { method: 'GET', path: '/' },
];

const CHEAP = ['/health/live', '/meta', '/1/stations', '/api/v1/metadata'];

const PAUSE_MS = 10;

export interface Load {
  /** Number of complete answers with status 200. */
  readonly answered: number;
  /** Other outcomes, one line each. */
  readonly failures: readonly string[];
  /** Resolves after `count` more answers; at the first failure too, unless failures are expected. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

interface LoadOptions {
  /** Sent in turn; default: `REQUESTS`. */
  readonly requests?: readonly Asked[];
  /** Whether connections are kept; default: true. */
  readonly keepAlive?: boolean;
  /** Address of the clients; default: 127.0.0.1. */
  readonly localAddress?: string;
  /** Expected content of every body. */
  readonly body?: Buffer;
  /** Whether failures are expected; default: false. */
  readonly expectsFailures?: boolean;
}

/** Starts clients that send requests until `stop`. @param clients their number; each has one request at a time. */
export function startLoad(
  { port }: { readonly port: number },
  clients = 8,
  options: LoadOptions = {},
): Load {
  const { requests = REQUESTS, keepAlive = true, localAddress = '127.0.0.1' } = options;
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
        else
          failures.push(
            `${method} ${path}: ${status === 200 ? 'another body' : `status ${status}`}`,
          );
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
    more: async (count) => {
      const enough = answered + count;
      const isFine = (): boolean => options.expectsFailures === true || failures.length === 0;
      while (answered < enough && isFine()) await after(PAUSE_MS);
    },
    stop: async () => {
      isOver = true;
      await running;
      agent.destroy();
    },
  };
}

export interface Bystander {
  /** Resolves after this many more answers. */
  sees(answers: number): Promise<void>;
  end(): Promise<{ readonly answers: number; readonly failures: readonly string[] }>;
}

/** A client of another address, with a connection for each small request. */
export function standBy(
  service: { readonly port: number },
  { targets = CHEAP }: { readonly targets?: readonly string[] } = {},
): Bystander {
  const load = startLoad(service, 1, {
    keepAlive: false,
    localAddress: '127.0.0.2',
    requests: targets.map((path) => ({ method: 'GET', path })),
  });
  return {
    sees: async (answers) => {
      await load.more(answers);
    },
    end: async () => {
      await load.stop();
      return { answers: load.answered, failures: load.failures };
    },
  };
}
