/** Random faults: their seed and their number, both from the environment. */
import type { Test } from 'tap';
import { randomNumbers } from '../documents/random.js';

/** The seed of a test, which is printed: `BURA_TEST_SEED`, or else a random one. */
export function seedOf(t: Test): number {
  const seed = Number(process.env['BURA_TEST_SEED'] ?? Date.now() % 1_000_000);
  t.comment(`BURA_TEST_SEED=${seed}`);
  return seed;
}

export interface Chance {
  /** In [0, 1). */
  readonly number: () => number;
  /** In [0, below). */
  readonly integer: (below: number) => number;
  readonly oneOf: <T>(list: readonly [T, ...T[]]) => T;
}

export function chanceOf(t: Test): Chance {
  const number = randomNumbers(seedOf(t));
  const integer = (below: number): number => Math.floor(number() * below);
  return { number, integer, oneOf: (list) => list[integer(list.length)] ?? list[0] };
}

export function scaled(count: number): number {
  return Math.ceil(count * Number(process.env['FAULTS_SCALE'] ?? 1));
}

/** A count that `FAULTS_SCALE` can raise, but not lower. */
export function atLeast(count: number): number {
  return Math.max(count, scaled(count));
}
