/** What an attack is, and the clients that several of them have in common. */
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeRequest } from '../harness/exchange.js';

export interface AttackOrder {
  readonly port: number;
  /** The attacker's own address, another than that of the clients who are measured: `127.0.0.3`. */
  readonly from: string;
}

/** What an attacker has sent and got so far, by names of its own. */
export type AttackReport = Readonly<Record<string, number>>;

export interface RunningAttack {
  report(): AttackReport;
}

/** Begins an attack; it goes on until its process ends. */
export type Attack = (order: AttackOrder) => RunningAttack;

/** The whole dataset without compression: more than the kernel's buffers hold. */
const WHOLE_DATASET = '/api/v1/observations/stream';

const READS_PER_SECOND = 2;
/** A first read has the status in it. */
const LEAST_BYTES = 64;

/** A connection from the attacker's address; what becomes of it is for the caller, and no error is thrown. */
export function openConnection({ port, from }: AttackOrder): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  return socket;
}

/** One that asks for the whole dataset and takes it at a trickle; what it does not take lies with the kernel and the service. */
export class SlowReader {
  bytes = 0;
  status = 0;
  isClosed = false;

  /** @param bytesPerSecond 0 for a reader that never reads. */
  constructor({ port, from }: AttackOrder, bytesPerSecond: number) {
    const socket = connect({
      port,
      host: '127.0.0.1',
      localAddress: from,
      onread: {
        buffer: Buffer.alloc(Math.max(LEAST_BYTES, bytesPerSecond / READS_PER_SECOND)),
        callback: (length, memory) => {
          if (this.bytes === 0) this.status = Number(Buffer.from(memory).toString('latin1', 9, 12));
          this.bytes += length;
          // Reading goes on when the next read is due.
          return false;
        },
      },
    });
    const timer =
      bytesPerSecond === 0
        ? undefined
        : setInterval(() => socket.resume(), 1000 / READS_PER_SECOND);
    socket.write(encodeRequest(port, { path: WHOLE_DATASET, headers: {} }));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
      clearInterval(timer);
    });
  }
}

/**
 * Asks for one thing after the other on a connection that stays open, reads all of each answer, and waits as long as one
 * says in `Retry-After`; until the process ends.
 *
 * @param onStatus called for each answer; 0 where there was none.
 */
export async function askInTurn(
  order: AttackOrder,
  nextPath: () => string,
  onStatus: (status: number) => void,
): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const { status, retryAfterMs } = await answerTo(order, agent, nextPath());
    onStatus(status);
    await delay(retryAfterMs);
  }
}

interface AnswerSeen {
  readonly status: number;
  readonly retryAfterMs: number;
}

function answerTo({ port, from }: AttackOrder, agent: Agent, path: string): Promise<AnswerSeen> {
  return new Promise((resolve) => {
    const fail = (): void => {
      resolve({ status: 0, retryAfterMs: 100 });
    };
    get({ host: '127.0.0.1', port, localAddress: from, path, agent }, (response) => {
      response.resume();
      response.on('error', fail).on('end', () => {
        const retryAfterMs = Number(response.headers['retry-after'] ?? 0) * 1000;
        resolve({ status: response.statusCode ?? 0, retryAfterMs });
      });
    }).on('error', fail);
  });
}

/** How many readers there were, are, and were refused. */
export function readersReport(readers: readonly SlowReader[]): AttackReport {
  return {
    readers: readers.length,
    closed: readers.filter(({ isClosed }) => isClosed).length,
    refused: readers.filter(({ status }) => status >= 400).length,
  };
}

/** The snapshot before the one that is served: the first in the list that is not active, for requests of changes. */
export async function snapshotBefore({ port }: AttackOrder): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/snapshots`);
  const snapshots = (await response.json()) as readonly {
    readonly snapshot_id: string;
    readonly active: boolean;
  }[];
  const since = snapshots.find(({ active }) => !active)?.snapshot_id;
  if (since === undefined) throw new Error('this instance has served one snapshot only');
  return since;
}
