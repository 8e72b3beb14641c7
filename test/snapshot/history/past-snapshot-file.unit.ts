/** The file of a past snapshot is read back as it was written, or refused. */
import fc from 'fast-check';
import t from 'tap';
import { readSnapshot } from '../../../src/snapshot/document/read.js';
import { publicPart } from '../../../src/snapshot/domain/public.js';
import {
  decodePastHead,
  decodePastSnapshot,
  encodePastSnapshot,
} from '../../../src/snapshot/history/past-snapshot-file.js';
import { pastOf, type PastSnapshot } from '../../../src/snapshot/history/past-snapshot.js';
import { inChunks, snapshotDocument } from '../../support/documents/documents.js';
import { atLeast } from '../../support/faults/chance.js';

void t.test('reads back any values: few places, many, none that fit, and null', async (t) => {
  const numbers = fc.oneof(
    fc.double({ noDefaultInfinity: true }),
    fc.integer({ min: -4000, max: 40_000 }).map((one) => one / 10),
    fc.integer().map((one) => one / 1000),
    fc.constantFrom(NaN, 0, -0, 1e-9, 123_456_789.123, 2 ** 53, 0.1 + 0.2),
  );
  const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 719 }), numbers), {
    selector: ([hour]) => hour,
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 6 }), (columns) => {
      const generatedAtMs = Date.parse('2026-03-01T00:00:00Z');
      const first = generatedAtMs / 3_600_000 - 720;
      const past: PastSnapshot = {
        snapshotId: 'a'.repeat(128),
        documentSha256: 'ab'.repeat(32),
        generatedAtMs,
        measurementRows: 10 ** 9,
        stations: [],
        parameterCodes: ['Угљен 1'],
        series: columns.map((column, stationId) => {
          const sorted = column.toSorted(([a], [b]) => a - b);
          return {
            stationId,
            parameterCode: 'Угљен 1',
            hours: Int32Array.from(sorted, ([hour]) => first + hour),
            // JSON writes 0 and -0 alike.
            values: Float64Array.from(sorted, ([, value]) => (value === 0 ? 0 : value)),
          };
        }),
      };
      const bytes = Buffer.from(encodePastSnapshot(past));
      t.strictSame(decodePastSnapshot(bytes), past);
      const head = decodePastHead(bytes.subarray(0, 640), bytes.byteLength);
      t.equal(head.snapshotId, past.snapshotId);
    }),
    { numRuns: atLeast(150) },
  );
});

void t.test('refuses a file with any byte changed, and one that was cut', async (t) => {
  const document = Buffer.from(JSON.stringify(snapshotDocument()));
  const past = pastOf(publicPart(await readSnapshot(inChunks(document, 1000))), 'ab'.repeat(32));
  const bytes = Buffer.from(encodePastSnapshot(past));
  const damaged = { code: 'history_damaged' };
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) ^ 1;
    // A digit of the id in the first line: readers of the file compare the id.
    if (at > bytes.indexOf('sha256') + 75 && at < bytes.indexOf('\n')) continue;
    t.throws(() => decodePastSnapshot(other), damaged, `byte ${at}`);
  }
  for (const length of [0, 1, 200, bytes.byteLength - 1]) {
    const cut = bytes.subarray(0, length);
    t.throws(() => decodePastSnapshot(cut), damaged);
    t.throws(() => decodePastHead(cut, length), damaged);
  }
});
