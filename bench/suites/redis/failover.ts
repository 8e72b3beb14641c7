/** The master of the store is killed under load while a publisher is at work: what clients notice, and when its snapshot is visible. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from '../../../test/systems/support/redis/cluster.js';
import type { Scope } from '../../../test/support/service/ports.js';
import type { RedisServer } from '../../../test/systems/support/redis/redis-server.js';
import { startSentinels } from '../../../test/systems/support/redis/sentinels.js';
import type { ExpectedSnapshot, PacedRecord } from '../../clients/paced-process.js';
import { figuresOf, longestGapMs, startPaced, type Interval } from '../../clients/paced.js';
import { ask, headerOf } from '../../harness/exchange.js';
import { startService, type Service } from '../../harness/processes.js';
import { snapshotFile, type SnapshotFile } from '../../harness/snapshots.js';
import { now } from '../../harness/visible.js';
import { hotTargets } from '../../measure/targets.js';
import { fixed, whole } from '../../report.js';
import { atMost, inSeconds, none, type Part, type RunPart } from '../faults/part.js';
import { expectedSnapshot } from '../swap.js';
import { inScope, runCommand } from './servers.js';

const PER_SECOND = 5_000;
const VISIBLE_LIMIT_MS = 10_000;
const TIME_LIMIT_MS = 120_000;
const POLL_MS = 20;
/** The quiet time before the master is killed, and the time after the snapshot is visible. */
const REST_MS = 3_000;

/** Servers of which one is the store's master until it is killed. */
interface Group {
  readonly url: string;
  readonly master: RedisServer;
  failover(): Promise<RedisServer>;
}

const TOPOLOGIES = {
  sentinels: async (scope: Scope): Promise<Group> => {
    const group = await startSentinels(scope);
    return { ...group, master: group.servers[0] };
  },
  cluster: async (scope: Scope): Promise<Group> => {
    const cluster = await startCluster(scope);
    return { ...cluster, master: await cluster.masterOf('{demo}') };
  },
} as const satisfies Readonly<Record<string, (scope: Scope) => Promise<Group>>>;

interface Failover {
  readonly topology: string;
  readonly record: PacedRecord;
  /** Epoch milliseconds. */
  readonly killedMs: number;
  readonly failedOverMs: number;
  readonly publishedMs: number;
  readonly visibleMs: number;
  /** Milliseconds, as the service logs them. */
  readonly importMs: number;
}

export const runFailover: RunPart = async ({ options, scale, progress }) => {
  const [shape = '105k'] = options.rows;
  const files: SnapshotFile[] = [];
  for (const version of [1, 2, 3]) files.push(await snapshotFile({ shape, version }, progress));
  const found: Failover[] = [];
  for (const [topology, startGroup] of Object.entries(TOPOLOGIES)) {
    const restMs = REST_MS * scale;
    const own = (line: string): void => {
      progress(`${topology}: ${line}`);
    };
    const order = { topology, startGroup, files, connections: options.connections, restMs };
    found.push(await inScope((scope) => failOver(scope, order, own)));
  }
  return partOf(shape, found);
};

interface Order {
  readonly topology: string;
  readonly startGroup: (scope: Scope) => Promise<Group>;
  readonly files: readonly SnapshotFile[];
  readonly connections: number;
  readonly restMs: number;
}

async function failOver(
  scope: Scope,
  { topology, startGroup, files, connections, restMs }: Order,
  progress: (line: string) => void,
): Promise<Failover> {
  const [first, next, between] = files;
  if (first === undefined || next === undefined || between === undefined) throw new Error('three');
  progress('starting the servers');
  const group = await startGroup(scope);
  const directory = await mkdtemp(join(tmpdir(), 'bura-bench-'));
  scope.teardown(() => rm(directory, { recursive: true, force: true }));
  const environment = { SNAPSHOT_STORE: group.url, LOCAL_DIR: join(directory, 'local') };
  const publish = (file: SnapshotFile): Promise<unknown> =>
    runCommand(['publish', file.path], environment);
  await publish(next);
  const service = await startService(environment);
  scope.teardown(() => service.stop());
  const targets = await hotTargets(service.port);
  const expected: ExpectedSnapshot[] = [];
  // The copy of the next one is the third newest in the end, and is gone: it will have to be imported.
  for (const file of [next, between, first]) {
    progress(`publishing ${file.snapshotId}`);
    await publish(file);
    await visibleAtMs(service, file);
    expected.push(await expectedSnapshot(service.port, targets, file.snapshotId));
  }
  await runCommand(['prune', '--keep', '1'], environment);

  const run = startPaced({
    server: service.port,
    targets,
    expected,
    connections,
    perSecond: PER_SECOND,
  });
  await delay(restMs);
  progress('killing the master');
  const failedOver = group.failover().then(now);
  const killedMs = now();
  await group.master.kill();
  const published = publish(next).then(now);
  const [failedOverMs, publishedMs, visibleMs] = await Promise.all([
    failedOver,
    published,
    visibleAtMs(service, next),
  ]);
  await delay(restMs);
  const record = await run.stop();
  const importMs = importMsOf(service, next);
  return { topology, record, killedMs, failedOverMs, publishedMs, visibleMs, importMs };
}

/** `import_ms` of the newest log line that says that the snapshot is served. */
function importMsOf(service: Service, { snapshotId }: SnapshotFile): number {
  const lines = service.log().split('\n');
  const line = lines.findLast(
    (one) => one.includes('"msg":"activated"') && one.includes(`"${snapshotId}"`),
  );
  return Number(/"import_ms":(\d+)/.exec(line ?? '')?.[1] ?? NaN);
}

/** When the service first answers from a snapshot, in epoch milliseconds; asked for every 20 ms. */
async function visibleAtMs(service: Service, { snapshotId }: SnapshotFile): Promise<number> {
  const deadlineMs = now() + TIME_LIMIT_MS;
  while (now() < deadlineMs) {
    const answer = await ask(service.port, { path: '/meta', headers: {} });
    if (headerOf(answer, 'x-snapshot-id') === snapshotId) return now();
    await delay(POLL_MS);
  }
  throw new Error(`${snapshotId} was not visible within 120 s:\n${service.log()}`);
}

function partOf(shape: string, found: readonly Failover[]): Part {
  const seconds = (ms: number): string => fixed(ms / 1000, 2);
  const all = { fromMs: 0, toMs: Infinity } satisfies Interval;
  return {
    tables: [
      {
        title: `Master killed, ${whole(PER_SECOND)} requests a second, ${shape} rows`,
        columns: [
          'servers',
          'answers',
          'failed',
          'mixed',
          'p99 ms',
          'longest gap ms',
          'failover s',
          'publish s',
          'import s',
          'visible s',
          'after failover s',
        ],
        rows: found.map((one) => [
          one.topology,
          whole(one.record.startedMs.length),
          whole(one.record.failures.count),
          whole(one.record.mixed.count),
          fixed(figuresOf(one.record, [all]).p99Ms, 2),
          fixed(longestGapMs(one.record, all), 1),
          seconds(one.failedOverMs - one.killedMs),
          seconds(one.publishedMs - one.killedMs),
          seconds(one.importMs),
          seconds(one.visibleMs - one.killedMs),
          seconds(one.visibleMs - one.failedOverMs),
        ]),
      },
    ],
    criteria: found.flatMap(({ topology, record, visibleMs, failedOverMs }) => [
      none(`${topology}: failed requests`, record.failures.count, whole(record.startedMs.length)),
      none(
        `${topology}: answers not wholly of one snapshot`,
        record.mixed.count,
        whole(record.startedMs.length),
      ),
      atMost(
        `${topology}: next publish visible after the failover`,
        VISIBLE_LIMIT_MS / 1000,
        (visibleMs - failedOverMs) / 1000,
        inSeconds,
      ),
    ]),
    notes: [
      'Times are from the kill, but for the import’s own. The publisher is started with it, and the snapshot is neither in the store nor in the service: visible is after its import.',
      ...found.flatMap(({ topology, record }) =>
        [...record.failures.first, ...record.mixed.first].map((what) => `${topology}: ${what}`),
      ),
    ],
    figures: found.map(({ record, ...times }) => ({
      ...times,
      ...figuresOf(record, [all]),
      mixed: record.mixed.count,
      longestGapMs: longestGapMs(record, all),
    })),
  };
}
