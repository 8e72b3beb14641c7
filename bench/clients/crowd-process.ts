/**
 * The process of a crowd of readers, each with an address and two connections: pages, pictures, searches, exports and wide
 * CSV in turn, all of each answer read, waiting as long as `Retry-After` says.
 */
import { Agent, get, type RequestOptions } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { crowdAddress } from '../harness/addresses.js';
import { anyOf, exportPaths, readNetwork } from '../suites/network.js';

export interface CrowdOrder {
  readonly port: number;
  readonly readers: number;
}

/** Answers by kind and status, such as `page 200`; status 0 where there was none. */
export type CrowdReport = Readonly<Record<string, number>>;

const CONNECTIONS = 2;
const KINDS = ['page', 'picture', 'search', 'export', 'wide CSV'] as const;
type Kind = (typeof KINDS)[number];

const counts: Record<string, number> = {};

async function begin({ port, readers }: CrowdOrder): Promise<void> {
  const { series } = await readNetwork(port);
  const files = exportPaths(series, 'xlsx');
  let asked = 0;
  /** Hardly any is ever asked for twice; exports not before each of them was once. */
  const pathOf = (kind: Kind): string => {
    const random = Math.random();
    asked += 1;
    const [ids = ''] = /station_id=\d+&component_id=\d+/.exec(anyOf(series)) ?? [];
    const [compared = ''] = /(?<=station_id=)\d+/.exec(anyOf(series)) ?? [];
    switch (kind) {
      case 'page':
        return `/?${ids}&compare=${compared}&window=${anyOf(['1d', '7d', '14d', '30d'])}&theme=light`;
      case 'picture':
        return `/portal/chart.png?${ids}&window=7d&width=${700 + Math.floor(random * 200)}&height=${400 + (asked % 50)}`;
      case 'search':
        return `/?q=${random}`;
      case 'export':
        return files[asked % files.length] ?? '/';
      case 'wide CSV':
        return `/api/v1/observations.csv?layout=wide&bbox=-180,-90,${180 - random},90`;
    }
  };
  const read = async (at: number): Promise<never> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = at; ; turn += 1) {
      const kind = KINDS[turn % KINDS.length] ?? 'page';
      const localAddress = crowdAddress(at % readers);
      const request = { host: '127.0.0.1', port, localAddress, path: pathOf(kind), agent };
      const { status, retryAfterMs } = await answerTo(request);
      counts[`${kind} ${status}`] = (counts[`${kind} ${status}`] ?? 0) + 1;
      await delay(retryAfterMs);
    }
  };
  for (let at = 0; at < readers * CONNECTIONS; at += 1) void read(at);
}

function answerTo(request: RequestOptions): Promise<{ status: number; retryAfterMs: number }> {
  return new Promise((resolve) => {
    const fail = (): void => {
      resolve({ status: 0, retryAfterMs: 100 });
    };
    get(request, (response) => {
      response.resume();
      response.on('error', fail).on('end', () => {
        const retryAfterMs = Number(response.headers['retry-after'] ?? 0) * 1000;
        resolve({ status: response.statusCode ?? 0, retryAfterMs });
      });
    }).on('error', fail);
  });
}

/** The first message begins, each further one is answered with the report; the crowd leaves with its parent. */
process.on('message', (message: CrowdOrder | 'report') => {
  if (message === 'report') process.send?.(counts);
  else void begin(message).then(() => process.send?.(counts));
});
process.once('disconnect', () => {
  process.exit(0);
});
