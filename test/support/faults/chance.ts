/**
 * Settings of tests of random faults from the environment: a seed, so that a run can be repeated, and the number of
 * faults.
 */
import type { Test } from 'tap';
import { randomNumbers } from '../documents/random.js';

/** Says the seed of a test, which is `BURA_TEST_SEED` where that is given. */
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

/** Chance that begins with the seed of a test. */
export function chanceOf(t: Test): Chance {
  const number = randomNumbers(seedOf(t));
  const integer = (below: number): number => Math.floor(number() * below);
  return { number, integer, oneOf: (list) => list[integer(list.length)] ?? list[0] };
}

/** A count of the suite, times `FAULTS_SCALE` where that is given. */
export function scaled(count: number): number {
  return Math.ceil(count * Number(process.env['FAULTS_SCALE'] ?? 1));
}

/** A count below which a test would not say enough: `FAULTS_SCALE` only raises it. */
export function atLeast(count: number): number {
  return Math.max(count, scaled(count));
}
