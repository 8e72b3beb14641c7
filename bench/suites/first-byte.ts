/**
 * How long does a client wait for the first byte of the whole dataset?
 *
 * An answer: the time to the first byte of the body of both observations endpoints without filters, gzip and identity,
 * on an idle service: over a new connection (its opening included), over a kept one, and as the first request of its
 * kind after a swap, when nothing is planned or read yet. Good is a median under 5 ms. Every answer is read to its end.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Stopwatch, type Lap } from '../clients/stopwatch.js';
import type { Target } from '../harness/exchange.js';
import type { BenchOptions, Progress } from '../options.js';
import { fixed, whole, type Criterion, type SuiteResult } from '../report.js';
import { openSetup, type Setup } from '../harness/setup.js';
import { quantileOf } from '../measure/statistics.js';
import { WHOLE_DATASET } from '../measure/targets.js';
import { swapTo } from '../harness/visible.js';

const LIMIT_MS = 5;
/** Samples of every kind in one round. */
const SAMPLES = 20;
/** Swaps in one round: each of the four answers is once the first one after a swap. */
const SWAPS = WHOLE_DATASET.length;
/** The pause between two requests, so that the service is idle. */
const PAUSE_MS = 5;
/** The time after an import until the machine is quiet again. */
const SETTLE_MS = 1_000;
const WARMUPS = 5;

const KINDS = ['new connection', 'kept connection', 'after a swap'] as const;
type Kind = (typeof KINDS)[number];

type Laps = ReadonlyMap<string, Readonly<Record<Kind, Lap[]>>>;

export async function runFirstByte(
  options: BenchOptions,
  progress: Progress,
): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const versions = [1, 2, 3].map((version) => ({ shape, version }));
  const setup = await openSetup({ snapshots: versions, progress });
  const laps: Laps = new Map(
    WHOLE_DATASET.map(({ name }) => [
      name,
      { 'new connection': [], 'kept connection': [], 'after a swap': [] },
    ]),
  );
  try {
    // The code of this process and of the front's is compiled with the first requests.
    for (const { name, target } of wholes()) {
      progress(`warming up: ${name}`);
      for (let at = 0; at < WARMUPS; at += 1) await lapOf(setup, target);
    }
    for (let round = 0; round < options.rounds; round += 1) {
      progress(`round ${round + 1} of ${options.rounds}`);
      for (const { name, target } of wholes()) {
        const kept = new Stopwatch(setup.service.port);
        await kept.ask(target);
        for (let at = 0; at < SAMPLES; at += 1) {
          await delay(PAUSE_MS);
          laps.get(name)?.['new connection'].push(await lapOf(setup, target));
          await delay(PAUSE_MS);
          laps.get(name)?.['kept connection'].push(await kept.ask(target));
        }
        kept.close();
      }
      await measureAfterSwaps(setup, laps, progress);
    }
    return resultOf(shape, laps);
  } finally {
    await setup.close();
  }
}

/** Each answer is the first one that a snapshot is asked for; the others follow, each the first of its own kind. */
async function measureAfterSwaps(setup: Setup, laps: Laps, progress: Progress): Promise<void> {
  for (let swap = 0; swap < SWAPS; swap += 1) {
    const next = setup.snapshots[(swap + 1) % setup.snapshots.length];
    progress(`swap ${swap + 1} of ${SWAPS}`);
    await swapTo(setup, next?.snapshotId ?? '');
    await delay(SETTLE_MS);
    const all = wholes();
    for (const { name, target } of [...all.slice(swap), ...all.slice(0, swap)]) {
      laps.get(name)?.['after a swap'].push(await lapOf(setup, target));
      await delay(PAUSE_MS);
    }
  }
}

/** Asks once, over a connection of its own. */
async function lapOf(setup: Setup, target: Target): Promise<Lap> {
  const stopwatch = new Stopwatch(setup.service.port);
  const lap = await stopwatch.ask(target);
  stopwatch.close();
  return lap;
}

function wholes(): readonly { readonly name: string; readonly target: Target }[] {
  return WHOLE_DATASET.flatMap(({ name, targets }) => targets.map((target) => ({ name, target })));
}

function resultOf(shape: string, laps: Laps): SuiteResult {
  const all = [...laps].flatMap(([answer, byKind]) =>
    KINDS.map((kind) => {
      const firstBytes = byKind[kind].map(({ firstByteMs }) => firstByteMs);
      return {
        answer,
        kind,
        samples: firstBytes.length,
        firstBytesMs: firstBytes,
        p50Ms: quantileOf(firstBytes, 0.5),
        p90Ms: quantileOf(firstBytes, 0.9),
        maxMs: quantileOf(firstBytes, 1),
        wholeMs: quantileOf(
          byKind[kind].map(({ wholeMs }) => wholeMs),
          0.5,
        ),
      };
    }),
  );
  return {
    suite: 'first-byte',
    question: `how long does a client wait for the first byte of the whole dataset? (${shape} rows)`,
    tables: [
      {
        title: 'Time to the first byte of the body, idle',
        columns: ['answer, connection', 'samples', 'p50 ms', 'p90 ms', 'max ms', 'whole ms, p50'],
        rows: all.map(({ answer, kind, samples, p50Ms, p90Ms, maxMs, wholeMs }) => [
          `${answer}, ${kind}`,
          whole(samples),
          fixed(p50Ms, 2),
          fixed(p90Ms, 2),
          fixed(maxMs, 2),
          fixed(wholeMs, 1),
        ]),
      },
    ],
    criteria: all.map(({ answer, kind, p50Ms }): Criterion => ({
      promise: `${answer}, ${kind}: first byte, median`,
      wanted: `under ${LIMIT_MS} ms`,
      found: `${fixed(p50Ms, 2)} ms`,
      met: p50Ms < LIMIT_MS,
    })),
    notes: [
      'After a swap: a new connection too, one second after the new snapshot is visible; in turn each answer is the first one that anybody asks of it, and the next three are the first of their kind.',
    ],
    figures: all,
  };
}
