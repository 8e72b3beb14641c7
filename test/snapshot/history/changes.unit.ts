/** Old rows and changes give exactly the new rows, and a past snapshot is read back as it was written. */
import fc from 'fast-check';
import t from 'tap';
import { readSnapshot } from '../../../src/snapshot/document/read.js';
import { publicPart } from '../../../src/snapshot/domain/public.js';
import {
  compareSeries,
  countChanges,
  seriesOfBoth,
  type ChangeCounts,
  type SnapshotRows,
} from '../../../src/snapshot/history/changes.js';
import {
  decodePastHead,
  decodePastSnapshot,
  encodePastSnapshot,
} from '../../../src/snapshot/history/past-snapshot-file.js';
import { pastOf, type PastSnapshot } from '../../../src/snapshot/history/past-snapshot.js';
import { changesMetaLine, createChangeLines } from '../../../src/views/history/change-records.js';
import { anyPair } from '../../support/documents/changed-documents.js';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { atLeast } from '../../support/faults/chance.js';
import { applied, byKey, expectedChanges } from './expected-changes.js';
import { ExpectedHvd } from '../../support/expected/expected-hvd.js';

type Plain = Readonly<Record<string, unknown>>;

function counted(since: SnapshotRows, current: SnapshotRows): ChangeCounts {
  const steps = countChanges(since, current);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

void t.test('old rows and changes give exactly the new rows', async (t) => {
  const seen = { added: 0, changed: 0, withdrawn: 0, aged: 0 };
  await fc.assert(
    fc.asyncProperty(anyPair(), async ([old, young]) => {
      const [since, current] = [await keptOf(old), await keptOf(young)];
      const { oldest, lines, counts } = linesOf(since, current);
      const before = new ExpectedHvd(old).observations().records;
      const after = new ExpectedHvd(young).observations().records;
      t.strictSame(lines, expectedChanges({ before, after, oldest }));
      t.strictSame(inKeyOrder(applied(before, oldest, lines)), inKeyOrder(byKey(after)));
      for (const op of ['added', 'changed', 'withdrawn'] as const) {
        t.equal(counts[op], lines.filter((line) => line['op'] === op).length);
        seen[op] += counts[op];
      }
      seen.aged += before.filter((record) => String(record['time_start_utc']) < oldest).length;
    }),
    { numRuns: atLeast(100) },
  );
  t.ok(Math.min(...Object.values(seen)) > 20, JSON.stringify(seen));
});

void t.test('nothing differs from itself', async (t) => {
  const past = await keptOf(snapshotDocument());
  t.strictSame(counted(past, past), { added: 0, changed: 0, withdrawn: 0 });
});

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
  const bytes = Buffer.from(encodePastSnapshot(await pastSnapshotOf(snapshotDocument())));
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

async function pastSnapshotOf(document: PlainDocument): Promise<PastSnapshot> {
  const chunks = (async function* () {
    yield await Promise.resolve(Buffer.from(JSON.stringify(document)));
  })();
  return pastOf(publicPart(await readSnapshot(chunks)), 'ab'.repeat(32));
}

/** As it is after it was written and read. */
async function keptOf(document: PlainDocument): Promise<PastSnapshot> {
  return decodePastSnapshot(Buffer.from(encodePastSnapshot(await pastSnapshotOf(document))));
}

function linesOf(
  since: PastSnapshot,
  current: PastSnapshot,
): { readonly oldest: string; readonly lines: readonly Plain[]; readonly counts: ChangeCounts } {
  const lines: Plain[] = [];
  const render = createChangeLines();
  for (const series of seriesOfBoth(since, current)) {
    compareSeries(series, (...change) => {
      lines.push(JSON.parse(render(...change)) as Plain);
    });
  }
  const counts = counted(since, current);
  const { snapshotId, generatedAtMs } = current;
  const line = changesMetaLine({ since: since.snapshotId, snapshotId, generatedAtMs, counts });
  const { meta } = JSON.parse(line) as { readonly meta: Plain };
  return { oldest: String(meta['retention_from_utc']), lines, counts };
}

function inKeyOrder(rows: ReadonlyMap<string, unknown>): readonly unknown[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
}
