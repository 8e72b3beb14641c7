/**
 * A closed-loop client for large bodies: reads from its sockets into one piece of memory, counts and forgets. Costs
 * about 0.4 s of CPU time a GB, most of it the kernel's; wrk, which reads 8 kB at a time and parses it, 0.6 to 1.0.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { AnswerCounter, encodeRequest, type Target } from '../exchange.js';
import { Latencies } from '../statistics.js';
import { readClocks } from './clocks.js';
import type { Driven, Load } from './load.js';

/** Stays in the core's cache: reads of 1 MB were slower. */
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
  /** In parts of answers, so that a large one under way at either end counts for what it is. */
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
    // None is closed by us: whatever closes was cut off.
    socket.on('close', () => {
      this.#failures += 1;
    });
  }

  /** In turn over all connections: where every target is another one, nothing is asked for twice. */
  #nextTarget(): Target {
    const { targets } = this.#load;
    const target = targets[this.#asked % targets.length];
    if (target === undefined) throw new Error('nothing to ask for');
    this.#asked += 1;
    return target;
  }
}
