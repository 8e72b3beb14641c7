/** Compares answers that need no store before and during a hang of an instance's store. */
import type { Test } from 'tap';
import { Connection, fieldOf } from '../support/service/connection.js';
import type { Service } from '../support/service/service.js';
import { scaled } from '../support/faults/chance.js';

/** Duration of the hang; with `FAULTS_SCALE=300`, ten minutes. */
const HUNG_MS = 2000;

/** Targets of cheap answers, and of short and long answers of worker threads; `at` makes each of the latter new. */
const TARGETS: readonly ((at: string) => string)[] = [
  () => '/meta',
  () => '/health/live',
  (at) => `/?q=${at}`,
  (at) => `/portal/chart.svg?station_id=1&component_id=1&width=${400 + (Number(at) % 1000)}`,
  (at) => `/api/v1/stations?bbox=-180,-90,180,89.${at}`,
  (at) => `/api/v1/observations?from=2000-01-01T00:00:00Z&bbox=-180,-90,180,89.${at}`,
  (at) => `/api/v1/observations.csv?layout=wide&bbox=-180,-90,180,89.${at}`,
  (at) => `/api/v1/changes?since=first&bbox=-180,-90,180,89.${at}`,
];

/** Index of the first target in `TARGETS` that lists records. */
const FIRST_LIST = 4;

interface Answer {
  readonly status: number;
  readonly length: number;
  readonly snapshotId: string | undefined;
}

/**
 * Repeats all requests while the store hangs, and compares the answers with those before.
 *
 * @param hang makes the store hang; resolves when the service has noticed.
 */
export async function answersWhileHung(
  t: Test,
  service: Service,
  hang: () => Promise<void>,
): Promise<void> {
  let round = 0;
  const tookMs = new Map<number, number[]>();
  const askAll = async (): Promise<readonly Answer[]> => {
    const connection = await Connection.open(service.port, '127.0.0.1');
    const answers: Answer[] = [];
    round += 1;
    for (const [index, targetOf] of TARGETS.entries()) {
      const startedAt = performance.now();
      const fields = { 'Accept-Encoding': 'gzip' };
      const answer = await connection.ask({ target: targetOf(String(1000 + round)), fields });
      tookMs.set(index, [...(tookMs.get(index) ?? []), performance.now() - startedAt]);
      // Lengths of lists do not depend on `at`, but pages and pictures contain it.
      const length = index < FIRST_LIST ? 0 : answer.body.byteLength;
      answers.push({ status: answer.status, length, snapshotId: fieldOf(answer, 'x-snapshot-id') });
    }
    connection.close();
    return answers;
  };
  const figures = (): string => {
    const all = [...tookMs].map(([index, took]) => {
      const sorted = took.toSorted((a, b) => a - b);
      const [median, highest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
      return `${TARGETS[index]?.('N') ?? ''}: ${median?.toFixed(1)} ms, at most ${highest?.toFixed(1)} (${took.length})`;
    });
    tookMs.clear();
    return all.join('; ');
  };
  const before = await askAll();
  for (let at = 0; at < 4; at += 1) await askAll();
  t.comment(`before: ${figures()}`);
  t.ok(before.every(({ status }) => status === 200));
  await hang();
  const until = performance.now() + scaled(HUNG_MS);
  let wrong = 0;
  do {
    const now = await askAll();
    if (JSON.stringify(now) === JSON.stringify(before)) continue;
    wrong += 1;
    if (wrong === 1) t.same(now, before);
  } while (performance.now() < until);
  t.comment(`while it hangs: ${figures()}`);
  t.equal(wrong, 0, `of ${round} rounds`);
}
