/**
 * A client process around autocannon. It warms up and measures within one run, so that connections and compiled code
 * are the same before and after the clock starts.
 */
import autocannon, { type Request } from 'autocannon';
import { setTimeout as delay } from 'node:timers/promises';
import { urlOf } from '../harness/origin.js';
import { Latencies, type PlainLatencies } from '../measure/statistics.js';
import { readClocks } from './clocks.js';
import type { Load } from './load.js';

export interface AutocannonResult {
  readonly requests: number;
  readonly bytes: number;
  readonly failures: number;
  readonly seconds: number;
  readonly latencies: PlainLatencies;
  readonly serverCpuSeconds: number;
  readonly clientCpuSeconds: number;
}

process.once('message', (load: Load) => {
  void drive(load).then((result) => {
    process.send?.(result, () => {
      process.exit(0);
    });
  });
});

async function drive(load: Load): Promise<AutocannonResult> {
  const latencies = new Latencies();
  let measuring = false;
  let requests = 0;
  let received = 0;
  let failures = 0;
  const cannon = autocannon(optionsOf(load), () => undefined);
  cannon.on('response', (_client, statusCode, bytes, milliseconds) => {
    if (!measuring) return;
    requests += 1;
    received += bytes;
    latencies.record(milliseconds * 1000);
    if (statusCode >= 400) failures += 1;
  });
  cannon.on('reqError', () => {
    failures += 1;
  });
  await delay(load.warmupMs);
  const before = readClocks(load.serverPids);
  measuring = true;
  await delay(load.measureMs);
  measuring = false;
  const after = readClocks(load.serverPids);
  cannon.stop();
  return {
    requests,
    bytes: received,
    failures,
    seconds: after.seconds - before.seconds,
    latencies: latencies.toPlain(),
    serverCpuSeconds: after.server - before.server,
    clientCpuSeconds: after.client - before.client,
  };
}

function optionsOf(load: Load): autocannon.Options {
  let connection = 0;
  return {
    url: urlOf(load.server),
    connections: load.connections,
    pipelining: 1,
    duration: 1 + (load.warmupMs + load.measureMs) / 500,
    setupClient: (client) => {
      client.setRequests(requestsOf(load, connection));
      connection += 1;
    },
  };
}

/**
 * The targets of one connection. Each connection begins at another one, so that not all ask for the same at the same
 * time. If there are more targets than connections they are distributed, because autocannon copies its list for each.
 */
function requestsOf({ targets, connections }: Load, connection: number): Request[] {
  const first = connection % targets.length;
  const own =
    targets.length > connections
      ? targets.filter((_, at) => at % connections === connection)
      : [...targets.slice(first), ...targets.slice(0, first)];
  return own.map(({ path, headers }) => ({ method: 'GET', path, headers }));
}
