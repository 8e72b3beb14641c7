/** `npm run bench:check`, as a command over results and baselines in files. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { BenchResult } from '../../bench/report.js';
import { benchResult } from '../support/bench-result.js';
import { spawnPlain } from '../support/service/plain-node.js';

const CHECK = fileURLToPath(new URL('../../bench/check.js', import.meta.url));

interface Ended {
  readonly code: number;
  readonly out: string;
}

async function check(...flags: readonly string[]): Promise<Ended> {
  const child = spawnPlain([process.execPath, CHECK, ...flags], {});
  const [stdout, stderr] = await Promise.all([
    child.stdout && text(child.stdout),
    child.stderr && text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode ?? NaN, out: `${stdout}${stderr}` };
}

/** A folder with a result and a baseline that was accepted from another one. */
async function files(
  t: Test,
  { is, was }: { readonly is: BenchResult; readonly was: BenchResult },
): Promise<readonly string[]> {
  const folder = t.testdir({ 'is.json': JSON.stringify(is), 'was.json': JSON.stringify(was) });
  const flags = (name: string): readonly string[] => [
    '--result',
    join(folder, name),
    '--baseline',
    join(folder, 'baseline.json'),
  ];
  const { code } = await check(...flags('was.json'), '--accept');
  t.equal(code, 0, 'is accepted');
  return flags('is.json');
}

void t.test('passes while every ratio is at least 0.85 of the baseline', async (t) => {
  const was = benchResult({ fresh: { day: 2, month: 10 } });
  const is = benchResult({ fresh: { day: 1.71, month: 12 } });
  const { code, out } = await check(...(await files(t, { is, was })));
  t.equal(code, 0, out);
  t.match(out, /2 ratios, none below 0\.85/);
});

void t.test('fails below it, and names the rows and no others', async (t) => {
  const was = benchResult({ fresh: { day: 2, month: 10 }, streams: { plain: 1.2 } });
  const is = benchResult({ fresh: { day: 1.69, month: 12 }, streams: { plain: 1 } });
  const { code, out } = await check(...(await files(t, { is, was })));
  t.equal(code, 1);
  t.match(out, /fresh: day +2\.00 +1\.69/);
  t.match(out, /streams: plain +1\.20 +1\.00/);
  t.notMatch(out, 'month');
});

void t.test('fails where a suite that was run has not measured a ratio', async (t) => {
  const was = benchResult({ fresh: { day: 2 }, streams: { plain: 1.2 } });
  const is = { ...was, suites: was.suites.filter(({ suite }) => suite === 'fresh') };
  const { code, out } = await check(...(await files(t, { is, was })));
  t.equal(code, 1);
  t.match(out, /streams: plain +1\.20 +-/);
});

void t.test('does not look at suites that were not run, unless none is left', async (t) => {
  const was = benchResult({ fresh: { day: 2 }, streams: { plain: 1.2 } });
  const fewer = await check(...(await files(t, { is: benchResult({ fresh: { day: 2 } }), was })));
  t.equal(fewer.code, 0, fewer.out);
  const none = await check(...(await files(t, { is: benchResult({ filters: { one: 1 } }), was })));
  t.equal(none.code, 1);
  t.match(none.out, 'nothing to compare');
});

void t.test('accepts the suites that were run, and keeps the others', async (t) => {
  const was = benchResult({ fresh: { day: 2 }, streams: { plain: 1.2 } });
  const flags = await files(t, { is: benchResult({ fresh: { day: 3 } }), was });
  t.equal((await check(...flags, '--accept')).code, 0);
  const { ratios } = JSON.parse(await readFile(flags[3] ?? '', 'utf8')) as { ratios: unknown };
  t.strictSame(ratios, { fresh: { day: 3 }, streams: { plain: 1.2 } });
});

void t.test('refuses another size of snapshots, and a result that is none', async (t) => {
  const was = benchResult({ fresh: { day: 2 } });
  const is = { ...was, options: { ...was.options, rows: ['450k'] as const } };
  const flags = await files(t, { is, was });
  const { code, out } = await check(...flags);
  t.equal(code, 1);
  t.match(out, 'a snapshot of 450k rows');
  await writeFile(flags[1] ?? '', '{');
  t.not((await check(...flags)).code, 0);
});

void t.test(
  'has no verdict where the machine was not quiet, and accepts nothing then',
  async (t) => {
    const was = benchResult({ fresh: { day: 2 } });
    const suites = was.suites.map((suite) => ({ ...suite, isQuiet: false, othersBusy: 0.5 }));
    const flags = await files(t, { is: { ...was, suites }, was });
    for (const more of [[], ['--accept']]) {
      const { code, out } = await check(...flags, ...more);
      t.equal(code, 2, out);
      t.match(out, 'no verdict: fresh: Other processes kept 0.50 cores busy');
    }
  },
);
