/** Date-times as clients write them. */
import { readFile } from 'node:fs/promises';
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
