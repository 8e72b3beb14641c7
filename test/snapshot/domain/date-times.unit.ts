/** Date-times as clients write them. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import t from 'tap';
import { parseDateTime } from '../../../src/snapshot/domain/windows.js';

/** Texts, and the times that they say; null where they say none. */
const CASES = JSON.parse(
  await readFile('test/fixtures/cases/date-times.json', 'utf8'),
) as readonly (readonly [string, string | null])[];

void t.test('reads every documented notation, and says when', async (t) => {
  for (const [text, expected] of CASES) {
    const epochMs = parseDateTime(text);
    const read = epochMs === undefined ? null : new Date(epochMs).toISOString();
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
