/**
 * What does it cost that thousands listen to events, and does each hear of every swap?
 *
 * An answer, with 10,000 listeners over the given number of swaps between two snapshots whose copies are kept: how often each event was
 * heard, how long after the swap by the last listener, memory of all processes with the listeners and without, and the p99
 * of `/meta` while one swap follows the other, beside that without listeners or swaps. Good is: once each, 100 MB more at
 * most, and at most twice the quiet p99. What is worst is shown too: from half a second before each swap until half a
 * second after it, and what a bare server beside it has meanwhile.
 *
 * When a swap was visible is known to some 20 ms, the time between two looks. The last event is timed by a process
 * that reads ten thousand sockets on the same two cores.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { startListeners, type ListenersRun } from '../clients/listeners.js';
import type { Heard } from '../clients/listeners-process.js';
import { figuresOf, startPaced, type Interval, type IntervalFigures } from '../clients/paced.js';
import { atMost, atMostTimes, none } from '../criteria.js';
import { footprintOf } from '../harness/footprint.js';
import { startReference } from '../harness/references.js';
import { openSetup, type Setup } from '../harness/setup.js';
import { now, swapTo, type Swap } from '../harness/visible.js';
import { LATENCY_COLUMNS, latencyCells } from '../measure/latencies.js';
import { spreadOf } from '../measure/statistics.js';
import type { BenchOptions, Progress } from '../options.js';
import { fixed, whole, type Criterion, type SuiteResult } from '../report.js';

const LISTENERS = 10_000;
const MEMORY_LIMIT_MB = 100;
const P99_LIMIT = 2;
/** Requests a second for `/meta`. */
const RATE = 500;
const CONNECTIONS = 16;
const QUIET_MS = 10_000;
const AROUND_MS = 500;
/** For events to be heard, and for the next swap to find the machine at rest. */
const SETTLE_MS = 2_000;

interface HeardSwap {
  readonly swap: Swap;
  readonly heard: Heard | undefined;
}

interface Figures {
  readonly quiet: IntervalFigures;
  /** From before the first swap until after the last one. */
  readonly swapping: IntervalFigures;
  readonly around: IntervalFigures;
  /** Of a bare server that runs beside it. */
  readonly bare: IntervalFigures;
  readonly bareAround: IntervalFigures;
  readonly withoutMb: number;
  readonly withMb: number;
  readonly swaps: readonly HeardSwap[];
  readonly failed: number;
}

export async function runEvents(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const snapshots = [1, 2].map((version) => ({ shape, version }));
  const setup = await openSetup({ snapshots, progress });
  try {
    return resultOf(shape, await measure(setup, options, progress));
  } finally {
    await setup.close();
  }
}

async function measure(setup: Setup, options: BenchOptions, progress: Progress): Promise<Figures> {
  const { service } = setup;
  const ids = setup.snapshots.map(({ snapshotId }) => snapshotId);
  for (const id of ids) await swapTo(setup, id);
  const targets = [{ path: '/meta', headers: {} }];
  const bare = await startReference('bare', { servicePort: service.port, targets });
  const load = { targets, connections: CONNECTIONS, perSecond: RATE, expected: [] };
  const paced = startPaced({ server: service.port, ...load });
  const pacedOfBare = startPaced({ server: bare.port, ...load });
  await delay(SETTLE_MS);
  progress('without listeners');
  const quiet = { fromMs: now(), toMs: now() + QUIET_MS };
  await delay(QUIET_MS);
  const withoutMb = footprintOf(service).anonymousMb;
  progress(`${whole(LISTENERS)} listeners come`);
  const listeners = await startListeners({ port: service.port, listeners: LISTENERS });
  await delay(SETTLE_MS);
  await listeners.report();
  const withMb = footprintOf(service).anonymousMb;
  const fromMs = now();
  const swaps = await swapInTurn({ setup, ids, listeners, options, progress });
  const swapping = { fromMs, toMs: now() };
  const { failed } = await listeners.report();
  const record = await paced.stop();
  const ofBare = await pacedOfBare.stop();
  await listeners.stop();
  await bare.stop();
  const around = swaps.map(({ swap }): Interval => {
    return { fromMs: swap.visibleMs - AROUND_MS, toMs: swap.visibleMs + AROUND_MS };
  });
  return {
    quiet: figuresOf(record, [quiet]),
    swapping: figuresOf(record, [swapping]),
    around: figuresOf(record, around),
    bare: figuresOf(ofBare, [swapping]),
    bareAround: figuresOf(ofBare, around),
    withoutMb,
    withMb,
    swaps,
    failed: failed + record.failures.count,
  };
}

async function swapInTurn({
  setup,
  ids,
  listeners,
  options,
  progress,
}: {
  readonly setup: Setup;
  readonly ids: readonly string[];
  readonly listeners: ListenersRun;
  readonly options: BenchOptions;
  readonly progress: Progress;
}): Promise<readonly HeardSwap[]> {
  const swaps: HeardSwap[] = [];
  for (let at = 0; at < options.swaps; at += 1) {
    progress(`swap ${at + 1} of ${options.swaps}`);
    const id = ids[at % ids.length] ?? '';
    const swap = await swapTo(setup, id);
    await delay(SETTLE_MS);
    const { heard } = await listeners.report();
    swaps.push({ swap, heard: heard.find(({ snapshotId }) => snapshotId === id) });
  }
  return swaps;
}

function resultOf(shape: string, figures: Figures): SuiteResult {
  const { quiet, swapping, around, swaps } = figures;
  const after = (of: (heard: Heard) => number): string => {
    const all = swaps.flatMap(({ swap, heard }) => (heard ? [of(heard) - swap.visibleMs] : []));
    const { median, max } = spreadOf(all);
    return `${fixed(median, 0)} (worst ${fixed(max, 0)})`;
  };
  const row = (name: string, of: IntervalFigures): readonly string[] => [
    name,
    ...latencyCells([of]),
  ];
  return {
    suite: 'events',
    question: `what do ${whole(LISTENERS)} listeners cost over ${swaps.length} swaps? (${shape} rows)`,
    tables: [
      {
        title: `Latency of /meta, ${RATE} requests/s`,
        columns: ['', ...LATENCY_COLUMNS],
        rows: [
          row('without listeners', quiet),
          row(`with them, over ${swaps.length} swaps`, swapping),
          row('of these within 0.5 s of a swap', around),
          row('a bare server meanwhile', figures.bare),
          row('a bare server within 0.5 s of a swap', figures.bareAround),
        ],
      },
      {
        title: 'Milliseconds from the first answer of the new snapshot',
        columns: ['until', 'ms'],
        rows: [
          ['its event is heard first', after(({ firstMs }) => firstMs)],
          ['its event is heard last', after(({ lastMs }) => lastMs)],
        ],
      },
    ],
    criteria: criteriaOf(figures),
    notes: ['The snapshot is looked for every 20 ms, so an event may be heard before it is seen.'],
    figures,
  };
}

function criteriaOf(figures: Figures): readonly Criterion[] {
  const { quiet, swapping, withoutMb, withMb, swaps, failed } = figures;
  const wrong = swaps.filter(
    ({ heard }) => heard?.times !== LISTENERS || heard.mostByOne !== 1,
  ).length;
  return [
    none('swaps whose event not every listener has heard once', wrong, whole(swaps.length)),
    none(
      'listeners cut off, requests failed',
      failed,
      whole(LISTENERS + quiet.answers + swapping.answers),
    ),
    atMost(
      'anonymous memory with listeners, beside without',
      MEMORY_LIMIT_MB,
      withMb - withoutMb,
      (mb) => `${fixed(mb, 1)} MB more`,
    ),
    atMostTimes('p99 of /meta over all swaps, beside without listeners', P99_LIMIT, {
      quietMs: quiet.p99Ms,
      busyMs: swapping.p99Ms,
    }),
  ];
}
