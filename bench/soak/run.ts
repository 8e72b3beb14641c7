/** `npm run bench:soak`: is every answer right under mixed load and swaps, and with `--chaos` while things break? */
import { Command, Option } from 'commander';
import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeMachine } from '../harness/system.js';
import { versions } from '../harness/versions.js';
import { createProgress, positive, SIZES, type Size } from '../options.js';
import { renderTable, whole } from '../report.js';
import { runChaos, type ChaosOptions, type ChaosResult } from './chaos.js';
import { FAULTS } from './faults.js';

type Flags = Pick<ChaosOptions, 'connections' | 'documents' | 'fronts' | 'atOnce' | 'seed'> & {
  readonly minutes: number;
  readonly rows: Size | 'soak';
  readonly chaos: boolean;
  readonly fault: readonly string[];
  readonly out?: string;
};

const FAULT_NAMES = FAULTS.map(({ name }) => name);

const { minutes, rows, chaos, ...flags } = new Command('bench:soak')
  .description('Checks every answer of a busy service against an oracle; see bench/README.md.')
  .option('--minutes <n>', 'how long', positive, 20)
  .option('--connections <n>', 'of the client, each with one request at a time', positive, 32)
  .option('--documents <n>', 'different snapshots', positive, 8)
  .addOption(
    new Option('--rows <size>', 'rows of a snapshot').choices(['soak', ...SIZES]).default('soak'),
  )
  .option('--seed <n>', 'of the requests', positive, randomInt(1, 2 ** 31))
  .option('--chaos', 'kill, stop and take away', false)
  .option('--fronts <n>', 'front processes', positive, 2)
  .option('--at-once <n>', 'with --chaos: faults at the same time', positive, 1)
  .addOption(
    new Option('--fault <names...>', 'with --chaos: only these')
      .choices(FAULT_NAMES)
      .default(FAULT_NAMES, 'all'),
  )
  .option('--out <file>', 'where the result is written as JSON; default: in bench/results')
  .parse()
  .opts<Flags>();

console.log(`seed ${flags.seed}`);
const faults = chaos ? flags.fault : [];
const options = { ...flags, faults, shape: rows, seconds: minutes * 60 };
const result = await runChaos({ ...options, progress: createProgress() });
console.log(render(result));
const out = flags.out ?? `bench/results/${chaos ? 'chaos' : 'soak'}.json`;
await mkdir(path.dirname(out), { recursive: true });
const about = { machine: describeMachine(), versions: await versions(), options };
await writeFile(out, `${JSON.stringify({ ...about, ...result }, undefined, 1)}\n`);
console.log(`\nWritten to ${out}`);
if (result.broken.length > 0) process.exitCode = 1;

/** The result as text: the tables, what did not hold, the first wrong and failed answers, and a line that sums up. */
function render({ counts, byFault, newestAfterMs, broken, ...moved }: ChaosResult): string {
  const { wrong, failed } = counts;
  const made = Object.values(byFault).reduce((sum, fault) => sum + fault.made, 0);
  const awayMs = Math.max(...Object.values(byFault).map(({ longestAwayMs }) => longestAwayMs));
  const newest = newestAfterMs === undefined ? 'never' : `after ${whole(newestAfterMs)} ms`;
  const tables = [
    {
      title: 'Answers',
      columns: ['', 'found'],
      rows: [
        ['checked', `${whole(counts.answers)}, ${whole(counts.computed)} by the oracle`],
        ['bodies', `${whole(counts.bodyBytes / 1e6)} MB`],
        ['not modified (304)', whole(counts.notModified)],
        ['503', whole(counts.refused)],
        ['500, lost with a thread', whole(counts.lost)],
        ['connections refused, broken off', `${counts.portClosed}, ${counts.broken}`],
        ['snapshots that followed each other', whole(counts.swaps)],
        ['pointer moved, refused', `${moved.moves}, ${moved.refusedMoves}`],
        ['snapshots removed', whole(moved.removed)],
      ],
    },
    {
      title: 'Faults, and the longest time without a 200 of /meta while each was there',
      columns: ['', 'made', 'nothing to break', 'away, ms'],
      rows: Object.entries(byFault).map(([name, fault]) => [
        name,
        ...[fault.made, fault.idle, fault.longestAwayMs].map(whole),
      ]),
    },
  ];
  return [
    ...tables.map(renderTable),
    ...broken.map((what) => `  · broken: ${what}`),
    ...wrong.first.map((what) => `  · wrong: ${what}`),
    ...failed.first.map((what) => `  · failed: ${what}`),
    `${broken.length === 0 ? 'good' : 'broken'}: ${made} faults, ${whole(counts.answers)} answers, ` +
      `${whole(wrong.count)} wrong, ${whole(failed.count)} failed, ` +
      `away for ${whole(awayMs)} ms at most, the newest snapshot ${newest}`,
  ].join('\n\n');
}
