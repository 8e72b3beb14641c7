/** The store of a million rows: what publishing it costs the publisher and the server, and what `bura prune` gives back. */
import { startRedis, type RedisServer } from '../../../test/systems/support/redis/redis-server.js';
import { snapshotFile } from '../../harness/snapshots.js';
import { atMost, inSeconds, type Part, type RunPart } from '../faults/part.js';
import { fixed, whole } from '../../report.js';
import { inScope, runCommand, type CommandRun } from './servers.js';

const SHAPE = '1050k';
const ROWS = 1_047_760;
const PEAK_LIMIT_MB = 300;
/** What is there again after a prune may differ by so much: buffers of connections, tables that have grown. */
const SLACK_MB = 2;

interface Figures {
  readonly emptyMb: number;
  /** With one snapshot, then with a second one, then after that one is the only one. */
  readonly firstMb: number;
  readonly secondMb: number;
  readonly prunedMb: number;
  /** The server's own peak. */
  readonly serverPeakMb: number;
  readonly first: CommandRun;
  readonly second: CommandRun;
  readonly prune: CommandRun;
}

export const runMemory: RunPart = async ({ progress }) => {
  const files = [];
  for (const version of [1, 2]) files.push(await snapshotFile({ shape: SHAPE, version }, progress));
  const [older = '', newer = ''] = files.map(({ path }) => path);
  return await inScope(async (scope) => {
    const redis = await startRedis(scope, { isPersistent: false, maxmemory: '1gb' });
    const environment = { SNAPSHOT_STORE: redis.url };
    const emptyMb = await usedMb(redis);
    progress(`publishing ${whole(ROWS)} rows`);
    const first = await runCommand(['publish', older], environment);
    const firstMb = await usedMb(redis);
    progress(`publishing ${whole(ROWS)} rows beside them`);
    const second = await runCommand(['publish', newer], environment);
    const secondMb = await usedMb(redis);
    progress('pruning');
    const prune = await runCommand(['prune', '--keep', '1'], environment);
    const prunedMb = await usedMb(redis);
    const serverPeakMb = await usedMb(redis, 'used_memory_peak');
    const commands = { first, second, prune };
    return partOf({ emptyMb, firstMb, secondMb, prunedMb, serverPeakMb, ...commands });
  });
};

/** In MB (10^6 bytes). */
async function usedMb(redis: RedisServer, name = 'used_memory'): Promise<number> {
  return Number((await redis.info(name)) ?? NaN) / 1e6;
}

function partOf(figures: Figures): Part {
  const { emptyMb, firstMb, secondMb, prunedMb, serverPeakMb, first, second, prune } = figures;
  const row = (name: string, usedMemoryMb: number, run?: CommandRun): readonly string[] => [
    name,
    fixed(usedMemoryMb, 1),
    run === undefined ? '-' : fixed(run.tookMs / 1000, 2),
    run === undefined ? '-' : whole(run.peakMb),
  ];
  const inMb = (value: number): string => `${value.toFixed(1)} MB`;
  return {
    tables: [
      {
        title: `Snapshots of ${whole(ROWS)} rows`,
        columns: ['after', 'used_memory MB', 'command s', 'peak RSS MB'],
        rows: [
          row('an empty server', emptyMb),
          row('the first publish', firstMb, first),
          row('the second publish', secondMb, second),
          row('prune --keep 1', prunedMb, prune),
        ],
      },
    ],
    criteria: [
      {
        promise: `publisher of ${whole(ROWS)} rows, peak RSS`,
        wanted: `under ${PEAK_LIMIT_MB} MB`,
        found: inMb(Math.max(first.peakMb, second.peakMb)),
        met: Math.max(first.peakMb, second.peakMb) < PEAK_LIMIT_MB,
      },
      atMost('used_memory after prune', firstMb + SLACK_MB, prunedMb, inMb),
    ],
    notes: [
      `The server's own peak was ${inMb(serverPeakMb)}; the longest publish took ${inSeconds(Math.max(first.tookMs, second.tookMs) / 1000)}.`,
    ],
    figures,
  };
}
