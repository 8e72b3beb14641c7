/**
 * What does a machine need for a snapshot of so many rows?
 *
 * An answer: for each size the bytes of the stored document and of the local copy; the time, CPU time and peak memory of
 * `bura publish` and of the import; and the memory of the instance after it has answered, that of its own and all that
 * is in memory with the pages of the copy. `npm run bench:sizes` prints it as the table of
 * `docs/operations/scaling.md, "Sizes"`; nothing here is good or bad.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, headerOf } from './harness/exchange.js';
import { CLI, startService, type Service } from './harness/processes.js';
import { snapshotFile } from './harness/snapshots.js';
import {
  cpuSeconds,
  describeMachine,
  memoryOf,
  peakResidentMb,
  residentMb,
} from './harness/system.js';
import { SIZES, type Size } from './options.js';

const LOOK_EVERY_MS = 5;
const IMPORT_LIMIT_MS = 300_000;

/** After the last answer, for what is freed a moment later. */
const SETTLE_MS = 5000;

/** Everything that is large, and a thousand times what is small. */
const LARGE = [
  '/api/v1/observations/stream',
  '/api/v1/bulk/observations_hourly_preliminary_last30days.csv',
  '/api/v1/bulk/observations_hourly_preliminary_last30days.parquet',
  '/',
];
const SMALL = '/api/v1/observations/latest';
const SMALL_REQUESTS = 1000;

interface Work {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

const rows: string[] = [];
for (const size of SIZES) rows.push(await measure(size));
const { cpu, cores, node } = describeMachine();
process.stdout.write(`${cores} cores (${cpu}), Node ${node}

| rows | document | local copy | publish | its peak | import | its peak | at rest, its own | with the copy's pages |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`);

async function measure(size: Size): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'bura-sizes-'));
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const environment = {
    SNAPSHOT_STORE: `file:${path.join(root, 'store')}`,
    LOCAL_DIR: path.join(root, 'local'),
    POINTER_POLL_SECONDS: '0.2',
  };
  await mkdir(path.join(root, 'store'));
  const small = await snapshotFile({ shape: 'soak', version: 1 }, progress);
  const file = await snapshotFile({ shape: size, version: 1 }, progress);
  await publish(small.path, environment);
  const service = await startService(environment);
  try {
    const published = await publish(file.path, environment);
    const imported = await watchImport(service);
    await serves(service, file.snapshotId);
    for (const target of LARGE) await get(service, target);
    for (let request = 0; request < SMALL_REQUESTS; request++) await get(service, SMALL);
    await delay(SETTLE_MS);
    const sum = (figure: (pid: number) => number): number =>
      service.allPids().reduce((total, pid) => total + figure(pid), 0);
    const copy = await largestFolder(path.join(root, 'local', 'demo'));
    return [
      '',
      size,
      `${((await stat(file.path)).size / 1e6).toFixed(1)} MB`,
      `${(copy / 1e6).toFixed(0)} MB`,
      ...describeWork(published),
      ...describeWork(imported),
      `${sum((pid) => memoryOf(pid).anonymousMb).toFixed(0)} MB`,
      `${sum(residentMb).toFixed(0)} MB`,
      '',
    ]
      .join(' | ')
      .trim();
  } finally {
    await service.stop();
    await rm(root, { recursive: true, force: true });
  }
}

async function publish(file: string, environment: Record<string, string>): Promise<Work> {
  const child = spawn(process.execPath, [CLI, 'publish', file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { pid = 0 } = child;
  const work = await watch(pid, () => child.exitCode === null);
  if (child.exitCode !== 0) throw new Error(`publish ended with ${child.exitCode}`);
  return work;
}

async function watchImport(service: Service): Promise<Work> {
  const deadline = Date.now() + IMPORT_LIMIT_MS;
  for (;;) {
    const pid = service.importPid();
    if (pid !== undefined) return await watch(pid, () => service.importPid() === pid);
    if (Date.now() > deadline) throw new Error(`no import:\n${service.log()}`);
    await delay(LOOK_EVERY_MS);
  }
}

/** Looks at a process until it has ended; its last milliseconds are missed. */
async function watch(pid: number, isThere: () => boolean): Promise<Work> {
  const startedAt = performance.now();
  let work = { seconds: 0, cpuSeconds: 0, peakMb: 0 };
  while (isThere()) {
    const [seconds, spent, peakMb] = [
      (performance.now() - startedAt) / 1000,
      cpuSeconds(pid),
      peakResidentMb(pid),
    ];
    if (peakMb > 0) work = { seconds, cpuSeconds: spent, peakMb };
    await delay(LOOK_EVERY_MS);
  }
  return work;
}

function describeWork({ seconds, cpuSeconds: spent, peakMb }: Work): readonly string[] {
  return [`${seconds.toFixed(1)} s (CPU ${spent.toFixed(1)} s)`, `${peakMb.toFixed(0)} MB`];
}

async function serves(service: Service, snapshotId: string): Promise<void> {
  const deadline = Date.now() + IMPORT_LIMIT_MS;
  while (headerOf(await get(service, '/meta'), 'x-snapshot-id') !== snapshotId) {
    if (Date.now() > deadline) throw new Error(`${snapshotId} is not served:\n${service.log()}`);
    await delay(20);
  }
}

async function get({ port }: Service, target: string) {
  return await ask(port, { path: target, headers: {} });
}

/** Bytes of the files of the largest copy. */
async function largestFolder(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => {
      const folder = path.join(directory, name);
      const files = await Promise.all(
        (await readdir(folder)).map((one) => stat(path.join(folder, one))),
      );
      return files.reduce((bytes, { size }) => bytes + size, 0);
    });
  return Math.max(0, ...(await Promise.all(sizes)));
}
