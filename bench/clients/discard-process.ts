/**
 * A closed-loop client process for large bodies: it reads from its sockets into one buffer, counts and forgets. That
 * takes about 0.4 s of CPU time a GB, most of it the kernel's; wrk, which parses 8 kB at a time, takes 0.6 to 1.0.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { AnswerCounter, encodeRequest, type Target } from '../harness/exchange.js';
import { connectTo, optionsOf, readyEvent, type ServerAddress } from '../harness/origin.js';
import { freshPath } from '../measure/fresh-filters.js';
import { Latencies } from '../measure/statistics.js';
import { readClocks } from './clocks.js';
import type { Driven, Load } from './load.js';

/** This much stays in the core's cache; reads of 1 MB were slower. */
const READ_BYTES = 256 * 1024;

process.once('message', (load: Load) => {
  void new DiscardingClient(load).drive().then((result) => {
    process.send?.(result, () => {
      process.exit(0);
    });
  });
});

class DiscardingClient {
  readonly #load: Load;
  readonly #memory = Buffer.allocUnsafeSlow(READ_BYTES);
  #asked = 0;
  #measuring = false;
  #latencies = new Latencies();
  /** Fractions count too, so that a large answer under way at either end counts in part. */
  #answers = 0;
  #bytes = 0;
  #failures = 0;

  constructor(load: Load) {
    this.#load = load;
  }

  async drive(): Promise<Driven> {
    const { connections, warmupMs, measureMs, serverPids } = this.#load;
    for (let at = 0; at < connections; at += 1) this.#open();
    await delay(warmupMs);
    const before = readClocks(serverPids);
    this.#measuring = true;
    await delay(measureMs);
    this.#measuring = false;
    const after = readClocks(serverPids);
    const seconds = after.seconds - before.seconds;
    return {
      requests: this.#answers,
      failures: this.#failures,
      requestsPerSecond: this.#answers / seconds,
      bytesPerSecond: this.#bytes / seconds,
      p50Us: this.#latencies.quantile(0.5),
      p99Us: this.#latencies.quantile(0.99),
      serverCpuUs: ((after.server - before.server) / this.#answers) * 1e6,
      serverBusy: (after.server - before.server) / seconds,
      clientBusy: (after.client - before.client) / seconds,
    };
  }

  #open(): void {
    const { server } = this.#load;
    const counter = new AnswerCounter();
    let askedMs = 0;
    const ask = (): void => {
      askedMs = performance.now();
      socket.write(encodeRequest(server, this.#nextTarget()));
    };
    const read = (bytes: Buffer): void => {
      const { status, bodyBytes, ofBodyBytes, isWhole } = counter.count(bytes);
      if (this.#measuring) {
        this.#bytes += bodyBytes;
        this.#answers += ofBodyBytes === 0 ? Number(isWhole) : bodyBytes / ofBodyBytes;
        if (isWhole) this.#latencies.record((performance.now() - askedMs) * 1000);
      }
      if (isWhole && status >= 400) this.#failures += 1;
      if (isWhole) ask();
    };
    const socket = connectReading(server, this.#memory, read);
    socket.on(readyEvent(server), ask);
    socket.on('error', () => undefined);
    // This client closes no connection, so the server has.
    socket.on('close', () => {
      this.#failures += 1;
    });
  }

  /** Targets in turn over all connections. */
  #nextTarget(): Target {
    const { targets, fresh } = this.#load;
    if (fresh !== undefined) return { path: freshPath(fresh), headers: targets[0]?.headers ?? {} };
    const target = targets[this.#asked % targets.length];
    if (target === undefined) throw new Error('nothing to ask for');
    this.#asked += 1;
    return target;
  }
}

/** A connection whose bytes are all read into one piece of memory; TLS has no such way. */
function connectReading(
  server: ServerAddress,
  memory: Buffer,
  read: (bytes: Buffer) => void,
): Socket {
  if (readyEvent(server) === 'secureConnect') return connectTo(server).on('data', read);
  const callback = (length: number): boolean => {
    read(memory.subarray(0, length));
    return true;
  };
  return connect({ ...optionsOf(server), onread: { buffer: memory, callback } });
}
