/** The pointer's JSON: well-formed and malformed texts, and a round trip. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import t from 'tap';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import { isSnapshotId } from '../../../src/snapshot/domain/snapshot-id.js';
import { decodePointer, documentPath, encodePointer } from '../../../src/snapshot/store/pointer.js';

const GOOD = {
  snapshot_id: '20260910T000000Z-0123456789ab',
  schema_version: '1.2.0',
  document: 'snapshots/20260910T000000Z-0123456789ab.json.gz',
  size_bytes: 5_000_000,
  sha256: 'ab'.repeat(32),
  activated_at: '2026-09-10T00:05:00Z',
};

/** Members that replace good ones. */
const BAD = JSON.parse(await readFile('test/fixtures/cases/pointers.json', 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, unknown>>>
>;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const refusal = (content: Uint8Array): string => {
  try {
    decodePointer(content);
  } catch (error) {
    if (error instanceof SnapshotError) return error.code;
    throw error;
  }
  return 'taken';
};

void t.test('reads the documented members and ignores others', async (t) => {
  t.strictSame(decodePointer(bytes(JSON.stringify({ ...GOOD, note: 'by hand' }))), {
    snapshotId: GOOD.snapshot_id,
    schemaVersion: '1.2.0',
    document: GOOD.document,
    sizeBytes: 5_000_000,
    sha256: GOOD.sha256,
    activatedAtMs: Date.UTC(2026, 8, 10, 0, 5),
  });
});

void t.test('refuses what is not a pointer', async (t) => {
  const values = Object.values(BAD).map((members): unknown => ({ ...GOOD, ...members }));
  values.push([GOOD], null, 'x', { ...GOOD, size_bytes: undefined });
  const texts = values.map((value) => JSON.stringify(value));
  for (const text of [...texts, '', JSON.stringify(GOOD).slice(0, 100)]) {
    t.equal(refusal(bytes(text)), 'pointer_malformed', text);
  }
  t.equal(refusal(new Uint8Array(1_000_000)), 'pointer_malformed', 'a megabyte of NUL');
  t.equal(refusal(Uint8Array.of(0x22, 0xff, 0x22)), 'pointer_malformed', 'not UTF-8');
});

void t.test('whatever is written is read back', async (t) => {
  const pointer = fc.record({
    snapshotId: fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/).filter(isSnapshotId),
    schemaVersion: fc.constant('1.2.0'),
    sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
    sizeBytes: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    activatedAtMs: fc.integer({ min: 0, max: Date.parse('9999-12-31') }),
  });
  fc.assert(
    fc.property(pointer, (members) => {
      const written = { ...members, document: documentPath(members.snapshotId) };
      t.strictSame(decodePointer(bytes(encodePointer(written))), written);
    }),
    { numRuns: 200 },
  );
});

void t.test('no text makes it fail in another way, or lead out of the namespace', async () => {
  const member = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue());
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(GOOD)), member, (name, value) => {
      const content = bytes(JSON.stringify({ ...GOOD, [name]: value }));
      if (refusal(content) !== 'taken') return true;
      const { snapshotId, document } = decodePointer(content);
      return isSnapshotId(snapshotId) && /^[\w.-]+(\/[\w.-]+)*$/.test(document);
    }),
    { numRuns: 2000 },
  );
});
