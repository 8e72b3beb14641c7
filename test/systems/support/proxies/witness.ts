/** Clients that send requests through proxies all the time, and check every answer. */
import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { casesOf } from '../../../support/readers/cases.js';
import { ask } from './ask.js';
import type { Proxy } from './proxies.js';

/** Requests with small answers, which come whole or not at all. */
const REQUESTS = casesOf('targets', 'small').flatMap((path) =>
  ['gzip', 'identity'].map((coding) => [path, coding] as const),
);

/** Clients of each proxy, and the pause of each between requests, far below the examples' limits. */
const CLIENTS = 4;
const PAUSE_MS = 30;

export interface Witnesses {
  /** Number of answers so far. */
  readonly answers: number;
  /** Requests that failed, were not answered with 200, or whose answer mixes snapshots. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

export function startWitnesses(proxies: readonly Proxy[]): Witnesses {
  const failures: string[] = [];
  // For one request, a snapshot has one entity tag and one body.
  const known = new Map<string, string>();
  let answers = 0;
  let isOver = false;
  const look = async (proxy: Proxy, at: number, from: string): Promise<void> => {
    const [path, coding] = REQUESTS[at % REQUESTS.length] ?? ['', ''];
    const asking = { headers: { 'accept-encoding': coding }, from };
    const { status, headers, body } = await ask(proxy, path, asking);
    answers += 1;
    const snapshotId = String(headers['x-snapshot-id']);
    const key = `${snapshotId} ${coding} ${path}`;
    const seen = `${String(headers.etag)} ${createHash('sha256').update(body).digest('hex')}`;
    const expected = known.get(key) ?? seen;
    known.set(key, expected);
    const isRight = status === 200 && seen === expected && seen.includes(`"${snapshotId}-`);
    if (!isRight) failures.push(`${proxy.name} ${key}: ${status} ${seen}, not ${expected}`);
  };
  const work = async (proxy: Proxy, client: number): Promise<void> => {
    for (let at = client; !isOver; at += 1) {
      await look(proxy, at, `127.0.0.${20 + client}`).catch((error: unknown) => {
        failures.push(`${proxy.name}: ${String(error)}`);
      });
      await after(PAUSE_MS);
    }
  };
  const working = proxies.flatMap((proxy) =>
    Array.from({ length: CLIENTS }, (_, client) => work(proxy, client)),
  );
  return {
    get answers() {
      return answers;
    },
    failures,
    stop: async () => {
      isOver = true;
      await Promise.all(working);
    },
  };
}

/** Snapshot ids of the answers to all requests of the witnesses, each sent once through a proxy. */
export async function snapshotIdsOf(proxy: Proxy): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const [path, coding] of REQUESTS) {
    const asking = { headers: { 'accept-encoding': coding }, from: '127.0.0.90' };
    ids.add(String((await ask(proxy, path, asking)).headers['x-snapshot-id']));
  }
  return [...ids];
}
