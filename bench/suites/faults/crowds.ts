/** Beside a crowd of readers who ask for what takes workers long, what does somebody else wait for, kind by kind? */
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AttackReport } from '../../attacks/attack.js';
import type { AttackName } from '../../attacks/attack-process.js';
import { startAttack } from '../../attacks/start.js';
import { atMost, inMs, none } from '../../criteria.js';
import { MEASURER } from '../../harness/addresses.js';
import { openSetup } from '../../harness/setup.js';
import { quantileOf } from '../../measure/statistics.js';
import { freshFilters } from '../../measure/targets.js';
import { fixed, whole, type Criterion, type Table } from '../../report.js';
import type { RunPart } from './part.js';

const CROWDS: Readonly<Partial<Record<AttackName, string>>> = {
  'crowd-of-32': '32 addresses',
  'crowd-of-200': '200 addresses',
};
const WARMUP_MS = 5_000;
const CROWD_MS = 30_000;
/** Nobody waits for an answer longer than the service does. */
const LAST_ANSWER_MS = 16_000;
const QUICK_P99_MS = 300;
const PAGE_P99_MS = 3_000;

interface Kind {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Of a request that nobody has made before. */
  readonly path: () => string;
}

interface Found {
  readonly crowd: string;
  readonly kind: string;
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly busy: number;
  /** Without an answer, or with another status than 200 and 503. */
  readonly failed: number;
  readonly limitMs: number;
}

export const runCrowds: RunPart = async ({ options, scale, progress }) => {
  const [shape = '105k'] = options.rows;
  const found: Found[] = [];
  const reports: (readonly [crowd: string, report: AttackReport])[] = [];
  for (const [name, crowd] of Object.entries(CROWDS)) {
    for (let round = 0; round < options.rounds; round += 1) {
      const setup = await openSetup({ snapshots: [{ shape, version: 1 }], progress });
      try {
        progress(`${name}, round ${round + 1} of ${options.rounds}`);
        const { port } = setup.service;
        const kinds = await kindsOf(port);
        const attack = await startAttack(name as AttackName, port);
        await delay(WARMUP_MS * scale);
        const probes = Object.entries(kinds).map(([kind, order]) => ({
          kind,
          order,
          probe: new Probe(port, order),
        }));
        await delay(CROWD_MS * scale);
        for (const { kind, order, probe } of probes) {
          found.push({ crowd, kind, limitMs: order.p99Ms, ...(await probe.stop()) });
        }
        reports.push([crowd, await attack.stop()]);
      } finally {
        await setup.close();
      }
    }
  }
  return {
    tables: [tableOf(found)],
    criteria: found.flatMap(criteriaOf),
    notes: reports.map(([crowd, report]) => `${crowd}: answers to them ${JSON.stringify(report)}`),
    figures: found,
  };
};

async function kindsOf(port: number): Promise<Readonly<Record<string, Kind>>> {
  const { generatedAtMs, series } = await freshFilters(port, '1d');
  const from = new Date(generatedAtMs - 86_400_000).toISOString();
  const stations = [...new Set(series.map((one) => /\d+/.exec(one)?.[0] ?? ''))];
  const bbox = (): string => `bbox=-180,-90,${180 - Math.random()},90`;
  const station = (): string => stations[Math.floor(Math.random() * stations.length)] ?? '';
  const size = (): number => 300 + Math.floor(Math.random() * 1500);
  const quick = { perSecond: 5, p99Ms: QUICK_P99_MS };
  return {
    filters: { ...quick, path: () => `/api/v1/observations?from=${from}&${bbox()}` },
    charts: {
      ...quick,
      path: () => `/portal/chart.svg?station_id=${station()}&width=${size()}&height=${size()}`,
    },
    latest: { ...quick, path: () => `/api/v1/observations/latest?${bbox()}` },
    pages: {
      perSecond: 1,
      p99Ms: PAGE_P99_MS,
      path: () =>
        `/?station_id=${station()}&compare=${station()}&language=en&theme=dark&q=${Math.random()}`,
    },
  };
}

/** Asks at a fixed rate, whatever the service does. */
class Probe {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #timer: NodeJS.Timeout;
  readonly #latenciesMs: number[] = [];
  #asked = 0;
  #busy = 0;
  #failed = 0;

  constructor(port: number, { perSecond, path }: Kind) {
    this.#timer = setInterval(() => {
      this.#asked += 1;
      this.#ask(port, path());
    }, 1000 / perSecond);
  }

  async stop(): Promise<Pick<Found, 'answers' | 'p50Ms' | 'p99Ms' | 'maxMs' | 'busy' | 'failed'>> {
    clearInterval(this.#timer);
    const untilMs = performance.now() + LAST_ANSWER_MS;
    const ended = (): number => this.#latenciesMs.length + this.#busy + this.#failed;
    while (ended() < this.#asked && performance.now() < untilMs) await delay(20);
    this.#agent.destroy();
    return {
      answers: this.#latenciesMs.length,
      p50Ms: quantileOf(this.#latenciesMs, 0.5),
      p99Ms: quantileOf(this.#latenciesMs, 0.99),
      maxMs: quantileOf(this.#latenciesMs, 1),
      busy: this.#busy,
      failed: this.#asked - this.#latenciesMs.length - this.#busy,
    };
  }

  #ask(port: number, path: string): void {
    const startedMs = performance.now();
    const options = { host: '127.0.0.1', port, localAddress: MEASURER, path, agent: this.#agent };
    get(options, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) this.#latenciesMs.push(performance.now() - startedMs);
        else if (response.statusCode === 503) this.#busy += 1;
        else this.#failed += 1;
      });
    }).on('error', () => {
      this.#failed += 1;
    });
  }
}

function tableOf(found: readonly Found[]): Table {
  return {
    title: 'Another address beside a crowd with two connections each',
    columns: ['crowd', 'kind', 'answers', 'p50 ms', 'p99 ms', 'max ms', '503', 'failed'],
    rows: found.map((one) => [
      one.crowd,
      one.kind,
      whole(one.answers),
      fixed(one.p50Ms, 1),
      fixed(one.p99Ms, 1),
      fixed(one.maxMs, 1),
      whole(one.busy),
      whole(one.failed),
    ]),
  };
}

function criteriaOf(found: Found): readonly Criterion[] {
  const { crowd, kind, answers, p99Ms, limitMs, busy, failed } = found;
  return [
    atMost(`${kind} beside ${crowd}: p99`, limitMs, p99Ms, inMs),
    none(`${kind} beside ${crowd}: refused or failed`, busy + failed, whole(answers + busy)),
  ];
}
