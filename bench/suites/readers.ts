/**
 * Do many readers of the whole dataset cost memory, and do slow ones cost anybody else time?
 *
 * An answer: by how much the service's memory grows while 100 clients read the full stream at once, as fast as they can
 * and as slowly as 10 kB/s (measured against the service before anybody asked for a stream: heap, segments and mapped
 * pages included); and the p99 of `/meta` at a fixed rate while 1,000 clients read at 10 kB/s each, as a ratio to the
 * quiet p99. Good is less than 150 MB and less than 3 times, with no reader cut off or starved.
 *
 * The thousand are as many as the service takes where that is less: docs/operations.md, "Kernel settings".
 *
 * Two things are reported beside that: the latency of `/meta` while the thousand arrive, each of whom gets a megabyte or
 * two into the kernel's buffers at once; and the kernel's memory for TCP sockets, which holds all that was written and
 * is not read yet.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { driveWithDiscard } from '../clients/discard.js';
import type { PacedRecord } from '../clients/paced-process.js';
import { figuresOf, startPaced, type Interval } from '../clients/paced.js';
import { startSlow } from '../clients/slow.js';
import { footprintOf, watchMemory } from '../harness/footprint.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Service } from '../harness/processes.js';
import { openSetup } from '../harness/setup.js';
import type { SuiteResult } from '../report.js';
import { quantileOf } from '../measure/statistics.js';
import { GZIP, row } from '../measure/targets.js';
import { now } from '../harness/visible.js';
import {
  renderReaders,
  type MetaFigures,
  type BesideReaders,
  type Crowd,
} from './readers-result.js';

const MANY = 100;
/** Where the service takes so many large answers at a time. */
const CROWD_MAX = 1_000;
const SLOW_BYTES_PER_SECOND = 10_000;
/** Requests of `/meta` a second. */
const RATE = 2_000;
/** Together with `INTERVAL_MS` longer than the ten seconds of `docs/dependencies.md`, "Ten seconds". */
const FILL_MS = 6_000;
const INTERVAL_MS = 6_000;
const REST_MS = 2_000;
const WARMUP_MS = 1_000;

const STREAM = '/api/v1/observations/stream';
const [IDENTITY_STREAM, GZIP_STREAM] = [row('', [STREAM]), row('', [STREAM], GZIP)];

export async function runReaders(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], progress });
  const { service } = setup;
  try {
    const crowdSize = Math.min(CROWD_MAX, largeAnswersMax(service));
    progress('warming up');
    await startMeta(service).stopAfter(WARMUP_MS);
    await delay(REST_MS);
    const before = footprintOf(service);
    const crowds: Crowd[] = [];
    for (const coding of ['identity', 'gzip'] as const) {
      progress(`${MANY} readers at full speed, ${coding}`);
      crowds.push(await readFast(service, coding, options));
    }
    progress(`${MANY} readers at 10 kB/s`);
    crowds.push((await readSlowly(service, MANY, () => delay(FILL_MS))).crowd);
    const quiet: MetaFigures[] = [];
    const beside: BesideReaders[] = [];
    const both = [
      async () => quiet.push(await askQuietly(service)),
      async () => beside.push(await askBesideReaders(service, crowdSize)),
    ];
    for (let round = 0; round < options.rounds; round += 1) {
      progress(
        `round ${round + 1} of ${options.rounds}: /meta, alone and beside ${crowdSize} readers`,
      );
      for (const ask of round % 2 === 0 ? both : [...both].reverse()) {
        await delay(REST_MS);
        await ask();
      }
    }
    await delay(REST_MS);
    const after = footprintOf(service);
    return renderReaders(shape, { before, after, crowds, quiet, beside });
  } finally {
    await setup.close();
  }
}

/** How many large answers the service sends at a time, as it says when it starts. */
function largeAnswersMax(service: Service): number {
  const [, count] = /"large_answers_max":(\d+)/.exec(service.log()) ?? [];
  if (count === undefined)
    throw new Error('the service does not say how many large answers it sends');
  return Number(count);
}

async function readFast(
  service: Service,
  coding: 'identity' | 'gzip',
  options: BenchOptions,
): Promise<Crowd> {
  const memory = watchMemory(service);
  const { bytesPerSecond, failures } = await driveWithDiscard({
    server: service.port,
    targets: (coding === 'gzip' ? GZIP_STREAM : IDENTITY_STREAM).targets,
    connections: MANY,
    warmupMs: 1_000,
    measureMs: Math.max(3_000, options.seconds * 1000),
    serverPids: service.pids(),
    clients: 1,
  });
  const peak = memory.stop();
  if (failures > 0) throw new Error(`${failures} of ${MANY} streams failed`);
  return {
    name: `full speed, ${coding}`,
    readers: MANY,
    peak,
    bytesPerSecond,
    arrivedMs: undefined,
    slow: undefined,
  };
}

async function askQuietly(service: Service): Promise<MetaFigures> {
  const meta = startMeta(service);
  await delay(WARMUP_MS);
  const interval = { fromMs: now(), toMs: now() + INTERVAL_MS };
  return metaFiguresOf(await meta.stopAfter(INTERVAL_MS), interval);
}

async function askBesideReaders(service: Service, readers: number): Promise<BesideReaders> {
  const meta = startMeta(service);
  await delay(WARMUP_MS);
  const fromMs = now();
  const { crowd, during } = await readSlowly(service, readers, async () => {
    const allReadMs = now();
    await delay(FILL_MS);
    const interval = { fromMs: now(), toMs: now() + INTERVAL_MS };
    return { allReadMs, interval, record: await meta.stopAfter(INTERVAL_MS) };
  });
  const { record, interval, allReadMs } = during;
  return {
    crowd,
    arriving: metaFiguresOf(record, { fromMs, toMs: allReadMs }),
    reading: metaFiguresOf(record, interval),
  };
}

/** Runs slow readers of the identity body, the larger one, for as long as `meanwhile` takes. */
async function readSlowly<During>(
  service: Service,
  readers: number,
  meanwhile: () => Promise<During>,
): Promise<{ readonly crowd: Crowd; readonly during: During }> {
  const [target] = IDENTITY_STREAM.targets;
  if (target === undefined) throw new Error('no target');
  const memory = watchMemory(service);
  const startedMs = now();
  const run = await startSlow({
    port: service.port,
    target,
    readers,
    bytesPerSecond: SLOW_BYTES_PER_SECOND,
  });
  try {
    await run.report();
    const fromMs = now();
    const during = await meanwhile();
    const slow = await run.report();
    const bytesPerSecond = slow.bytes / ((now() - fromMs) / 1000);
    const peak = memory.stop();
    const arrivedMs = fromMs - startedMs;
    const name = '10 kB/s each';
    return { crowd: { name, readers, peak, bytesPerSecond, arrivedMs, slow }, during };
  } finally {
    await run.stop();
  }
}

/** Asks for `/meta` at a fixed rate. */
function startMeta(service: Service): { stopAfter(ms: number): Promise<PacedRecord> } {
  const run = startPaced({
    server: service.port,
    targets: row('', ['/meta']).targets,
    connections: 64,
    perSecond: RATE,
    expected: [],
  });
  return {
    stopAfter: async (ms) => {
      await delay(ms);
      return run.stop();
    },
  };
}

function metaFiguresOf(record: PacedRecord, interval: Interval): MetaFigures {
  return {
    ...figuresOf(record, [interval]),
    latenessP99Ms: quantileOf([...record.latenessMs], 0.99),
  };
}
