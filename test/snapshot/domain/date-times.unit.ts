/** Date-times as clients write them. */
import fc from 'fast-check';
import t from 'tap';
import { parseDateTime } from '../../../src/snapshot/domain/windows.js';

const NONE = undefined;

void t.test('reads every documented notation, and says when', async (t) => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['2026-09-10', '2026-09-10T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-09-10T05:07', '2026-09-10T05:07:00.000Z'],
    ['2026-09-10 05:07', '2026-09-10T05:07:00.000Z'],
    ['2026-09-10T05:07:09Z', '2026-09-10T05:07:09.000Z'],
    ['2026-09-10T05:07:09.1z', '2026-09-10T05:07:09.100Z'],
    ['2026-09-10T05:07:09.57', '2026-09-10T05:07:09.570Z'],
    ['2026-09-10T05:07:09.0009', '2026-09-10T05:07:09.001Z'],
    [`2026-09-10T05:07:09.${'0'.repeat(40)}1`, '2026-09-10T05:07:09.001Z'],
    ['2026-09-10T05:07:59.9991', '2026-09-10T05:08:00.000Z'],
    ['2026-09-10T05:07+02:00', '2026-09-10T03:07:00.000Z'],
    ['2026-09-10T05:07 02:00', '2026-09-10T03:07:00.000Z'],
    ['2026-09-10T05:07-0330', '2026-09-10T08:37:00.000Z'],
    ['2026-09-10T05:07+02', '2026-09-10T03:07:00.000Z'],
    ['2026-09-10T05:07-00:00', '2026-09-10T05:07:00.000Z'],
    ['2026-12-31T24:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T00:59:60.5+01:00', '2017-01-01T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['2025-02-29', NONE],
    ['1900-02-29', NONE],
    ['2026-04-31T00:00', NONE],
    ['2026-00-01', NONE],
    ['2026-09-10T24:00:01', NONE],
    ['2026-09-10T24:00:00.001', NONE],
    ['2026-09-10T05:58:60', NONE],
    ['2026-09-10T05:07:', NONE],
    ['2026-09-10T', NONE],
    ['2026-09-10T05', NONE],
    ['2026-09-10+02:00', NONE],
    ['2026-09-10T05:07+24:00', NONE],
    ['2026-09-10T05:07+02:60', NONE],
    ['2026-09-10T05:07−02:00', NONE],
    ['2026-09-10T05:07Zulu', NONE],
    ['+002026-09-10', NONE],
    ['0000-01-01T00:30+01:00', NONE],
    ['9999-12-31T23:30-01:00', NONE],
    ['2026-09-10\n', '2026-09-10T00:00:00.000Z'],
    ['2026-09-10\n2026-09-10', NONE],
  ];
  for (const [text, expected] of cases) {
    const epochMs = parseDateTime(text);
    const read = epochMs === undefined ? undefined : new Date(epochMs).toISOString();
    t.equal(read, expected, JSON.stringify(text));
  }
});

void t.test('reads back any time, written at any offset', async () => {
  const time = fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 0) });
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(time, offset, fc.boolean(), (epochMs, minutes, isEscaped) => {
      const local = new Date(epochMs + minutes * 60_000).toISOString().slice(0, -1);
      const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
      const sign = minutes < 0 ? '-' : isEscaped ? '+' : ' ';
      const zone = `${sign}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
      return parseDateTime(local + zone) === epochMs;
    }),
  );
});

void t.test('reads no text that says no time, and none twice as long', async () => {
  const digits = fc.string({
    unit: fc.constantFrom(...Array.from('0123456789-:TZ+. ')),
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.oneof(digits, fc.string({ unit: 'grapheme' })), (text) => {
      const epochMs = parseDateTime(text);
      return epochMs === undefined || Number.isInteger(epochMs);
    }),
    { numRuns: 2000 },
  );
});
