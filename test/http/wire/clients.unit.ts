/** Amounts that a client acquires together: all of them or nothing, and what is released is there again. */
import fc from 'fast-check';
import t from 'tap';
import { acquireAll, ClientQuotas } from '../../../src/http/wire/clients.js';
import { scaled } from '../../support/faults/chance.js';

const CLIENTS = ['a', 'b', 'c'];
const amounts = fc.tuple(fc.nat(3), fc.nat(6), fc.nat(9));
const step = fc.record({ client: fc.constantFrom(...CLIENTS), amounts, isReleased: fc.boolean() });

void t.test('what is refused takes nothing, and all can be had again in the end', async (t) => {
  const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const quotas = [4, 8, 16].map((max) => new ClientQuotas(max));
    const taken = () => quotas.map((one) => one.taken);
    const held: { readonly amounts: readonly number[]; readonly release: () => void }[] = [];
    for (const { client, amounts: wanted, isReleased } of steps) {
      if (isReleased) held.shift()?.release();
      const pairs = quotas.map((one, at) => [one, wanted[at] ?? 0] as const);
      const release = acquireAll(client, pairs);
      if (release !== undefined) held.push({ amounts: wanted, release });
      const sums = quotas.map((_, at) =>
        held.reduce((sum, one) => sum + (one.amounts[at] ?? 0), 0),
      );
      if (String(taken()) !== String(sums)) return false;
    }
    for (const { release } of held) release();
    return taken().every((one) => one === 0);
  });
  t.doesNotThrow(() => {
    fc.assert(property, { numRuns: scaled(500) });
  });
});
