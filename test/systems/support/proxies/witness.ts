/** Clients that send requests through proxies all the time, and check every answer. */
import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { casesOf } from '../../../support/readers/cases.js';
import { ask } from './ask.js';
import type { Proxy } from './proxies.js';

/** Targets with small answers, which come whole or not at all. */
const TARGETS = casesOf('targets', 'small');
const CODINGS = ['gzip', 'identity'];

/** Pause of each client between requests, far below the examples' limits. */
const PAUSE_MS = 30;

export interface Witnesses {
  /** Number of answers so far. */
  readonly answers: number;
  /** Requests that failed, or were not answered with 200. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

/** Starts the clients; an answer that `isRight` rejects is a failure. */
export function startWitnesses(
  proxies: readonly Proxy[],
  { clients, isRight = () => true }: WitnessOptions,
): Witnesses {
  const failures: string[] = [];
  let answers = 0;
  let isOver = false;
  const work = async (proxy: Proxy, client: number): Promise<void> => {
    for (let at = client; !isOver; at += 1) {
      const [path = '', coding = ''] = keyAt(at);
      const asking = {
        headers: { 'accept-encoding': coding },
        from: `127.0.0.${20 + client}`,
      };
      try {
        const { status, headers, body } = await ask(proxy, path, asking);
        answers += 1;
        const seen: Seen = {
          key: `${coding} ${path}`,
          snapshotId: String(headers['x-snapshot-id']),
          etag: String(headers.etag),
          digest: createHash('sha256').update(body).digest('hex'),
        };
        if (status !== 200) failures.push(`${proxy.name} ${path}: ${status} ${body.toString()}`);
        else if (!isRight(seen)) failures.push(`${proxy.name} ${JSON.stringify(seen)}`);
      } catch (error) {
        failures.push(`${proxy.name} ${path}: ${String(error)}`);
      }
      await after(PAUSE_MS);
    }
  };
  const working = proxies.flatMap((proxy) =>
    Array.from({ length: clients }, (_, client) => work(proxy, client)),
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

export interface WitnessOptions {
  /** Clients of each proxy. */
  readonly clients: number;
  readonly isRight?: (seen: Seen) => boolean;
}

/** One answer. */
export interface Seen {
  /** Coding and path. */
  readonly key: string;
  readonly snapshotId: string;
  readonly etag: string;
  readonly digest: string;
}

/** Snapshot ids of the answers to all requests of the witnesses, each sent once through a proxy. */
export async function snapshotIdsOf(proxy: Proxy, from: string): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (let at = 0; at < TARGETS.length * CODINGS.length; at += 1) {
    const [path = '', coding = ''] = keyAt(at);
    const { headers } = await ask(proxy, path, { headers: { 'accept-encoding': coding }, from });
    ids.add(String(headers['x-snapshot-id']));
  }
  return [...ids];
}

function keyAt(at: number): readonly string[] {
  return [
    TARGETS[at % TARGETS.length] ?? '',
    CODINGS[Math.floor(at / TARGETS.length) % CODINGS.length] ?? '',
  ];
}
