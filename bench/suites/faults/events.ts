/** What clients notice of a swap, an import, a restart and a killed front, and how soon everything is back. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { figuresOf, longestGapMs, startPaced, type Interval } from '../../clients/paced.js';
import type { ExpectedSnapshot, PacedRecord } from '../../clients/paced-process.js';
import { ask, headerOf, type Target } from '../../harness/exchange.js';
import { openSetup, type Setup } from '../../harness/setup.js';
import { loggedImportMs, now, swapTo, type Swap } from '../../harness/visible.js';
import { quantileOf } from '../../measure/statistics.js';
import { hotTargets } from '../../measure/targets.js';
import { fixed, whole, type Criterion, type Table } from '../../report.js';
import { atMost, atMostTimes, inMs, inSeconds, none } from '../../criteria.js';
import type { Part, RunPart } from './part.js';

const PER_SECOND = 1_000;
const EACH = { swap: 10, import: 3, restart: 3, kill: 3 };
/** A front that dies younger than ten seconds, a second time, is replaced after a delay. */
const GROWN_UP_MS = 10_500;
/** Half a second before an event and half a second after it. */
const AROUND_MS = 500;
const QUIET_MS = 1_500;
const REST_MS = 1_500;
const STORE_AWAY_MS = 3_000;

const KINDS = ['swap', 'import', 'restart', 'kill'] as const;
type Kind = (typeof KINDS)[number];

/** An event from its beginning until the service answers as after it. */
interface Event extends Interval {
  readonly kind: Kind;
}

interface Seen {
  readonly kind: Kind | 'quiet';
  readonly count: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly longestGapMs: number;
  readonly failures: number;
  /** The longest time from the beginning of such an event until it was over. */
  readonly longestMs: number;
}

export const runEvents: RunPart = async ({ options, scale, progress }) => {
  const [shape = '105k'] = options.rows;
  const versions = [1, 2, 3].map((version) => ({ shape, version }));
  const setup = await openSetup({ snapshots: versions, progress });
  try {
    const targets = await hotTargets(setup.service.port);
    const ids = setup.snapshots.map(({ snapshotId }) => snapshotId);
    let [previous = '', active = ''] = ids;
    const swap = async (id: string): Promise<Swap> => {
      [previous, active] = [active, id];
      return await swapTo(setup, id);
    };
    const expected: ExpectedSnapshot[] = [];
    for (const id of ids) {
      await swap(id);
      expected.push(await expectedSnapshot(setup.service.port, targets, id));
    }
    const run = startPaced({
      server: setup.service.port,
      targets,
      expected,
      connections: 32,
      perSecond: PER_SECOND,
    });
    await delay(REST_MS);
    const quiet: Interval[] = [];
    const events: Event[] = [];
    const swaps: Swap[] = [];
    const imports: Swap[] = [];
    for (const kind of KINDS) {
      const count = Math.max(1, Math.round(EACH[kind] * scale));
      for (let at = 0; at < count; at += 1) {
        progress(`${kind} ${at + 1} of ${count}`);
        const restedMs = now();
        await delay(kind === 'kill' ? GROWN_UP_MS : QUIET_MS);
        quiet.push({ fromMs: restedMs, toMs: now() });
        const fromMs = now();
        // The copies of the active snapshot and of the one before it are there, that of the third one is not.
        if (kind === 'swap') swaps.push(await swap(previous));
        if (kind === 'import') {
          const third = ids.find((id) => id !== active && id !== previous) ?? '';
          imports.push(await swap(third));
        }
        if (kind === 'restart') await setup.restart();
        if (kind === 'kill') await killFront(setup);
        events.push({ kind, fromMs, toMs: now() });
        await delay(REST_MS);
      }
    }
    const record = await run.stop();
    progress('a store that was away');
    const readyMs = await readyAfterStore(setup, active);
    return partOf({ record, quiet, events, swaps, imports, readyMs });
  } finally {
    await setup.close();
  }
};

/** A snapshot's answers, as the service gives them while it is the active one. */
async function expectedSnapshot(
  port: number,
  targets: readonly Target[],
  snapshotId: string,
): Promise<ExpectedSnapshot> {
  const answers = await Promise.all(targets.map((target) => ask(port, target)));
  const tags = new Set(answers.map((answer) => headerOf(answer, 'etag')));
  const [etag] = tags;
  const isOne = answers.every((answer) => headerOf(answer, 'x-snapshot-id') === snapshotId);
  if (etag === undefined || tags.size !== 1 || !isOne) {
    throw new Error(`the answers of ${snapshotId} are not all of one snapshot`);
  }
  return { snapshotId, etag, bodies: answers.map((answer) => answer.body) };
}

/** Kills a front and waits until the service answers again. */
async function killFront({ service }: Setup): Promise<void> {
  const front = service.pids().find((pid) => pid !== service.pid);
  if (front === undefined) throw new Error('no front to kill');
  process.kill(front, 'SIGKILL');
  for (;;) {
    const answer = await ask(service.port, { path: '/meta', headers: {} }).catch(() => undefined);
    if (answer?.status === 200) return;
    await delay(5);
  }
}

/** Milliseconds from the store's return until readiness, without the import: started without a store and without a copy. */
async function readyAfterStore(setup: Setup, snapshotId: string): Promise<number> {
  const store = path.join(setup.directory, 'store');
  let backMs = 0;
  await setup.restart(async () => {
    await rename(store, `${store}-away`);
    await rm(path.join(setup.directory, 'local'), { recursive: true });
    setTimeout(() => {
      backMs = now();
      void rename(`${store}-away`, store);
    }, STORE_AWAY_MS);
  });
  const readyMs = now() - backMs;
  return readyMs - (await loggedImportMs(setup.service, { snapshotId, sinceMs: backMs }));
}

interface Found {
  readonly record: PacedRecord;
  readonly quiet: readonly Interval[];
  readonly events: readonly Event[];
  readonly swaps: readonly Swap[];
  readonly imports: readonly Swap[];
  readonly readyMs: number;
}

function partOf(found: Found): Part {
  const { record, quiet, swaps, imports, readyMs } = found;
  const of = (kind: Kind): Seen => {
    const own = found.events.filter((event) => event.kind === kind);
    const around = own.map(({ fromMs, toMs }) => ({
      fromMs: fromMs - AROUND_MS,
      toMs: toMs + AROUND_MS,
    }));
    return seenOf(record, { kind, own, around });
  };
  const seen = {
    calm: seenOf(record, { kind: 'quiet', own: quiet, around: quiet }),
    swap: of('swap'),
    imported: of('import'),
    restart: of('restart'),
    kill: of('kill'),
  };
  const visible = swaps.map(({ movedMs, visibleMs }) => visibleMs - movedMs);
  const { calm, ...others } = seen;
  return {
    tables: [tableOf(Object.values(seen))],
    criteria: criteriaOf(record, seen, { visible, readyMs }),
    notes: [
      'Failed at a restart: requests that were due while the port was closed, and refused connections.',
      `Imports under this load took ${imports.map(({ importMs }) => whole(importMs)).join(', ')} ms.`,
      ...record.mixed.first.map((what) => `for example: ${what}`),
      ...record.failures.first.map((what) => `failed, for example: ${what}`),
    ],
    figures: { quiet: calm, ...others, visibleMs: visible, imports, readyMs },
  };
}

/** Events of one kind: their own intervals, and those in which clients may notice them. */
interface Intervals {
  readonly kind: Seen['kind'];
  readonly own: readonly Interval[];
  readonly around: readonly Interval[];
}

function seenOf(record: PacedRecord, { kind, own, around }: Intervals): Seen {
  const { p99Ms, p999Ms, failures } = figuresOf(record, around);
  return {
    kind,
    count: own.length,
    p99Ms,
    p999Ms,
    failures,
    longestGapMs: Math.max(...around.map((interval) => longestGapMs(record, interval))),
    longestMs: Math.max(...own.map(({ fromMs, toMs }) => toMs - fromMs)),
  };
}

function tableOf(seen: readonly Seen[]): Table {
  return {
    title: `Around events (${whole(PER_SECOND)} requests a second, every answer compared)`,
    columns: ['', 'count', 'p99 ms', 'p99.9 ms', 'longest gap ms', 'failed', 'longest event ms'],
    rows: seen.map((one) => [
      one.kind === 'kill' ? 'kill -9 of the front' : one.kind,
      whole(one.count),
      fixed(one.p99Ms, 2),
      fixed(one.p999Ms, 2),
      fixed(one.longestGapMs, 1),
      whole(one.failures),
      one.kind === 'quiet' ? '-' : whole(one.longestMs),
    ]),
  };
}

function criteriaOf(
  record: PacedRecord,
  seen: Readonly<Record<'calm' | 'swap' | 'imported' | 'restart' | 'kill', Seen>>,
  { visible, readyMs }: { readonly visible: readonly number[]; readonly readyMs: number },
): readonly Criterion[] {
  const { calm, swap, imported, restart, kill } = seen;
  const quietMs = calm.p99Ms;
  const answers = whole(record.startedMs.length);
  return [
    none('answers not wholly of one snapshot', record.mixed.count, answers),
    none('failed around swaps', swap.failures, `${swap.count} swaps`),
    none('failed around imports', imported.failures, `${imported.count} imports`),
    atMost('gap at a swap', 250, swap.longestGapMs, inMs),
    atMost('gap at a restart (stop, start)', 5_000, restart.longestGapMs, inMs),
    atMost('gap at kill -9 of the only front', 1_000, kill.longestGapMs, inMs),
    atMostTimes('p99 around a swap beside quiet', 3, { quietMs, busyMs: swap.p99Ms }),
    atMostTimes('p99 around an import beside quiet', 3, { quietMs, busyMs: imported.p99Ms }),
    atMost('pointer to first answer, copy there: p50', 200, quantileOf(visible, 0.5), inMs),
    atMost('the same: longest', 500, Math.max(...visible), inMs),
    atMost('kill -9 of the front to first 200', 1, kill.longestMs / 1000, inSeconds),
    atMost('store back to ready, without the import', 2, readyMs / 1000, inSeconds),
  ];
}
