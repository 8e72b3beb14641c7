/** Random lives of snapshots, and those that were wrong once. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { Chance } from './chance.js';
import { live, makeLife, type Life } from './life.js';
import { fuzzRequests } from './session.js';

const CASES = 'test/differential/cases/lives';
const SHRINK_MS = 60_000;

/** Lives until the time is over, at least once. @returns what was wrong, and the files that keep it. */
async function fuzzLives(
  t: Test,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<readonly string[]> {
  const chance = new Chance(seed);
  const endMs = performance.now() + seconds * 1000;
  const failures: string[] = [];
  let lives = 0;
  while (lives === 0 || (performance.now() < endMs && failures.length === 0)) {
    const life = makeLife(chance);
    lives += 1;
    const wrong = await live(t, life);
    if (wrong !== undefined)
      failures.push(await keep(t, { life, wrong, name: `${seed}-${lives}` }));
  }
  t.comment(`${lives} lives of snapshots`);
  return failures;
}

/** Share of the time for requests; the rest is for lives of snapshots. */
const REQUESTS = 0.8;

/** Asks random requests, then lives random lives of snapshots; each difference is kept as a case, and fails the test. */
export async function fuzzAll(
  t: Test,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<void> {
  await fuzzRequests(t, { seed, seconds: seconds * REQUESTS });
  t.same(await fuzzLives(t, { seed, seconds: seconds * (1 - REQUESTS) }), []);
}

/** Lives through the kept cases. @returns those that are wrong again. */
export async function liveAgain(t: Test): Promise<readonly string[]> {
  const names = await readdir(CASES).catch(() => []);
  const wrong: string[] = [];
  for (const name of names) {
    const problem = await live(t, JSON.parse(await readFile(join(CASES, name), 'utf8')) as Life);
    if (problem !== undefined) wrong.push(`${name}: ${problem}`);
  }
  return wrong;
}

interface Failed {
  readonly life: Life;
  readonly wrong: string;
  readonly name: string;
}

/** Leaves operations out as long as something stays wrong, and writes the rest. */
async function keep(t: Test, { life, wrong, name }: Failed): Promise<string> {
  let [small, text] = [life, wrong];
  const endMs = performance.now() + SHRINK_MS;
  for (let at = life.operations.length - 1; at >= 0 && performance.now() < endMs; at -= 1) {
    const operations = small.operations.toSpliced(at, 1);
    const problem = await live(t, { ...small, operations });
    if (problem !== undefined) [small, text] = [{ ...small, operations }, problem];
  }
  const file = join(CASES, `${name}.json`);
  await mkdir(CASES, { recursive: true });
  await writeFile(file, `${JSON.stringify(small, undefined, 1)}\n`);
  return `${file}: ${text}`;
}
