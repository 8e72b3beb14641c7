/** The clients of the bench of restarts: some keep their connections, as proxies do, others open one for each request. */
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export interface RestartLoad {
  readonly port: number;
  /** Clients that keep their connection. */
  readonly kept: number;
  /** Clients that open a connection for each request. */
  readonly fresh: number;
}

export interface LoadCounts {
  readonly answered: number;
  /** How often each kind of failure was seen. */
  readonly failures: Readonly<Record<string, number>>;
  readonly longestMs: number;
}

const PATHS = ['/meta', '/stations', '/api/v1/observations/latest', '/api/v1/parameters', '/'];

/** Between two requests of a client: the processes that start need the cores, too. */
const PAUSE_MS = 4;

const failures: Record<string, number> = {};
let answered = 0;
let longestMs = 0;
let isOver = false;

async function run({ port, kept, fresh }: RestartLoad): Promise<void> {
  const keeping = new Agent({ keepAlive: true, maxSockets: kept });
  const once = new Agent({ keepAlive: false });
  const client = async (agent: Agent, first: number): Promise<void> => {
    for (let next = first; !isOver; next += 1) {
      const startedAt = performance.now();
      const failure = await ask(agent, port, PATHS[next % PATHS.length] ?? '/');
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      if (failure === undefined) answered += 1;
      else failures[failure] = (failures[failure] ?? 0) + 1;
      await delay(PAUSE_MS);
    }
  };
  await Promise.all([
    ...Array.from({ length: kept }, (_, index) => client(keeping, index)),
    ...Array.from({ length: fresh }, (_, index) => client(once, index)),
  ]);
}

async function ask(agent: Agent, port: number, path: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const sent = request({ agent, host: '127.0.0.1', port, path }, (response) => {
      response.resume();
      response.once('error', (error) => {
        resolve(`cut off: ${error.message}`);
      });
      response.once('end', () => {
        resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`);
      });
    });
    sent.once('error', (error) => {
      const connection = sent.reusedSocket ? 'kept' : 'new';
      const code = 'code' in error ? String(error.code) : error.message;
      resolve(`${code} on a ${connection} connection`);
    });
    sent.end();
  });
}

process.on('message', (load: RestartLoad | 'stop') => {
  if (load === 'stop') isOver = true;
  else
    void run(load).then(() => {
      process.send?.({ answered, failures, longestMs } satisfies LoadCounts, () => process.exit(0));
    });
});
