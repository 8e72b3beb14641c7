/** While one client attacks, what do the others notice? Each attack in turn, on a service that was just started. */
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AttackReport } from '../../attacks/attack.js';
import type { AttackName } from '../../attacks/attack-process.js';
import { startAttack } from '../../attacks/start.js';
import { figuresOf, startPaced, type IntervalFigures } from '../../clients/paced.js';
import { encodeRequest, type Target } from '../../harness/exchange.js';
import { footprintOf, watchMemory } from '../../harness/footprint.js';
import { openSetup, type Setup } from '../../harness/setup.js';
import { now, swapTo } from '../../harness/visible.js';
import { freshPath } from '../../measure/fresh-filters.js';
import { exportPaths, freshFilters, readNetwork } from '../../measure/targets.js';
import { atMost, atMostTimes, inMb, inMs, none } from '../../criteria.js';
import { fixed, whole, type Criterion, type Table } from '../../report.js';
import { MEASURER, PROBE } from '../../harness/addresses.js';
import { intervalOf, startBystander } from './bystander.js';
import type { RunPart } from './part.js';

const QUIET_MS = 5_000;
const ATTACK_MS = 10_000;
const WARMUP_MS = 1_500;
/** After 5 s the paced client gives a request up. */
const GIVE_UP_MS = 5_500;
const P99_TIMES = 3;
const UNCACHED_P99_MS = 500;
const GREW_MB = 150;
const LIVE_LIMIT_MS = 100;
const SWAPS = 4;
/** The soft limit of open files under which the attacks with many connections take place. */
const FEW_FILES = ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'];

interface Plan {
  readonly name: AttackName;
  readonly what: string;
  readonly wrap?: readonly string[];
  /** Whether the attack needs a snapshot before the one that is served. */
  readonly swapFirst?: boolean;
  /** Requests of others that nobody asked before; default: ten. */
  readonly uncachedPerSecond?: number;
  /** What goes on during the attack; default is to wait. */
  readonly meanwhile?: (setup: Setup) => Promise<void>;
}

const PLANS: readonly Plan[] = [
  { name: 'long-texts', what: 'long numbers (12 a second) and slashes (120)' },
  { name: 'abandoned-pages', what: '300 page requests reset after 4 ms, every 2 s' },
  {
    name: 'pinned-copies',
    what: 'four readers of 2 kB/s after each of 4 swaps',
    meanwhile: async (setup) => {
      for (let at = 1; at <= SWAPS; at += 1) {
        await swapTo(setup, setup.snapshots[at]?.snapshotId ?? '');
        await delay(1_000);
      }
    },
  },
  { name: 'slow-readers', what: '300 readers of the whole dataset at 2 kB/s' },
  { name: 'stalled-readers', what: '1,000 readers of the whole dataset who read nothing' },
  {
    name: 'unread-changes',
    what: '110 readers of all changes who read nothing, each of another box',
    swapFirst: true,
  },
  {
    name: 'eight-connections',
    what: 'changes, wide CSV, filters, exports, pages in turn on 8 connections',
    swapFirst: true,
    uncachedPerSecond: 5,
  },
  {
    name: 'twenty-addresses',
    what: 'the same from 20 addresses, 8 connections each',
    swapFirst: true,
    uncachedPerSecond: 5,
  },
  {
    name: 'varied-requests',
    what: 'a new Host, query, language or filter each on 8 connections',
  },
  { name: 'many-connections', what: '400 connections, 256 open files', wrap: FEW_FILES },
  { name: 'many-listeners', what: '400 listeners, 256 open files', wrap: FEW_FILES },
];

interface Found {
  readonly plan: string;
  readonly quiet: IntervalFigures;
  readonly meta: IntervalFigures;
  /** Requests that nobody asked before: pages, exports and filters. */
  readonly uncached: IntervalFigures;
  readonly failures: readonly string[];
  readonly live: Liveness;
  readonly copies: number;
  /** By how much all processes together grew, at the most: PSS in MB. */
  readonly grewMb: number;
  readonly attack: AttackReport;
}

export const runUnderAttack: RunPart = async ({ options, scale, progress }) => {
  const [shape = '105k'] = options.rows;
  const found: Found[] = [];
  for (const plan of PLANS) {
    const versions = plan.meanwhile ? [1, 2, 3, 4, 5] : plan.swapFirst ? [1, 2] : [1];
    const setup = await openSetup({
      snapshots: versions.map((version) => ({ shape, version })),
      progress,
      ...(plan.wrap === undefined ? {} : { wrap: plan.wrap }),
    });
    try {
      progress(plan.name);
      if (plan.swapFirst === true) await swapTo(setup, setup.snapshots[1]?.snapshotId ?? '');
      found.push(await attacked(setup, plan, scale));
    } finally {
      await setup.close();
    }
  }
  return {
    tables: [tableOf(found)],
    criteria: found.flatMap(criteriaOf),
    notes: [
      'live: a new connection for each request, as a supervisor of services asks; all others keep theirs. Copies: on the disk after the attack.',
      ...found.map(({ plan, attack }) => `${plan}: the attacker’s ${JSON.stringify(attack)}`),
      ...found.flatMap(({ plan, failures }) =>
        failures.slice(0, 2).map((what) => `${plan}, failed for example: ${what}`),
      ),
    ],
    figures: found,
  };
};

function tableOf(found: readonly Found[]): Table {
  return {
    title: 'Other clients during an attack',
    columns: [
      'attack',
      'quiet p99 ms',
      '/meta p99',
      '/meta max',
      'failed',
      'uncached p99',
      'failed',
      'live max ms',
      'failed',
      'copies',
      'grew MB',
    ],
    rows: found.map((one) => [
      one.plan,
      fixed(one.quiet.p99Ms, 2),
      fixed(one.meta.p99Ms, 2),
      fixed(one.meta.maxMs, 1),
      whole(one.meta.failures),
      fixed(one.uncached.p99Ms, 0),
      whole(one.uncached.failures),
      fixed(one.live.maxMs, 1),
      whole(one.live.failures),
      whole(one.copies),
      whole(one.grewMb),
    ]),
  };
}

function criteriaOf({ plan, quiet, meta, uncached, live, grewMb }: Found): readonly Criterion[] {
  return [
    atMostTimes(`${plan}: /meta p99 beside quiet`, P99_TIMES, {
      quietMs: quiet.p99Ms,
      busyMs: meta.p99Ms,
    }),
    none(
      `${plan}: failed for others`,
      meta.failures + uncached.failures,
      whole(meta.answers + uncached.answers),
    ),
    atMost(`${plan}: p99 of what was never asked before`, UNCACHED_P99_MS, uncached.p99Ms, inMs),
    atMost(`${plan}: all processes grew by`, GREW_MB, grewMb, inMb),
    atMost(`${plan}: /health/live on a new connection`, LIVE_LIMIT_MS, live.maxMs, inMs),
  ];
}

async function attacked(setup: Setup, plan: Plan, scale: number): Promise<Found> {
  const { port } = setup.service;
  const uncachedTargets = await neverAsked(port);
  const meta = startBystander(port);
  const uncached = startPaced({
    server: port,
    expected: [],
    from: MEASURER,
    targets: uncachedTargets,
    connections: 16,
    perSecond: plan.uncachedPerSecond ?? 10,
  });
  await delay(WARMUP_MS);
  const quiet = await intervalOf(delay(QUIET_MS * scale));
  const before = footprintOf(setup.service).pssMb;
  const memory = watchMemory(setup.service);
  const attack = await startAttack(plan.name, port);
  const probe = new LiveProbe(port);
  const during = await intervalOf(Promise.all([delay(ATTACK_MS * scale), plan.meanwhile?.(setup)]));
  const live = probe.stop();
  const grewMb = memory.stop() - before;
  const copies = await readdir(path.join(setup.directory, 'local', 'bench')).catch(() => []);
  const report = await attack.stop();
  // Until every request of the time of the attack is answered or given up.
  await delay(GIVE_UP_MS);
  const after = { fromMs: during.fromMs, toMs: now() };
  const [metaRecord, uncachedRecord] = [await meta.stop(), await uncached.stop()];
  return {
    plan: plan.what,
    quiet: figuresOf(metaRecord, [quiet]),
    meta: {
      ...figuresOf(metaRecord, [during]),
      failures: figuresOf(metaRecord, [after]).failures,
    },
    uncached: {
      ...figuresOf(uncachedRecord, [during]),
      failures: figuresOf(uncachedRecord, [after]).failures,
    },
    failures: [...metaRecord.failures.first, ...uncachedRecord.failures.first],
    live,
    grewMb,
    copies: copies.filter((name) => name.includes('~')).length,
    attack: report,
  };
}

/** Pages in a language that no attacker asks for, exports, and filters; each is asked for once. */
async function neverAsked(port: number): Promise<readonly Target[]> {
  const { series } = await readNetwork(port);
  const pages = series.map((target) => {
    const query = new URLSearchParams(target.slice(target.indexOf('?')));
    return `/portal/station-modal?language=en&station_id=${query.get('station_id') ?? ''}&component_id=${query.get('component_id') ?? ''}`;
  });
  const files = exportPaths(series, 'xlsx');
  const fresh = await freshFilters(port, '1d');
  return pages.flatMap((page, at) => [
    { path: page, headers: {} },
    { path: files[at] ?? page, headers: {} },
    { path: freshPath(fresh), headers: {} },
  ]);
}

interface Liveness {
  readonly asked: number;
  readonly maxMs: number;
  readonly failures: number;
}

/** Asks `/health/live` twice a second, each time on a new connection: twice as often as an orchestrator can. */
class LiveProbe {
  static readonly #everyMs = 500;
  static readonly #limitMs = 2_000;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting = new Map<Socket, number>();
  #asked = 0;
  #maxMs = 0;
  #failures = 0;

  constructor(port: number) {
    this.#timer = setInterval(() => {
      this.#ask(port);
    }, LiveProbe.#everyMs);
  }

  /** What waits for an answer counts with the time that it has waited, and as failed if that is long. */
  stop(): Liveness {
    clearInterval(this.#timer);
    for (const startedMs of this.#waiting.values()) {
      const waitedMs = now() - startedMs;
      this.#maxMs = Math.max(this.#maxMs, waitedMs);
      if (waitedMs > LIVE_LIMIT_MS) this.#failures += 1;
    }
    return { asked: this.#asked, maxMs: this.#maxMs, failures: this.#failures };
  }

  #ask(port: number): void {
    this.#asked += 1;
    const startedMs = now();
    const socket = connect({ port, host: '127.0.0.1', localAddress: PROBE });
    this.#waiting.set(socket, startedMs);
    let isLive = false;
    socket.setTimeout(LiveProbe.#limitMs, () => socket.destroy());
    socket.write(encodeRequest(port, { path: '/health/live', headers: {} }));
    socket.on('data', (chunk) => {
      isLive = chunk.toString('latin1').startsWith('HTTP/1.1 200');
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#waiting.delete(socket);
      this.#maxMs = Math.max(this.#maxMs, now() - startedMs);
      if (!isLive) this.#failures += 1;
    });
  }
}
