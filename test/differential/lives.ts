/** Random requests and random lives of snapshots, and the cases that were wrong once. */
import type { Test } from 'tap';
import { keepCase, keptCases, shrunk } from './cases.js';
import { Chance } from './chance.js';
import { live, makeLife, type Life } from './life.js';
import { fuzzRequests, Session, type Case } from './session.js';

const SHRINK_MS = 60_000;

/** Share of the time for requests; the rest is for lives of snapshots. */
const REQUESTS = 0.8;

/** Asks random requests, then lives random lives of snapshots; each difference is kept as a case, and fails the test. */
export async function fuzzAll(
  t: Test,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Promise<void> {
  await fuzzRequests(t, { seed, seconds: seconds * REQUESTS });
  const chance = new Chance(seed);
  const endMs = performance.now() + seconds * (1 - REQUESTS) * 1000;
  let lives = 0;
  do {
    const life = makeLife(chance);
    lives += 1;
    const wrong = await live(t, life);
    if (wrong === undefined) continue;
    t.fail(`${await keepCase(`life-${seed}-${lives}`, await smaller(t, life))}: ${wrong}`);
    break;
  } while (performance.now() < endMs);
  t.comment(`${lives} lives of snapshots`);
}

async function smaller(t: Test, life: Life): Promise<Life> {
  const isWrong = async (operations: Life['operations']): Promise<boolean> =>
    (await live(t, { ...life, operations })) !== undefined;
  return { ...life, operations: await shrunk(life.operations, isWrong, SHRINK_MS) };
}

/** Tries the kept cases. @returns those that are wrong again. */
export async function tryAgain(t: Test): Promise<readonly string[]> {
  const wrong: string[] = [];
  const sessions = new Map<string, Session>();
  const askAgain = async ({ timeZone, earlier, network, asked }: Case) => {
    const session = sessions.get(timeZone) ?? (await Session.open(t, { timeZone }));
    sessions.set(timeZone, session);
    await session.publish(earlier, network);
    return await session.ask(asked);
  };
  for (const [name, value] of await keptCases()) {
    const kept = value as Case | Life;
    const problem = 'operations' in kept ? await live(t, kept) : await askAgain(kept);
    if (problem !== undefined) wrong.push(`${name}: ${problem}`);
  }
  for (const { service } of sessions.values()) await service.stop();
  return wrong;
}
