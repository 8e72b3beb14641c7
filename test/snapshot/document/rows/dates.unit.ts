/** Dates and times of documents against `Date`, for texts in the one form that is allowed. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  parseDay,
  parseHourOfDay,
  parseInstant,
} from '../../../../src/snapshot/document/rows/dates.js';

const DAY_MS = 86_400_000;

function digits(length: number, max: number): fc.Arbitrary<string> {
  return fc.nat(max).map((number) => String(number).padStart(length, '0'));
}

await t.test('knows every real date, and no other', async (t) => {
  fc.assert(
    fc.property(digits(4, 9999), digits(2, 13), digits(2, 32), (year, month, day) => {
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

await t.test('knows the full hours of a day, and no other time', async (t) => {
  for (let hour = 0; hour < 24; hour += 1) {
    t.equal(parseHourOfDay(`${String(hour).padStart(2, '0')}:00`), hour);
  }
  for (const text of '24:00|00:01|0:00|00-00|00:00:00|٠٠:00|-1:00| 0:00|'.split('|')) {
    t.equal(parseHourOfDay(text), undefined, text);
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
  };
  const none = ['T07:08:60Z', 'T07:08:09+01:00', 'T07:08:09', 't07:08:09z'];
  const others = [' 2026-09-10T07:08:09Z', ...none.map((time) => `2026-09-10${time}`)];
  for (const text of others) t.equal(parseInstant(text), undefined, text);
  for (const [text, expected] of Object.entries(cases)) {
    t.equal(parseInstant(text), expected, text);
  }
});
