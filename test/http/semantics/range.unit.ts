/** Byte ranges of any text and size, and the order of conditions. */
import fc from 'fast-check';
import t from 'tap';
import { outcomeOf, type FileRequest } from '../../../src/http/semantics/range.js';
import { httpDate } from '../../../src/http/semantics/representation.js';

const DATE_MS = Date.UTC(2026, 8, 10);
const validators = { entityTag: '"tag"', lastModified: { ms: DATE_MS, isAmbiguous: false } };
const NOTHING: FileRequest = {
  ifMatch: '',
  ifNoneMatch: '',
  ifModifiedSince: '',
  ifRange: '',
  range: '',
};

void t.test('is whole without a range, and a part of the file for any text of one', (t) => {
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
  t.end();
});

void t.test('takes no range of an empty file', (t) => {
  for (const range of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) {
    const outcome = outcomeOf({ ...NOTHING, range }, { validators, sizeBytes: 0 });
    t.strictSame(outcome, { kind: 'unsatisfiable' }, range);
  }
  t.end();
});

void t.test('looks at If-Match first, then at what the client has, then at If-Range', (t) => {
  const all = { ifMatch: '"tag"', ifNoneMatch: '"tag"', ifRange: '"tag"', range: 'bytes=1-2' };
  const kindOf = (fields: Partial<FileRequest>): string =>
    outcomeOf({ ...NOTHING, ...fields }, { validators, sizeBytes: 5 }).kind;
  t.equal(kindOf({ ...all, ifMatch: '"other"' }), 'precondition_failed');
  t.equal(kindOf(all), 'not_modified');
  t.equal(kindOf({ ...all, ifNoneMatch: '"other"' }), 'part');
  t.equal(kindOf({ ...all, ifNoneMatch: '', ifRange: '"other"' }), 'whole');
  t.equal(kindOf({ ...all, ifNoneMatch: '', ifRange: 'W/"tag"' }), 'whole');
  t.equal(kindOf({ ...all, ifNoneMatch: '', ifRange: httpDate(DATE_MS) }), 'whole');
  t.end();
});
