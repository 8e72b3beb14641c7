/**
 * What clients notice of imports: frequent requests while one import follows the other, and while none runs.
 *
 * The p99 is measured at a fixed rate of 2,000 requests a second: a small part of what a front can do, so that it says what
 * a request waits for and not how long a queue is that the client itself has made. A bare server under the same
 * requests, while the service beside it imports, shows what the machine's two cores do to anybody. The same with as
 * many requests as the server takes (64 connections, autocannon) is there for comparison.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { driveWithAutocannon } from '../clients/autocannon.js';
import type { Driven } from '../clients/load.js';
import { figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import type { Target } from '../harness/exchange.js';
import type { BenchOptions, Size, Progress } from '../options.js';
import type { Server } from '../harness/processes.js';
import { startBare } from '../harness/references.js';
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
  readonly failures: number;
  readonly latenessP99Ms: number;
}

export interface Pressure {
  readonly size: Size;
  /** Figures by server and condition, with one entry for each round. */
  readonly paced: Readonly<Record<Hit, Readonly<Record<Condition, readonly PacedFigures[]>>>>;
  readonly closedLoop: Readonly<Record<Condition, readonly Driven[]>>;
  readonly imports: number;
}

/** Measures requests to the service and to a bare server, quiet and importing, at a fixed rate and in a closed loop. */
export async function importUnderRequests(
  setup: Setup,
  size: Size,
  { options, progress }: { readonly options: BenchOptions; readonly progress: Progress },
): Promise<Pressure> {
  const { service } = setup;
  const targets = await hotTargets(service.port);
  const bare = await startBare({ servicePort: service.port, targets });
  const paced = {
    service: { quiet: [] as PacedFigures[], importing: [] as PacedFigures[] },
    bare: { quiet: [] as PacedFigures[], importing: [] as PacedFigures[] },
  };
  const closedLoop = { quiet: [] as Driven[], importing: [] as Driven[] };
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
        closedLoop[condition].push(await driveClosed(service, run));
        imports += ((await swapping?.stop()) ?? []).filter((swap) => swap.importMs > 0).length;
      }
    }
  } finally {
    await bare.stop();
  }
  return { size, paced, closedLoop, imports };
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

function driveClosed(server: Server, { targets, options, intervalMs }: Drive): Promise<Driven> {
  return driveWithAutocannon({
    server: server.port,
    targets,
    connections: options.connections,
    warmupMs: 500,
    measureMs: intervalMs,
    serverPids: server.pids(),
    clients: 1,
  });
}

export function pressureTable({ size, paced, closedLoop, imports }: Pressure): Table {
  const pacedRow = (hit: Hit, condition: Condition): readonly string[] => {
    const rounds = paced[hit][condition];
    const median = (figure: (figures: PacedFigures) => number): number =>
      spreadOf(rounds.map(figure)).median;
    return [
      `${hit}, fixed rate, ${condition}`,
      whole(RATE),
      fixed(
        median((figures) => figures.p50Ms),
        2,
      ),
      fixed(
        median((figures) => figures.p99Ms),
        2,
      ),
      fixed(Math.max(...rounds.map((figures) => figures.maxMs)), 1),
      fixed(
        median((figures) => figures.latenessP99Ms),
        2,
      ),
      whole(rounds.reduce((sum, figures) => sum + figures.failures, 0)),
    ];
  };
  const closedRow = (condition: Condition): readonly string[] => {
    const rounds = closedLoop[condition];
    const median = (figure: (driven: Driven) => number): number =>
      spreadOf(rounds.map(figure)).median;
    return [
      `service, closed loop, ${condition}`,
      whole(median((driven) => driven.requestsPerSecond)),
      fixed(median((driven) => driven.p50Us) / 1000, 2),
      fixed(median((driven) => driven.p99Us) / 1000, 2),
      '-',
      '-',
      whole(rounds.reduce((sum, driven) => sum + driven.failures, 0)),
    ];
  };
  return {
    title: `Hot requests, ${size}, ${imports} imports back to back`,
    columns: [
      'server, client, meanwhile',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'max ms',
      'client late',
      'failed',
    ],
    rows: [
      pacedRow('service', 'quiet'),
      pacedRow('service', 'importing'),
      pacedRow('bare', 'quiet'),
      pacedRow('bare', 'importing'),
      closedRow('quiet'),
      closedRow('importing'),
    ],
  };
}

export function p99Criterion({ size, paced }: Pressure): Criterion {
  const p99 = (condition: Condition): number =>
    spreadOf(paced.service[condition].map((figures) => figures.p99Ms)).median;
  const times = p99('importing') / p99('quiet');
  return {
    promise: `${size}: p99 of hot requests while imports run, beside quiet`,
    wanted: `at most ${P99_LIMIT} times`,
    found: `${fixed(times, 1)} times (${fixed(p99('quiet'), 2)} -> ${fixed(p99('importing'), 2)} ms)`,
    met: times <= P99_LIMIT,
  };
}
