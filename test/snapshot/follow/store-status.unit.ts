/** The store's status on the disk, and how long may be served without the store. */
import fc from 'fast-check';
import t from 'tap';
import { StoreStatus } from '../../../src/snapshot/follow/store-status.js';

const WALL_MS = 5e9;

/** The status of a store that does not answer, after a status of this text was written. */
async function silentStatus(written: string, graceMs: number) {
  const directory = t.testdir({ '~contact.json': written });
  const clock = { wall: WALL_MS, mono: 0 };
  const status = await StoreStatus.resume({
    directory,
    address: 'a',
    graceMs,
    clock: {
      wallMs: () => clock.wall,
      elapsedMs: () => clock.mono,
      wait: () => Promise.resolve(),
    },
    report: () => undefined,
  });
  await status.silent('away');
  return { status, clock };
}

void t.test('the grace ends after its length, however the wall clock jumps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        graceMs: fc.nat(1e9),
        ageMs: fc.nat(2e9),
        jumpMs: fc.integer({ min: -1e9, max: 1e9 }),
        passedMs: fc.nat(2e9),
      }),
      async ({ graceMs, ageMs, jumpMs, passedMs }) => {
        const written = JSON.stringify({ store: 'a', atMs: WALL_MS - ageMs });
        const { status, clock } = await silentStatus(written, graceMs);
        clock.wall += jumpMs;
        clock.mono += passedMs;
        return status.leftMs === Math.max(0, graceMs - ageMs - passedMs);
      },
    ),
  );
});

void t.test(
  'a wrong status on the disk is none, and one of the future counts from now',
  async (t) => {
    const future = JSON.stringify({ store: 'a', atMs: WALL_MS + 1000 });
    t.equal((await silentStatus(future, 10)).status.leftMs, 10);
    const ofAnother = JSON.stringify({ store: 'b', atMs: WALL_MS });
    const malformed = [
      '',
      '7',
      'null',
      '{}',
      '{"store":"a"',
      '{"store":"a","atMs":1,"lastGood":{}}',
    ];
    for (const text of [ofAnother, ...malformed]) {
      const { status } = await silentStatus(text, 10);
      t.same([status.leftMs, status.lastGood], [0, undefined], text);
    }
  },
);
