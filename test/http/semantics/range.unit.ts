/** Byte ranges of any text and size, and the order of conditions. */
import fc from 'fast-check';
import t from 'tap';
import { outcomeOf, type FileRequest } from '../../../src/http/semantics/range.js';

const DATE_MS = Date.UTC(2026, 8, 10);
const validators = { entityTag: '"tag"', lastModified: DATE_MS };
const NOTHING: FileRequest = {
  ifMatch: '',
  ifNoneMatch: '',
  ifModifiedSince: '',
  ifRange: '',
  range: '',
};

void t.test('is whole without a range, and a part of the file for any text of one', async (t) => {
  t.strictSame(outcomeOf(NOTHING, { validators, sizeBytes: 5 }), { kind: 'whole' });
  const text = fc.oneof(
    fc
      .string({ unit: fc.constantFrom(...Array.from('0123456789-,= ')) })
      .map((rest) => `bytes=${rest}`),
    fc.tuple(fc.nat(40), fc.nat(40)).map(([first, last]) => `bytes=${first}-${last}`),
    fc.bigInt({ min: 0n }).map((first) => `bytes=${first}-`),
    fc.bigInt({ min: 0n }).map((last) => `bytes=-${last}`),
    fc.string(),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (range, sizeBytes) => {
      const outcome = outcomeOf({ ...NOTHING, range }, { validators, sizeBytes });
      if (outcome.kind !== 'part') return ['whole', 'unsatisfiable'].includes(outcome.kind);
      const { offset, length } = outcome;
      return Number.isInteger(offset) && offset >= 0 && length > 0 && offset + length <= sizeBytes;
    }),
    { numRuns: 2000 },
  );
});

void t.test('takes no range of an empty file', async (t) => {
  for (const range of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) {
    const outcome = outcomeOf({ ...NOTHING, range }, { validators, sizeBytes: 0 });
    t.strictSame(outcome, { kind: 'unsatisfiable' }, range);
  }
});
