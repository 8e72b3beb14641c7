/**
 * What does a machine need for a snapshot of so many rows?
 *
 * An answer: for each size the bytes of the stored document and of the local copy; the time, CPU time and peak memory of
 * `bura publish` and of the import; and the memory of the instance after it has answered, that of its own and all that
 * is in memory with the pages of the copy. `npm run bench:sizes` prints it as the table of
 * `docs/operations/scaling.md, "Sizes"`; nothing here is good or bad.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './harness/exchange.js';
import type { Service } from './harness/processes.js';
import { openSetup } from './harness/setup.js';
import { snapshotFile } from './harness/snapshots.js';
import { describeMachine, memoryOf, residentMb } from './harness/system.js';
import { swapTo } from './harness/visible.js';
import { watchWork, type Work } from './harness/work.js';
import { createProgress, SIZES, type Size } from './options.js';

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

const progress = createProgress();
const rows: string[] = [];
for (const size of SIZES) rows.push(await measure(size));
const { cpu, cores, node } = describeMachine();
process.stdout.write(`${cores} cores (${cpu}), Node ${node}

| rows | document | local copy | publish | its peak | import | its peak | at rest, its own | with the copy's pages |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`);

async function measure(size: Size): Promise<string> {
  const setup = await openSetup({ snapshots: [{ shape: 'soak', version: 1 }], progress });
  try {
    const { service } = setup;
    const file = await snapshotFile({ shape: size, version: 1 }, progress);
    const published = await setup.publish(file);
    const [imported] = await Promise.all([watchImport(service), swapTo(setup, file.snapshotId)]);
    for (const target of LARGE) await get(service, target);
    for (let request = 0; request < SMALL_REQUESTS; request++) await get(service, SMALL);
    await delay(SETTLE_MS);
    const sum = (figure: (pid: number) => number): number =>
      service.allPids().reduce((total, pid) => total + figure(pid), 0);
    const copy = await largestFolder(path.join(setup.directory, 'local', 'bench'));
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
    await setup.close();
  }
}

async function watchImport(service: Service): Promise<Work> {
  const deadline = Date.now() + IMPORT_LIMIT_MS;
  for (;;) {
    const pid = service.importPid();
    if (pid !== undefined) return await watchWork(pid, () => service.importPid() === pid);
    if (Date.now() > deadline) throw new Error(`no import:\n${service.log()}`);
    await delay(LOOK_EVERY_MS);
  }
}

function describeWork({ seconds, cpuSeconds: spent, peakMb }: Work): readonly string[] {
  return [`${seconds.toFixed(1)} s (CPU ${spent.toFixed(1)} s)`, `${peakMb.toFixed(0)} MB`];
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
