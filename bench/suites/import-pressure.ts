/**
 * What clients notice of imports: frequent requests while one import follows the other, and while none runs.
 *
 * The p99 is measured at a fixed rate of 2,000 requests a second: a small part of what a front can do, so that it says what
 * a request waits for and not how long a queue is that the client itself has made. A bare server under the same
 * requests, while the service beside it imports, shows what the machine's two cores do to anybody.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import { atMostTimes } from '../criteria.js';
import type { Target } from '../harness/exchange.js';
import type { BenchOptions, Size, Progress } from '../options.js';
import type { Server } from '../harness/processes.js';
import { startReference } from '../harness/references.js';
import { fixed, whole, type Criterion, type Table } from '../report.js';
import type { Setup } from '../harness/setup.js';
import { quantileOf, spreadOf } from '../measure/statistics.js';
import { hotTargets } from '../measure/targets.js';
import { keepSwapping, now } from '../harness/visible.js';

const RATE = 2_000;
const P99_LIMIT = 3;
/** The time after an import until the machine is quiet again. */
const SETTLE_MS = 1_500;

export const PRESSURE_NOTE = `At a fixed rate (${whole(RATE)} requests/s over 64 connections): medians of the rounds; a latency counts from writing the request, or from when it was due if every connection was still waiting. "Client late" is how late the client itself woke up (p99): a floor under what it can see.`;

type Condition = 'quiet' | 'importing';
type Hit = 'service' | 'bare';

interface PacedFigures extends IntervalFigures {
  readonly latenessP99Ms: number;
}

export interface Pressure {
  readonly size: Size;
  /** Figures by server and condition, with one entry for each round. */
  readonly paced: Readonly<Record<Hit, Readonly<Record<Condition, readonly PacedFigures[]>>>>;
  readonly imports: number;
}

/** Measures requests to the service and to a bare server, quiet and importing. */
export async function importUnderRequests(
  setup: Setup,
  size: Size,
  { options, progress }: { readonly options: BenchOptions; readonly progress: Progress },
): Promise<Pressure> {
  const { service } = setup;
  const targets = await hotTargets(service.port);
  const bare = await startReference('bare', { servicePort: service.port, targets });
  const paced = {
    service: { quiet: [] as PacedFigures[], importing: [] as PacedFigures[] },
    bare: { quiet: [] as PacedFigures[], importing: [] as PacedFigures[] },
  };
  let imports = 0;
  const conditions = ['quiet', 'importing'] as const;
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const condition of round % 2 === 0 ? conditions : [...conditions].reverse()) {
        progress(`${size}: round ${round + 1} of ${options.rounds}, requests, ${condition}`);
        await delay(SETTLE_MS);
        const swapping = condition === 'importing' ? swapInTurn(setup) : undefined;
        const intervalMs = intervalMsOf(size, options);
        const run = { targets, options, intervalMs };
        paced.service[condition].push(await drivePaced(service, run));
        paced.bare[condition].push(await drivePaced(bare, run));
        imports += ((await swapping?.stop()) ?? []).filter((swap) => swap.importMs > 0).length;
      }
    }
  } finally {
    await bare.stop();
  }
  return { size, paced, imports };
}

/** How long one condition is measured: several imports. */
function intervalMsOf(size: Size, options: BenchOptions): number {
  return Math.max(size === '105k' ? 6 : 12, 3 * options.seconds) * 1000;
}

/** Three snapshots in turn, so that none is the previous one, whose local copy is still there. */
function swapInTurn(setup: Setup): ReturnType<typeof keepSwapping> {
  return keepSwapping(
    setup,
    setup.snapshots.map((snapshot) => snapshot.snapshotId),
  );
}

interface Drive {
  readonly targets: readonly Target[];
  readonly options: BenchOptions;
  readonly intervalMs: number;
}

async function drivePaced(
  server: Server,
  { targets, options, intervalMs }: Drive,
): Promise<PacedFigures> {
  const run = startPaced({
    server: server.port,
    targets,
    connections: options.connections,
    perSecond: RATE,
    expected: [],
  });
  await delay(1_000);
  const fromMs = now();
  await delay(intervalMs);
  const toMs = now();
  const record = await run.stop();
  return {
    ...figuresOf(record, [{ fromMs, toMs }]),
    failures: record.failures.count,
    latenessP99Ms: quantileOf([...record.latenessMs], 0.99),
  };
}

export function pressureTable({ size, paced, imports }: Pressure): Table {
  const pacedRow = (hit: Hit, condition: Condition): readonly string[] => {
    const rounds = paced[hit][condition];
    const median = (figure: 'p50Ms' | 'p99Ms' | 'latenessP99Ms'): string =>
      fixed(spreadOf(rounds.map((figures) => figures[figure])).median, 2);
    return [
      `${hit}, ${condition}`,
      median('p50Ms'),
      median('p99Ms'),
      fixed(Math.max(...rounds.map((figures) => figures.maxMs)), 1),
      median('latenessP99Ms'),
      whole(rounds.reduce((sum, figures) => sum + figures.failures, 0)),
    ];
  };
  return {
    title: `Hot requests, ${size}, ${imports} imports back to back`,
    columns: ['server, meanwhile', 'p50 ms', 'p99 ms', 'max ms', 'client late', 'failed'],
    rows: [
      pacedRow('service', 'quiet'),
      pacedRow('service', 'importing'),
      pacedRow('bare', 'quiet'),
      pacedRow('bare', 'importing'),
    ],
  };
}

export function p99Criterion({ size, paced }: Pressure): Criterion {
  const p99 = (condition: Condition): number =>
    spreadOf(paced.service[condition].map((figures) => figures.p99Ms)).median;
  return atMostTimes(`${size}: p99 of hot requests while imports run, beside quiet`, P99_LIMIT, {
    quietMs: p99('quiet'),
    busyMs: p99('importing'),
  });
}
