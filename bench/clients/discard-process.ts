/**
 * A closed-loop client process for large bodies: it reads from its sockets into one buffer, counts and forgets. That
 * takes about 0.4 s of CPU time a GB, most of it the kernel's; wrk, which parses 8 kB at a time, takes 0.6 to 1.0.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { AnswerCounter, encodeRequest, type Target } from '../harness/exchange.js';
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
    const { port } = this.#load;
    const counter = new AnswerCounter();
    let askedMs = 0;
    const ask = (): void => {
      askedMs = performance.now();
      socket.write(encodeRequest(port, this.#nextTarget()));
    };
    const read = (length: number): boolean => {
      const { status, bodyBytes, ofBodyBytes, isWhole } = counter.count(
        this.#memory.subarray(0, length),
      );
      if (this.#measuring) {
        this.#bytes += bodyBytes;
        this.#answers += ofBodyBytes === 0 ? Number(isWhole) : bodyBytes / ofBodyBytes;
        if (isWhole) this.#latencies.record((performance.now() - askedMs) * 1000);
      }
      if (isWhole && status >= 400) this.#failures += 1;
      if (isWhole) ask();
      return true;
    };
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: this.#memory, callback: read },
    });
    socket.on('connect', ask);
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
