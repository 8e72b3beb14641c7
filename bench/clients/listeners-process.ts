/**
 * A process with thousands of clients that listen to events, each at an address of the crowd: they count what they hear
 * and note when.
 *
 * Ids are compared as bytes, since parsing a hundred thousand events would delay the clock by which they are timed.
 */
import { connect } from 'node:net';
import { crowdAddress } from '../harness/addresses.js';
import { encodeRequest } from '../harness/exchange.js';
import { now } from '../harness/visible.js';

export interface ListenersOrder {
  readonly port: number;
  readonly listeners: number;
}

/** Of one snapshot's event. */
export interface Heard {
  readonly snapshotId: string;
  /** How often it was heard, by all listeners together. */
  readonly times: number;
  /** By the listener that heard it most often. */
  readonly mostByOne: number;
  /** Epoch milliseconds. */
  readonly firstMs: number;
  readonly lastMs: number;
}

export interface ListenersReport {
  /** Listeners that have been answered with 200. */
  readonly connected: number;
  /** Those that were refused, or closed. */
  readonly failed: number;
  readonly heard: readonly Heard[];
}

/** Messages to this process: `start` once, `report` any number of times: all since the one before. It ends with its parent. */
type ToListeners =
  { readonly kind: 'start'; readonly order: ListenersOrder } | { readonly kind: 'report' };

const TARGET = { path: '/api/v1/events', headers: {} };
const EVENT = /^id: (.*)$/gm;
const TICK_MS = 5;
/** The machine's queue for connections that nobody has accepted yet is short. */
const OPENED_PER_TICK = 20;

interface Count {
  times: number;
  readonly byListener: Uint8Array;
  readonly firstMs: number;
  lastMs: number;
}

let connected = 0;
let failed = 0;
const heard = new Map<string, Count>();

function start({ port, listeners }: ListenersOrder): void {
  const request = encodeRequest(port, TARGET);
  let opened = 0;
  const opening = setInterval(() => {
    for (let at = 0; at < OPENED_PER_TICK && opened < listeners; at += 1, opened += 1) {
      listen(port, opened, { request, listeners });
    }
    if (opened === listeners) clearInterval(opening);
  }, TICK_MS);
}

function listen(
  port: number,
  member: number,
  { request, listeners }: { readonly request: Buffer; readonly listeners: number },
): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress: crowdAddress(member) });
  let isAnswered = false;
  socket.write(request);
  // An event is one write of the server, and arrives as such.
  socket.on('data', (chunk: Buffer) => {
    const text = chunk.toString('latin1');
    if (!isAnswered) {
      isAnswered = true;
      if (!text.startsWith('HTTP/1.1 200')) {
        failed += 1;
        return;
      }
      connected += 1;
    }
    for (const [, id = ''] of text.matchAll(EVENT)) count(id, member, listeners);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    failed += 1;
  });
}

function count(id: string, member: number, listeners: number): void {
  const at = now();
  const known = heard.get(id) ?? {
    times: 0,
    byListener: new Uint8Array(listeners),
    firstMs: at,
    lastMs: at,
  };
  known.times += 1;
  known.lastMs = at;
  known.byListener[member] = (known.byListener[member] ?? 0) + 1;
  heard.set(id, known);
}

function report(): ListenersReport {
  const all = [...heard].map(([snapshotId, { times, byListener, firstMs, lastMs }]) => ({
    snapshotId,
    times,
    firstMs,
    lastMs,
    mostByOne: byListener.reduce((most, one) => Math.max(most, one), 0),
  }));
  heard.clear();
  return { connected, failed, heard: all };
}

process.on('message', (message: ToListeners) => {
  if (message.kind === 'start') start(message.order);
  else process.send?.(report());
});
process.once('disconnect', () => {
  process.exit(0);
});
