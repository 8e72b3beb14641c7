/** Figure 9: ten times as many exports as the service can make; who is answered, who is refused, who else notices? */
import { setTimeout as delay } from 'node:timers/promises';
import { figuresOf, startPaced, type Interval } from '../../clients/paced.js';
import { ask, type Target } from '../../harness/exchange.js';
import { openSetup } from '../../harness/setup.js';
import { now, swapTo } from '../../harness/visible.js';
import { spreadOf } from '../../measure/statistics.js';
import { exportPaths, readNetwork } from '../../measure/targets.js';
import { fixed, whole } from '../../report.js';
import { ATTACKER } from '../../harness/addresses.js';
import { intervalOf, startBystander } from './bystander.js';
import { atMost, none, times, type RunPart } from './part.js';

const TIMES = 10;
const CONNECTIONS = 1_000;
const MEASURED = 200;
const AT_A_TIME = 16;
const ROUNDS = 3;
const QUIET_MS = 4_000;
/** What was due when the load ended may still be answered; then it counts as neither answered nor refused. */
const AFTER_MS = 2_000;

interface Round {
  readonly offered: number;
  readonly answered: number;
  readonly busy: number;
  readonly neither: number;
  readonly first: readonly string[];
}

export const runOverload: RunPart = async ({ options, scale, progress }) => {
  const [shape = '105k'] = options.rows;
  const versions = [1, 2].map((version) => ({ shape, version }));
  const setup = await openSetup({ snapshots: versions, progress });
  const { service } = setup;
  try {
    const { series } = await readNetwork(service.port);
    const targets: readonly Target[] = ['xlsx', 'ods'].flatMap((format) =>
      exportPaths(series, format === 'xlsx' ? 'xlsx' : 'ods').map((path) => ({
        path,
        headers: {},
      })),
    );
    const meta = startBystander(service.port);
    await delay(500);
    const quiet = await intervalOf(delay(QUIET_MS * scale));
    progress('capacity');
    const perSecond = await capacity(service.port, targets.slice(0, MEASURED));
    const rounds: Round[] = [];
    const busy: Interval[] = [];
    for (let at = 0; at < Math.max(1, Math.round(ROUNDS * scale)); at += 1) {
      // Nothing that was made before is of use.
      await swapTo(setup, setup.snapshots[(at + 1) % 2]?.snapshotId ?? '');
      progress(`${whole(TIMES * perSecond)} exports a second`);
      const run = startPaced({
        server: service.port,
        targets,
        expected: [],
        connections: CONNECTIONS,
        perSecond: TIMES * perSecond,
        from: ATTACKER,
      });
      // Until each was asked for once: after that, answers come from memory.
      busy.push(await intervalOf(delay((1000 * targets.length) / (TIMES * perSecond))));
      await delay(AFTER_MS);
      const record = await run.stop();
      const answered = record.latencyMs.length;
      const failed = record.failures.count;
      rounds.push({
        offered: answered + failed,
        answered,
        busy: record.busy,
        neither: failed - record.busy,
        first: record.failures.first.filter((what) => !what.startsWith('503')),
      });
      await delay(1_000);
    }
    const record = await meta.stop();
    const calm = figuresOf(record, [quiet]);
    const loaded = figuresOf(record, busy);
    const sum = (value: (round: Round) => number): number =>
      rounds.reduce((total, round) => total + value(round), 0);
    const offered = sum((round) => round.offered);
    const share = (count: number): string => `${fixed((100 * count) / offered, 1)} %`;
    return {
      tables: [
        {
          title: `Exports at ${TIMES} times ${whole(perSecond)} a second, each its own`,
          columns: ['', 'offered', 'answered', '503, Retry-After', 'neither', '/meta p99 ms'],
          rows: [
            ['quiet', '-', '-', '-', '-', fixed(calm.p99Ms, 2)],
            [
              'overload',
              whole(offered),
              share(sum((round) => round.answered)),
              share(sum((round) => round.busy)),
              share(sum((round) => round.neither)),
              fixed(loaded.p99Ms, 2),
            ],
          ],
        },
      ],
      criteria: [
        none(
          '9. neither answered nor refused with Retry-After',
          sum((round) => round.neither),
          whole(offered),
        ),
        none('9. failed /meta meanwhile', loaded.failures, whole(loaded.answers)),
        atMost('9. /meta p99 meanwhile beside quiet', 3, loaded.p99Ms / calm.p99Ms, times),
      ],
      notes: rounds.flatMap(({ first }) => first.map((what) => `neither, for example: ${what}`)),
      figures: { perSecond, rounds, quiet: calm, loaded },
    };
  } finally {
    await setup.close();
  }
};

/** Answers a second in a closed loop. */
async function capacity(port: number, targets: readonly Target[]): Promise<number> {
  const tookMs: number[] = [];
  for (let at = 0; at < targets.length; at += AT_A_TIME) {
    const fromMs = now();
    await Promise.all(targets.slice(at, at + AT_A_TIME).map((target) => ask(port, target)));
    tookMs.push(now() - fromMs);
  }
  // The first ones compile code.
  const warm = tookMs.slice(Math.floor(tookMs.length / 2));
  return (AT_A_TIME * 1000) / spreadOf(warm).median;
}
