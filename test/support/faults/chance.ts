/** Random faults with a seed, so that a run can be repeated, and their number, both from the environment. */
import type { Test } from 'tap';
import { randomNumbers } from '../documents/random.js';

/** Prints the seed of a test, by default random: `BURA_TEST_SEED`. */
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

/** Random choices from the seed of a test. */
export function chanceOf(t: Test): Chance {
  const number = randomNumbers(seedOf(t));
  const integer = (below: number): number => Math.floor(number() * below);
  return { number, integer, oneOf: (list) => list[integer(list.length)] ?? list[0] };
}

/** A count times `FAULTS_SCALE`. */
export function scaled(count: number): number {
  return Math.ceil(count * Number(process.env['FAULTS_SCALE'] ?? 1));
}

/** A minimal count, which `FAULTS_SCALE` can only raise. */
export function atLeast(count: number): number {
  return Math.max(count, scaled(count));
}
