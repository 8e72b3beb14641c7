/**
 * `npm run bench:restarts`: does anybody notice that the service was restarted, or replaced by another build?
 *
 * An answer is: no failed request over ten take-overs and ten upgrades under load, and a start to the first answer of
 * data, with a local copy that is there, within a second.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { ask } from '../harness/exchange.js';
import { CLI, forkOnCore } from '../harness/processes.js';
import { snapshotFile } from '../harness/snapshots.js';
import { spreadOf } from '../measure/statistics.js';
import { positive, SIZES, type Size } from '../options.js';
import type { LoadCounts, RestartLoad } from './client-process.js';
import { Instance } from './instance.js';

const CLIENT = fileURLToPath(new URL('./client-process.js', import.meta.url));
const PORT = 18_099;
const POLL_MS = 2;

interface Flags {
  readonly rounds: number;
  readonly rows: Size;
  readonly other?: string;
  readonly kept: number;
  readonly fresh: number;
  readonly migrate: boolean;
}

const flags = new Command('bench:restarts')
  .description('Restarts, take-overs and upgrades under load; see bench/README.md.')
  .option('--rounds <n>', 'of each', positive, 10)
  .addOption(new Option('--rows <size>', 'rows of the snapshot').choices(SIZES).default('105k'))
  .option('--other <file>', 'dist/cli.js of another build, to upgrade from and to')
  .option('--kept <n>', 'clients that keep their connection', positive, 32)
  .option('--fresh <n>', 'clients that open one for each request', positive, 8)
  .option('--migrate', 'in a network namespace of its own with net.ipv4.tcp_migrate_req=1', false)
  .parse()
  .opts<Flags>();

const INSIDE = 'BENCH_RESTARTS_INSIDE';
if (flags.migrate && process.env[INSIDE] === undefined) await runInside();
else await measure();

/** As root, or where users may make namespaces: the setting is the namespace's own, and goes with it. */
async function runInside(): Promise<void> {
  const script = 'ip link set lo up && echo 1 > /proc/sys/net/ipv4/tcp_migrate_req && exec "$@"';
  const words = ['--net', '--map-root-user', 'sh', '-c', script, 'sh', process.execPath];
  const child = spawn('unshare', [...words, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

async function measure(): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bura-bench-'));
  const environment = {
    ...process.env,
    SNAPSHOT_STORE: `file:${path.join(directory, 'store')}`,
    LOCAL_DIR: path.join(directory, 'local'),
    HOST: '127.0.0.1',
    PORT: String(PORT),
  };
  const start: Start = (cli, args = []) => new Instance(cli, args, environment);
  const builds = [CLI, ...(flags.other === undefined ? [] : [path.resolve(flags.other)])];
  const file = await snapshotFile({ shape: flags.rows, version: 1 }, console.error);
  await once(spawn(process.execPath, [CLI, 'publish', file.path], { env: environment }), 'exit');
  try {
    const setting = await readFile('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').catch(() => '?');
    console.log(`net.ipv4.tcp_migrate_req = ${setting.trim()}`);
    let service = await restarts(start);
    service = await takeOvers('take-overs', service, { start, builds: [CLI] });
    if (builds.length > 1) {
      const what = 'upgrades to another build and back';
      service = await takeOvers(what, service, { start, builds: builds.toReversed() });
    }
    await service.stop();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Start = (cli: string, args?: readonly string[]) => Instance;

/** Stops and starts, without load; the instance that serves at the end. */
async function restarts(start: Start): Promise<Instance> {
  let service = start(CLI);
  await answers();
  await service.writes('activated');
  const starts: number[] = [];
  for (let round = 0; round < flags.rounds; round += 1) {
    await service.stop();
    const startedAt = performance.now();
    service = start(CLI);
    await answers();
    starts.push(performance.now() - startedAt);
  }
  report('start to the first 200 of /meta', starts);
  return service;
}

/** Instances of these builds that take over from each other in turn, under load; the one that serves at the end. */
async function takeOvers(
  what: string,
  first: Instance,
  { start, builds }: { readonly start: Start; readonly builds: readonly string[] },
): Promise<Instance> {
  const { rounds, kept, fresh } = flags;
  let service = first;
  const client = forkOnCore(CLIENT);
  client.send({ port: PORT, kept, fresh } satisfies RestartLoad);
  await delay(1000);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const next = start(builds[round % builds.length] ?? CLI, ['--take-over']);
    await next.writes('has taken over');
    times.push(performance.now() - startedAt);
    await service.ended;
    service = next;
    // An upgrade imports the snapshot anew; until then the copy of the other build is served.
    if (builds.length > 1) await next.writes('"import_ms"');
  }
  client.send('stop');
  const [counts] = (await once(client, 'message')) as [LoadCounts];
  report(what, times);
  console.log(`  ${counts.answered} answers, longest ${counts.longestMs.toFixed(0)} ms`);
  console.log(`  failed: ${JSON.stringify(counts.failures)}`);
  if (Object.keys(counts.failures).length > 0) process.exitCode = 1;
  return service;
}

function report(what: string, times: readonly number[]): void {
  const { min, median, max } = spreadOf(times);
  const shown = [min, median, max].map((ms) => ms.toFixed(0)).join(' / ');
  console.log(`${what}: ${times.length}; least / median / most ms: ${shown}`);
}

async function answers(): Promise<void> {
  for (;;) {
    const answer = await ask(PORT, { path: '/meta', headers: {} }).catch(() => undefined);
    if (answer?.status === 200) return;
    await delay(POLL_MS);
  }
}
