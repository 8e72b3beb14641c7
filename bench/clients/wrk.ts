/**
 * Load from wrk, where it is installed: a client in C that costs a third of autocannon's CPU, so that the server
 * is the limit. Never required.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { urlOf } from '../harness/origin.js';
import { onCore } from '../harness/processes.js';
import { cpuSeconds, finishedChildrenCpuSeconds } from '../harness/system.js';
import { FRESH_PATH, freshWindow, type FreshFilters } from '../measure/fresh-filters.js';
import type { Driven, Load } from './load.js';

const run = promisify(execFile);

/** The output of `done` in the script: counts, and times in microseconds. */
interface WrkSummary {
  readonly requests: number;
  readonly bytes: number;
  readonly durationUs: number;
  readonly failures: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** Whether there is a `wrk` on the PATH; it ends with 1 after `--version`. */
export async function hasWrk(): Promise<boolean> {
  return run('wrk', ['--version']).then(
    () => true,
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  );
}

/** Drives a server with wrk: once to warm up, once with the clocks read around it. */
export async function driveWithWrk(load: Load): Promise<Driven> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bura-bench-wrk-'));
  try {
    const script = path.join(directory, 'targets.lua');
    await writeFile(script, scriptOf(load));
    if (load.warmupMs > 0) await runWrk(load, { script, milliseconds: load.warmupMs });
    const before = clocks(load.serverPids);
    const summary = await runWrk(load, { script, milliseconds: load.measureMs });
    const after = clocks(load.serverPids);
    const serverCpuSeconds = after.server - before.server;
    // The interval between the clocks is longer than wrk's own by the start of its process.
    const seconds = after.seconds - before.seconds;
    return {
      requests: summary.requests,
      failures: summary.failures,
      requestsPerSecond: summary.requests / (summary.durationUs / 1e6),
      bytesPerSecond: summary.bytes / (summary.durationUs / 1e6),
      p50Us: summary.p50Us,
      p99Us: summary.p99Us,
      serverCpuUs: (serverCpuSeconds / summary.requests) * 1e6,
      serverBusy: serverCpuSeconds / seconds,
      clientBusy: (after.client - before.client) / seconds,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** wrk takes whole seconds only. */
async function runWrk(
  load: Load,
  { script, milliseconds }: { readonly script: string; readonly milliseconds: number },
): Promise<WrkSummary> {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const { stdout } = await run(
    ...onCore(load.cpu, [
      'wrk',
      `--threads=1`,
      `--connections=${load.connections}`,
      `--duration=${seconds}s`,
      `--script=${script}`,
      `${urlOf(load.server)}${load.targets[0]?.path ?? '/'}`,
    ]),
  );
  const line = stdout.slice(stdout.lastIndexOf('{'));
  return JSON.parse(line) as WrkSummary;
}

/** The script for wrk: it repeats the same bytes for one target, and calls a function for each request for several. */
function scriptOf({ targets, fresh }: Load): string {
  const headers = Object.entries(targets[0]?.headers ?? {}).map(
    ([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`,
  );
  const paths = targets.map((target) => `  ${lua(target.path)},`);
  const inTurn = `
local paths = {
${paths.join('\n')}
}
local requests, at = {}, 0
function init() for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path) end end
function request() at = at % #requests + 1; return requests[at] end`;
  return `${headers.join('\n')}
${fresh ? freshScript(fresh) : targets.length > 1 ? inTurn : ''}
function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"bytes":%d,"durationUs":%d,"failures":%d,"p50Us":%d,"p99Us":%d}\\n',
    summary.requests, summary.bytes, summary.duration, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;
}

/** The same requests as `freshPath` makes. */
function freshScript({ series, generatedAtMs, window }: FreshFilters): string {
  const { oldestMs, spreadMs, lengthMs } = freshWindow(generatedAtMs, window);
  return `
local series = {
${series.map((one) => `  ${lua(one)},`).join('\n')}
}
math.randomseed(os.time())
local function iso(ms)
  return os.date("!%Y-%m-%dT%H:%M:%S", math.floor(ms / 1000)) .. string.format(".%03dZ", ms % 1000)
end
function request()
  local from = ${oldestMs} + math.floor(math.random() * ${spreadMs})
  local path = "${FRESH_PATH}?" .. series[math.random(#series)] .. "&from=" .. iso(from)
  ${lengthMs === undefined ? '' : `path = path .. "&to=" .. iso(from + ${lengthMs})`}
  return wrk.format("GET", path)
end`;
}

/** A JSON string of printable ASCII is a Lua string too. */
function lua(text: string): string {
  return JSON.stringify(text);
}

function clocks(serverPids: readonly number[]): Record<'seconds' | 'server' | 'client', number> {
  return {
    seconds: performance.now() / 1000,
    server: serverPids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    client: finishedChildrenCpuSeconds(),
  };
}
