/** Drives a server with autocannon, in one or more processes. */
import { fileURLToPath } from 'node:url';
import { forkOnCore, ofChild } from '../harness/processes.js';
import { Latencies } from '../measure/statistics.js';
import type { AutocannonResult } from './autocannon-process.js';
import type { Driven, Load } from './load.js';

const MODULE = fileURLToPath(new URL('./autocannon-process.js', import.meta.url));

/** Drives a server; the figures of all client processes are added up. */
export async function driveWithAutocannon(load: Load): Promise<Driven> {
  const results = await Promise.all(
    Array.from({ length: load.clients }, (_, at) => {
      const connections = shareOf(load.connections, { at, among: load.clients });
      const child = forkOnCore(MODULE, load.cpu === undefined ? undefined : load.cpu + at);
      return ofChild<AutocannonResult>(child, { ...load, connections } satisfies Load);
    }),
  );
  const latencies = new Latencies();
  for (const result of results) latencies.add(result.latencies);
  const sum = (figure: (result: AutocannonResult) => number): number =>
    results.reduce((total, result) => total + figure(result), 0);
  const requests = sum((result) => result.requests);
  // Every client reads the clock of the same server over an equally long interval.
  const serverCpuSeconds = sum((result) => result.serverCpuSeconds) / results.length;
  const seconds = sum((result) => result.seconds) / results.length;
  return {
    requests,
    failures: sum((result) => result.failures),
    requestsPerSecond: requests / seconds,
    bytesPerSecond: sum((result) => result.bytes) / seconds,
    p50Us: latencies.quantile(0.5),
    p99Us: latencies.quantile(0.99),
    serverCpuUs: (serverCpuSeconds / requests) * 1e6,
    serverBusy: serverCpuSeconds / seconds,
    clientBusy: sum((result) => result.clientCpuSeconds) / seconds,
  };
}

function shareOf(total: number, part: { readonly at: number; readonly among: number }): number {
  return Math.floor(total / part.among) + (part.at < total % part.among ? 1 : 0);
}
