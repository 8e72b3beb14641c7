/**
 * Beside a crowd of readers who ask for what takes workers long, what does somebody else wait for, kind by kind?
 *
 * An answer, beside 32 and then 200 addresses with two connections each: the p99 of filters, charts and latest values
 * (good is 300 ms) and of pages (3 s) that nobody has asked for before, and that none of them is refused.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CrowdReport } from '../clients/crowd-process.js';
import { EVEN_RATE, figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import { atMost, inMs, none } from '../criteria.js';
import { MEASURER } from '../harness/addresses.js';
import { forkOnCore, ofChild } from '../harness/processes.js';
import { openSetup } from '../harness/setup.js';
import { now } from '../harness/system.js';
import { quantileOf, spreadOf } from '../measure/statistics.js';
import type { BenchOptions, Progress } from '../options.js';
import { LATENCY_COLUMNS, latencyCells, whole, type SuiteResult } from '../report.js';
import { anyOf, readNetwork, targetsOf } from './network.js';

const CROWD = fileURLToPath(new URL('../clients/crowd-process.js', import.meta.url));
const CROWDS = [32, 200];
const WARMUP_MS = 5_000;
const CROWD_MS = 30_000;
/** After 5 s a request is given up. */
const GIVE_UP_MS = 5_500;
/** More than are asked in the time of a crowd, so that none is asked twice. */
const PATHS = 300;
const CONNECTIONS = 32;

interface Kind {
  readonly perSecond: number;
  readonly limitMs: number;
  /** Of a request that nobody has made before. */
  readonly path: () => string;
}

type Found = IntervalFigures &
  Pick<Kind, 'limitMs'> & { readonly name: string; readonly p99Ms: number; refused: number };

export async function runCrowds(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const scale = Math.min(1, options.seconds);
  const found: Found[] = [];
  const reports = new Map<number, CrowdReport>();
  for (const readers of CROWDS) {
    for (let round = 1; round <= options.rounds; round += 1) {
      const setup = await openSetup({ snapshots: [{ shape, version: 1 }], progress });
      const crowd = forkOnCore(CROWD);
      try {
        progress(`${readers} addresses, round ${round} of ${options.rounds}`);
        const { port } = setup.service;
        const kinds = await kindsOf(port);
        await ofChild<CrowdReport>(crowd, { port, readers });
        await delay(WARMUP_MS * scale);
        const asked = await askBeside(port, kinds, CROWD_MS * scale);
        found.push(
          ...asked.map((one) => ({ ...one, name: `${one.name} beside ${readers} addresses` })),
        );
        reports.set(readers, await ofChild<CrowdReport>(crowd, 'report'));
      } finally {
        crowd.disconnect();
        await setup.close();
      }
    }
  }
  const rows = [...new Set(found.map(({ name }) => name))].map((name) =>
    found.filter((one) => one.name === name),
  );
  const sum = (rounds: readonly Found[], of: 'answers' | 'failures' | 'refused'): number =>
    rounds.reduce((total, one) => total + one[of], 0);
  return {
    suite: 'crowds',
    question: 'beside a crowd with two connections each, what does another address wait for?',
    tables: [
      {
        title: 'Another address, at an even rate',
        columns: ['', ...LATENCY_COLUMNS, '503'],
        rows: rows.map((rounds) => [
          rounds[0]?.name ?? '',
          ...latencyCells(rounds),
          whole(sum(rounds, 'refused')),
        ]),
      },
    ],
    criteria: rows.flatMap((rounds) => {
      const { name = '', limitMs = 0 } = rounds[0] ?? {};
      const p99Ms = spreadOf(rounds.map((one) => one.p99Ms)).median;
      return [
        atMost(`${name}: p99`, limitMs, p99Ms, inMs),
        none(`${name}: failed`, sum(rounds, 'failures'), whole(sum(rounds, 'answers'))),
      ];
    }),
    notes: [
      `Answers to the crowds of the last round: ${JSON.stringify(Object.fromEntries(reports))}`,
      'The target’s p99 is of some 150 answers, that of pages of 30: nearly the longest.',
    ],
    figures: { latency: EVEN_RATE, rows },
  };
}

async function askBeside(
  server: number,
  kinds: Readonly<Record<string, Kind>>,
  forMs: number,
): Promise<readonly Found[]> {
  const runs = Object.entries(kinds).map(([name, { perSecond, limitMs, path }]) => {
    const targets = targetsOf(Array.from({ length: PATHS }, path));
    const order = { server, targets, perSecond, connections: CONNECTIONS, from: MEASURER };
    return { name, limitMs, run: startPaced(order) };
  });
  const fromMs = now();
  await delay(forMs);
  const interval = { fromMs, toMs: now() };
  await delay(GIVE_UP_MS);
  return await Promise.all(
    runs.map(async ({ name, limitMs, run }) => {
      const record = await run.stop();
      const { latencyMs, refused } = record;
      const p99Ms = quantileOf(latencyMs, 0.99);
      const failures = record.failedMs.length;
      return { ...figuresOf(record, [interval]), name, limitMs, p99Ms, refused, failures };
    }),
  );
}

async function kindsOf(port: number): Promise<Readonly<Record<string, Kind>>> {
  const { generatedAtMs, stations } = await readNetwork(port);
  const from = new Date(generatedAtMs - 86_400_000).toISOString();
  const bbox = (): string => `bbox=-180,-90,${180 - Math.random()},90`;
  const station = (): number => anyOf(stations).station_id;
  const size = (): number => 300 + Math.floor(Math.random() * 1500);
  const quick = { perSecond: 5, limitMs: 300 };
  return {
    filters: { ...quick, path: () => `/api/v1/observations?from=${from}&${bbox()}` },
    charts: {
      ...quick,
      path: () => `/portal/chart.svg?station_id=${station()}&width=${size()}&height=${size()}`,
    },
    latest: { ...quick, path: () => `/api/v1/observations/latest?${bbox()}` },
    pages: {
      perSecond: 1,
      limitMs: 3_000,
      path: () =>
        `/?station_id=${station()}&compare=${station()}&language=en&theme=dark&q=${Math.random()}`,
    },
  };
}
