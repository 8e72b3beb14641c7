/** Bodies of several chunks, read at any pace: every offset gives the bytes that stand there, from memory or from the copy. */
import fc from 'fast-check';
import t from 'tap';
import { SEGMENT_BYTES } from '../../../src/snapshot/local/files.js';
import { ChunkedBody } from '../../../src/http/answers/chunked-body.js';
import { BlockCache } from '../../../src/http/answers/block-cache.js';
import { LeasedSnapshot } from '../../../src/snapshot/local/lease.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import type { Chunk } from '../../../src/snapshot/local/plan.js';
import { scaled } from '../../support/faults/chance.js';
import { bytesOfChunks } from '../../support/readers/chunk-bytes.js';
import { writeObservationsCopy, writeSmallCopy } from '../../support/documents/local-copy.js';
import {
  component,
  LAST_HOUR,
  observationColumns,
} from '../../support/expected/observation-columns.js';

const FILE = 'observations.ndjson';

const READER = { onRevoked: () => undefined, onReady: () => undefined };

void t.test('give every byte, however they are read', async (t) => {
  const rows = Array.from({ length: 700 }, (_, at) => [LAST_HOUR - 700 + at, at / 3] as const);
  // 2.5 MB: three blocks.
  const series = Array.from({ length: 12 }, (_, at) => at + 1).map((stationId) => ({
    stationId,
    componentId: 1,
    rows,
  }));
  const directory = await writeObservationsCopy(t, {
    components: [component(1, 'PM10')],
    observations: observationColumns(series),
  });
  const snapshot = new LeasedSnapshot(new SnapshotReader(directory), () => undefined);
  const { reader } = snapshot;
  const last = reader.series([12, 1]);
  const sizeBytes = last.textOffset + last.textStart(last.records);
  t.ok(sizeBytes > 2 * 64 * SEGMENT_BYTES, `${sizeBytes} bytes, of several blocks`);
  const fail = (error: unknown): void => {
    throw error;
  };
  // In one the whole file fits, in the other one block: short ranges are read by themselves, and memory is used again.
  const caches = [64, 1].map((blocksMax) => new BlockCache(snapshot, fail, blocksMax));

  const range = fc
    .tuple(fc.nat(sizeBytes - 1), fc.integer({ min: 1, max: 900_000 }))
    .map(([offset, length]): Chunk => {
      return { kind: 'range', file: FILE, offset, length: Math.min(length, sizeBytes - offset) };
    });
  const made = fc
    .uint8Array({ minLength: 1, maxLength: 50 })
    .map((bytes): Chunk => ({ kind: 'bytes', bytes }));
  const chunks = fc.array(fc.oneof(range, made), { minLength: 1, maxLength: 6 });
  const steps = fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(
      chunks,
      steps,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(...caches),
      (drawn, taken, back, blocks) => {
        const whole = bytesOfChunks(drawn, reader);
        const plan = { totalBytes: whole.length, chunks: drawn };
        const reading = new ChunkedBody(plan, { snapshot, blocks }).open(READER);
        const isSameFrom = (offset: number): number => {
          const bytes = reading.from(offset) ?? Buffer.alloc(0);
          const wanted = whole.subarray(offset, offset + bytes.length);
          return bytes.length > 0 && wanted.equals(bytes) ? bytes.length : NaN;
        };
        let offset = 0;
        for (let step = 0; offset < whole.length; step += 1) {
          const given = isSameFrom(offset);
          if (Number.isNaN(given)) return false;
          // A socket takes less than it is given, now and then.
          offset += Math.min(given, taken[step % taken.length] ?? 1);
        }
        const isSameAgain = !Number.isNaN(isSameFrom(Math.floor(back * (whole.length - 1))));
        reading.close();
        return isSameAgain && snapshot.leases === 0;
      },
    ),
    { numRuns: scaled(50) },
  );
  snapshot.retire();
});

void t.test('hold a lease while they are read', async (t) => {
  const reader = new SnapshotReader(await writeSmallCopy(t));
  const { promise: closed, resolve } = closing();
  const snapshot = new LeasedSnapshot(reader, resolve);
  const chunk = { kind: 'range', file: FILE, offset: 0, length: 10 } as const;
  const blocks = new BlockCache(snapshot, () => undefined);
  const source = { snapshot, blocks };
  const reading = new ChunkedBody({ totalBytes: 10, chunks: [chunk] }, source).open(READER);
  snapshot.retire();
  t.equal(snapshot.leases, 1);
  t.equal(Buffer.from(reading.from(0) ?? []).toString('utf8', 0, 10), '{"station_');
  reading.close();
  reading.close();
  t.equal(snapshot.leases, 0);
  await closed;
});

function closing(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
