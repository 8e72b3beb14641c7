/** Random choices by a seed. */
import { randomNumbers } from '../support/documents/random.js';

export class Chance {
  /** In [0, 1). */
  readonly number: () => number;

  constructor(seed: number) {
    this.number = randomNumbers(seed);
  }

  /** A whole number from `least` to `most`. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.number() * (most - least + 1));
  }

  is(share: number): boolean {
    return this.number() < share;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.integer(0, list.length - 1)];
    if (picked === undefined) throw new RangeError('no element to pick');
    return picked;
  }

  /** A part of a list in random order, with at least one element if the list has one. */
  some<T>(list: readonly T[], most = list.length): readonly T[] {
    return this.shuffled(list).slice(0, this.integer(1, Math.max(1, Math.min(most, list.length))));
  }

  shuffled<T>(list: readonly T[]): readonly T[] {
    const keys = new Map(list.map((one) => [one, this.number()]));
    return list.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
  }
}
