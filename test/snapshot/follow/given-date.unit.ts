/** Dates of what is served: whatever pointers come, past, in order, and the same ones for two things only if marked so. */
import fc from 'fast-check';
import t from 'tap';
import { nextDate, type GivenDate } from '../../../src/snapshot/follow/given-date.js';
import { readStoreStatus } from '../../../src/snapshot/follow/store-status.js';

/** Pointers within some seconds of each other, and a clock that goes on. */
const moves = fc.array(
  fc.record({
    snapshotId: fc.constantFrom('a', 'b', 'c'),
    build: fc.constantFrom('old', 'new'),
    activatedAtMs: fc.integer({ min: 95_000, max: 112_000 }),
    passMs: fc.nat(1500),
  }),
  { minLength: 1, maxLength: 12 },
);

void t.test(
  'a date is past, never earlier than the one before, and ambiguous where it is shared',
  (t) => {
    fc.assert(
      fc.property(moves, (drawn) => {
        let nowMs = 100_000;
        let last: GivenDate | undefined;
        const owners = new Map<number, string>();
        return drawn.every(({ passMs, ...dated }) => {
          nowMs += passMs;
          const next = nextDate(last, dated, nowMs);
          const owner = `${dated.snapshotId} ${dated.build}`;
          const isShared = (owners.get(next.ms) ?? owner) !== owner;
          const isRight =
            next.ms <= nowMs && next.ms % 1000 === 0 && next.ms >= (last?.ms ?? -Infinity);
          owners.set(next.ms, owner);
          last = next;
          return isRight && (!isShared || next.isAmbiguous);
        });
      }),
      { numRuns: 2000 },
    );
    t.end();
  },
);

void t.test('a pointer of the past gives its own second, on every instance', (t) => {
  const dated = { snapshotId: 'a', build: 'b', activatedAtMs: 90_900 };
  t.same(nextDate(undefined, dated, 100_000), { ...dated, ms: 90_000, isAmbiguous: false });
  t.end();
});

void t.test('a pointer of the near future ends with its own second too', (t) => {
  const dated = { snapshotId: 'a', build: 'b', activatedAtMs: 103_500 };
  const seen = nextDate(undefined, dated, 100_000);
  t.equal(seen.ms, 100_000);
  t.equal(nextDate(seen, dated, 102_000).ms, 100_000);
  const own = nextDate(seen, dated, 104_000);
  t.equal(own.ms, 103_000);
  t.equal(nextDate(own, dated, 200_000).ms, 103_000);
  t.end();
});

void t.test('what is no status on the disk is none', async (t) => {
  const texts = ['', '7', 'null', '{}', '{"store":"a"', '{"store":"a","atMs":1,"ms":1}'];
  for (const text of texts) {
    const directory = t.testdir({ '~contact.json': text });
    t.equal(await readStoreStatus(directory), undefined, text);
  }
});
