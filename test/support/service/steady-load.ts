/** Clients that ask all the time and keep their connections, as proxies do, while something happens to the service. */
import { Agent, request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';

/** Small answers, large ones, one that a worker makes, one without a body. */
const REQUESTS = [
  { method: 'GET', path: '/meta' },
  { method: 'GET', path: '/api/v1/observations/stream' },
  { method: 'HEAD', path: '/stations' },
  { method: 'GET', path: '/health/ready' },
  { method: 'GET', path: '/' },
] as const;

const PAUSE_MS = 10;

export interface Load {
  /** How many have been answered with 200, in full. */
  readonly answered: number;
  /** What became of the others, one line each. */
  readonly failures: readonly string[];
  /** Resolves when so many more have been answered. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param clients each has one request under way at a time. */
export function startLoad(service: { readonly port: number }, clients = 8): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const ask = async (index: number): Promise<void> => {
    for (let next = index; !isOver; next += 1) {
      const { method, path } = REQUESTS[next % REQUESTS.length] ?? REQUESTS[0];
      const failure = await failureOf({ agent, port: service.port, method, path });
      if (failure === undefined) answered += 1;
      else failures.push(`${method} ${path}: ${failure}`);
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
      while (answered < enough && failures.length === 0) await after(PAUSE_MS);
    },
    stop: async () => {
      isOver = true;
      await running;
      agent.destroy();
    },
  };
}

async function failureOf(options: {
  readonly agent: Agent;
  readonly port: number;
  readonly method: string;
  readonly path: string;
}): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const sent = request({ ...options, host: '127.0.0.1' }, (response) => {
      response.resume();
      response.once('error', (error) => {
        resolve(`cut off (${error.message})`);
      });
      response.once('end', () => {
        const { statusCode } = response;
        resolve(statusCode === 200 ? undefined : `status ${statusCode}`);
      });
    });
    sent.once('error', (error) => {
      resolve(`${sent.reusedSocket ? 'on a kept' : 'on a new'} connection: ${error.message}`);
    });
    sent.end();
  });
}
