/** Rows mean the same however their document is cut into chunks, and so do their problems; their columns and dates. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import t from 'tap';
import { DocumentError } from '../../../../src/snapshot/document/problems.js';
import { readSnapshot } from '../../../../src/snapshot/document/read.js';
import { parseDay, parseInstant } from '../../../../src/snapshot/document/rows/dates.js';
import { GrowingColumn } from '../../../../src/snapshot/document/rows/growing-column.js';
import { hourOf, inChunks, snapshotDocument } from '../../../support/documents/documents.js';
import { atLeast } from '../../../support/faults/chance.js';

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

/** Texts that stand for another token: values that are wrong, unusual or not JSON. */
const ODD = JSON.parse(
  await readFile('test/fixtures/cases/odd-tokens.json', 'utf8'),
) as readonly string[];

const digits = fc.oneof(
  fc.integer({ min: -9999, max: 9999 }).map((hundredths) => String(hundredths / 100)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
);

/** A row's members in any order; its hour is put in later. */
const row = fc
  .record({
    value: fc.oneof(digits, fc.constant('null')),
    day: fc.integer({ min: 10, max: 28 }),
    names: fc.shuffledSubarray(['station', 'component', 'date', 'time', 'value', 'at', 'more']),
    isUsual: fc.nat(300).map((number) => number > 0),
    space: fc.constantFrom('', '', '', ' ', '\n  ', '\r\n\t'),
  })
  .map(({ value, day, names, isUsual, space }) => {
    const all: Readonly<Record<string, string>> = {
      station: `"station_id"${space}:1`,
      component: '"component_id":1',
      date: `"date":"DATE"${space}`,
      time: '"time":"TIME"',
      value: `"value":${value}`,
      at: `"published_at_utc": "2026-09-${day}T00:00:00Z"`,
      more: `"more":{"}":[${value}]}`,
    };
    const rest = isUsual ? Object.keys(all).filter((name) => !names.includes(name)) : [];
    return `{${[...names, ...rest].map((name) => all[name] ?? '').join(`,${space}`)}}${space}`;
  });

function rowsText(rows: readonly string[]): string {
  const withHours = rows.map((text, index) => {
    const { date, time } = hourOf(Date.UTC(2026, 7, 1, index));
    return text.replace('DATE', date).replace('TIME', time);
  });
  return withHours.join(',');
}

/** Replaces some tokens of a text, and one byte or all bytes from it on. */
const damage = fc
  .record({
    tokens: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ODD)), { maxLength: 2 }),
    place: fc.nat(),
    byte: fc.constantFrom('none', 'none', 'none', 'none', 'cut', 0, 0xc3, 0xff),
  })
  .map(({ tokens, place, byte }) => (text: string): Buffer => {
    const parts = text.match(/"(?:[^"\\]|\\.)*"|[\w.+-]+|\s+|./gs) ?? [];
    for (const [at, odd] of tokens) parts[at % parts.length] = odd;
    const bytes = Buffer.from(parts.join(''));
    const at = place % bytes.length;
    if (byte === 'cut') return bytes.subarray(0, at);
    if (typeof byte === 'number') bytes[at] = byte;
    return bytes;
  });

await t.test('says the same of any rows in pieces of a few bytes and in large ones', async (t) => {
  const found = { snapshots: 0, refusals: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 60 }),
      damage,
      // No row fits into two of the small ones; many rows fit into a large one.
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 100, max: 3000 }),
      fc.constantFrom('1.2.0', '1.3.0'),
      async (rows, damaged, fewBytes, manyBytes, version) => {
        const text = JSON.stringify(snapshotDocument({ schema_version: version, measurements: [] }))
          .replace('"measurement_rows":0', `"measurement_rows":${rows.length}`)
          .replace('"measurements":[]', () => `"measurements":[${rowsText(rows)}],"more":[{},{}]`);
        const bytes = damaged(text);
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
  const bytes = Buffer.from(text);
  bytes[at] = 0xff;
  for (const chunkBytes of [1, 65_536]) {
    const outcome = await outcomeOf(inChunks(bytes, chunkBytes));
    t.equal(outcome, `1 problems: measurements[15]: not UTF-8 at byte ${at}`);
  }
});

/** Rows around the edges of a column's blocks. */
const place = fc.oneof(
  fc.constantFrom(0, 65_535, 65_536, 131_071, 131_072, 49_999_999),
  fc.nat(49_999_999),
);

await t.test('a column gives back what was set, and NaN for everything else', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(place, fc.double()), { maxLength: 8 }),
      fc.array(place),
      (set, others) => {
        const column = new GrowingColumn(Float64Array);
        const expected = new Map(set);
        for (const [at, value] of set) column.set(at, value);
        assert.equal(column.isEmpty, set.length === 0);
        for (const at of [...expected.keys(), ...others]) {
          assert.ok(Object.is(column.at(at), expected.get(at) ?? NaN));
        }
        column.clear();
        assert.ok(column.isEmpty && Number.isNaN(column.at(set[0]?.[0] ?? 0)));
      },
    ),
  );
  t.pass('100 of them');
});

const DAY_MS = 86_400_000;

const padded = (length: number, max: number): fc.Arbitrary<string> =>
  fc.nat(max).map((number) => String(number).padStart(length, '0'));

await t.test('knows every real date, and no other', async (t) => {
  fc.assert(
    fc.property(padded(4, 9999), padded(2, 13), padded(2, 32), (year, month, day) => {
      const text = `${year}-${month}-${day}`;
      const date = new Date(`${text}T00:00:00Z`);
      // `Date` takes the 30th of February for the 2nd of March.
      const real = !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text);
      assert.equal(parseDay(text), real && year !== '0000' ? date.valueOf() / DAY_MS : undefined);
    }),
    { numRuns: 5000 },
  );
  for (const year of [1, 4, 100, 400, 1900, 2000, 2100, 9999]) {
    const text = `${String(year).padStart(4, '0')}-12-31`;
    t.equal(parseDay(text), Date.parse(text) / DAY_MS, text);
  }
});

await t.test('reads UTC instants to the millisecond', async (t) => {
  const at = Date.UTC(2026, 8, 10, 7, 8, 9, 123);
  const cases: Readonly<Record<string, number | undefined>> = {
    '2026-09-10T07:08:09.123Z': at,
    '2026-09-10T07:08:09.123456+00:00': at,
    '2026-09-10T07:08:09-00:00': at - 123,
    '2026-09-10T07:08:09.1Z': at - 23,
    '2026-09-10T07:08Z': at - 9123,
    '1969-12-31T23:59:59.999Z': -1,
    ' 2026-09-10T07:08:09Z': undefined,
    '2026-09-10T07:08:60Z': undefined,
    '2026-09-10T07:08:09+01:00': undefined,
    '2026-09-10t07:08:09z': undefined,
  };
  for (const [text, expected] of Object.entries(cases)) t.equal(parseInstant(text), expected, text);
});
