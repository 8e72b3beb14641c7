/** wrk (`--client wrk`): a client in C that needs a tenth of autocannon's CPU time, so that the server is the limit. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { urlOf } from '../harness/origin.js';
import { onCore } from '../harness/processes.js';
import { finishedChildrenCpuSeconds } from '../harness/system.js';
import { isStated, PERCENTILES, type Percentiles } from '../measure/statistics.js';
import { freshPath } from '../suites/network.js';
import { drivenBetween, readClocks, type Driven, type Load } from './driven.js';

const run = promisify(execFile);

/** Number of fresh requests: more than any server here answers in a round. */
const FRESH_PATHS = 100_000;

/** The output of `done` in the script: counts, the duration in microseconds, and latencies in milliseconds. */
interface Summary {
  readonly requests: number;
  readonly bytes: number;
  readonly durationUs: number;
  /** wrk counts statuses from 400 on without telling which. */
  readonly failures: number;
  readonly percentiles: readonly number[];
}

/** Drives a server with wrk: once to warm up, once between two readings of the clocks. @throws without wrk. */
export async function driveWithWrk(load: Load): Promise<Driven> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bura-bench-wrk-'));
  try {
    await runWrk(load, directory, load.warmupMs);
    const before = readClocks(load.serverPids, finishedChildrenCpuSeconds());
    const { requests, bytes, durationUs, failures, percentiles } = await runWrk(
      load,
      directory,
      load.measureMs,
    );
    const after = readClocks(load.serverPids, finishedChildrenCpuSeconds());
    const stated = PERCENTILES.flatMap((one, at) =>
      isStated(one, requests) ? [[one, percentiles[at]]] : [],
    );
    const driven = drivenBetween(before, after, {
      answers: requests,
      refused: 0,
      failures,
      bytes,
      percentiles: Object.fromEntries(stated) as Percentiles,
    });
    // The interval between the clocks is longer than wrk's own by the start of its process.
    const seconds = durationUs / 1e6;
    return {
      ...driven,
      requestsPerSecond: requests / seconds,
      bytesPerSecond: bytes / seconds,
      serverBusy: (driven.serverCpuUs * requests) / durationUs,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Each run has its own script, with other fresh requests. wrk takes whole seconds only. */
async function runWrk(load: Load, directory: string, milliseconds: number): Promise<Summary> {
  const script = path.join(directory, 'targets.lua');
  await writeFile(script, scriptOf(load));
  const { stdout } = await run(
    ...onCore(load.cpu, [
      'wrk',
      '--threads=1',
      `--connections=${load.connections}`,
      `--duration=${Math.max(1, Math.round(milliseconds / 1000))}s`,
      `--script=${script}`,
      urlOf(load.server),
    ]),
  );
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{'))) as Summary;
}

function scriptOf({ targets, fresh }: Load): string {
  const headers = Object.entries(targets[0]?.headers ?? {});
  const paths = fresh
    ? Array.from({ length: FRESH_PATHS }, () => freshPath(fresh))
    : targets.map((target) => target.path);
  // A JSON string of printable ASCII is a Lua string too.
  return `${headers.map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`).join('\n')}
local paths = {
${paths.map((one) => `  ${JSON.stringify(one)},`).join('\n')}
}
local requests, at = {}, 0
function init() for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path) end end
function request() at = at % #requests + 1; return requests[at] end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"bytes":%d,"durationUs":%d,"failures":%d,"percentiles":[%f,%f,%f,%f]}\\n',
    summary.requests, summary.bytes, summary.duration, e.connect + e.read + e.write + e.status + e.timeout,
    ${PERCENTILES.map((one) => `latency:percentile(${one}) / 1000`).join(', ')}))
end
`;
}
