/** Rows mean the same however their document is cut into chunks, and so do their problems. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { DocumentError } from '../../../../src/snapshot/document/problems.js';
import { readSnapshot } from '../../../../src/snapshot/document/read.js';
import { inChunks, snapshotDocument } from '../../../support/documents/documents.js';
import { atLeast } from '../../../support/faults/chance.js';

/** The snapshot as text, or the refusal. */
async function outcomeOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    const { observations, ...rest } = await readSnapshot(source);
    const { series, ...columns } = observations;
    const rows = Object.entries(columns).map(([name, column]) => [name, [...column].map(exactly)]);
    return JSON.stringify([rest, series, rows]);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return `${error.problemCount} problems: ${error.message}`;
  }
}

/** JSON has neither NaN nor a negative zero. */
function exactly(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const mostly = (usual: fc.Arbitrary<string>, ...others: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 1000, arbitrary: usual }, fc.constantFrom(...others));

const wrong = ['null', 'true', '"x"', '{}', '[1,{"a":"}"}]', '""', '1', '-1'] as const;
const id = mostly(fc.constant('1'), ...wrong, '01', '1.0', '1e0', '-0', '99999999999999999');
const twoDigits = (max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max }).map((number) => String(number).padStart(2, '0'));
const date = mostly(fc.constant('"DATE"'), ...wrong, '"2026-02-30"', '"2026-08-1\\u0031"');
const time = mostly(fc.constant('"TIME"'), ...wrong, '"24:00"', '"7:00"', '"07:30"');
const digits = fc.oneof(
  fc.integer({ min: -9999, max: 9999 }).map((hundredths) => String(hundredths / 100)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((whole) => String(whole)),
  fc.constant('null'),
);
const value = mostly(digits, ...wrong, ...'-0 -0.0 1e400 .5 1. 00 1.e5 +1 nul 0x1'.split(' '));
const instant = mostly(
  twoDigits(28).map((day) => `"2026-09-${day}T00:00:00Z"`),
  ...[...wrong, '"2026-09-10T00:00:00.5Z"', '"2026-09-10"', '"č"'],
);
const space = mostly(fc.constantFrom('', '', '', ' ', '\n  ', '\r\n\t'), '\u00a0', '/**/');

const name = fc.constantFrom('"value"', '"v\\u0061lue"');

const row = fc
  .record({
    members: fc.shuffledSubarray(['station', 'component', 'date', 'time', 'value', 'at', 'more'], {
      minLength: 4,
    }),
    isUsual: fc.nat(300).map((number) => number > 0),
    texts: fc.record({ name, id1: id, id2: id, date, time, value, instant, space }),
    elements: fc.oneof({ weight: 300, arbitrary: fc.constant('') }, fc.constantFrom('7,', '[{}],')),
  })
  .map(({ members, isUsual, texts, elements }) => {
    const { id1, id2, space: between } = texts;
    const all: Readonly<Record<string, string>> = {
      station: `"station_id"${between}:${id1}`,
      component: `"component_id":${between}${id2}`,
      date: `"date":${texts.date}`,
      time: `"time":${texts.time}${between}`,
      value: `${texts.name}:${texts.value}`,
      at: `"published_at_utc": ${texts.instant}`,
      more: `"more":{"}":[${texts.value}]}`,
    };
    const names = isUsual ? ['station', 'component', 'date', 'time', 'value'] : members;
    return `${elements}{${names.map((name) => all[name] ?? '').join(`,${between}`)}}${between}`;
  });

/** Rows with different hours. */
function rowsText(rows: readonly string[]): string {
  const withHours = rows.map((text, index) => {
    const hour = new Date(Date.UTC(2026, 7, 1, index)).toISOString();
    return text.replace('DATE', hour.slice(0, 10)).replace('TIME', hour.slice(11, 16));
  });
  return withHours.join(',');
}

type Change = (bytes: Buffer, at: number) => Buffer;

const put =
  (byte: number): Change =>
  (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at + 1)]);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>((bytes) => bytes),
  fc.constant<Change>((bytes, at) => bytes.subarray(0, at)),
  fc.constant<Change>((bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
  ),
  fc.constantFrom(...Buffer.from('{}[]",:\\0e.- \n\0x'), 0xc3, 0xff).map(put),
);

await t.test('says the same of any rows in pieces of a few bytes and in large ones', async (t) => {
  const found = { snapshots: 0, refusals: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        rows: fc.array(row, { minLength: 1, maxLength: 60 }),
        change,
        place: fc.nat(),
        // No row fits into two of the small ones; many rows fit into a large one.
        fewBytes: fc.integer({ min: 1, max: 9 }),
        manyBytes: fc.integer({ min: 100, max: 3000 }),
        version: fc.constantFrom('1.2.0', '1.3.0'),
      }),
      async ({ rows, change, place, fewBytes, manyBytes, version }) => {
        const text = JSON.stringify(snapshotDocument({ schema_version: version, measurements: [] }))
          .replace('"measurement_rows":0', `"measurement_rows":${rows.length}`)
          .replace('"measurements":[]', () => `"measurements":[${rowsText(rows)}],"more":[{},{}]`);
        const right = Buffer.from(text);
        const bytes = change(right, place % right.length);
        const expected = await outcomeOf(inChunks(bytes, fewBytes));
        assert.equal(await outcomeOf(inChunks(bytes, manyBytes)), expected);
        found[expected.startsWith('[') ? 'snapshots' : 'refusals'] += 1;
      },
    ),
    { numRuns: atLeast(60), interruptAfterTimeLimit: 60_000 },
  );
  t.ok(found.refusals > 0 && found.snapshots > 0, JSON.stringify(found));
});

await t.test('names the place of a byte that is no UTF-8 inside a row', async (t) => {
  const rows = Array.from({ length: 20 }, (_, hour) => {
    const time = `${String(hour).padStart(2, '0')}:00`;
    return { station_id: 1, component_id: 1, date: '2026-08-11', time, value: hour };
  });
  const text = JSON.stringify(snapshotDocument({ measurements: rows }));
  const at = text.indexOf('"time":"15:00"') + '"time":"1'.length;
  for (const chunkBytes of [1, 65_536]) {
    const outcome = await outcomeOf(inChunks(put(0xff)(Buffer.from(text), at), chunkBytes));
    t.equal(outcome, `1 problems: measurements[15]: not UTF-8 at byte ${at}`);
  }
});
