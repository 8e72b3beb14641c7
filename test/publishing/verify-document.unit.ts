/** Whether a document that comes in chunks says that it is a demonstration, against JSON.parse. */
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { isDemonstration } from '../../src/publishing/verify-document.js';
import { inChunks } from '../support/documents/documents.js';

const found = (text: string, chunkBytes: number) =>
  isDemonstration(inChunks(Buffer.from(text), chunkBytes));

void t.test('finds what JSON.parse finds, wherever it stands and however it is cut', async (t) => {
  const member = fc.oneof(fc.string(), fc.constantFrom('demonstration', 'a"b', '\\'));
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(member, fc.oneof(fc.jsonValue(), fc.constant({ demonstration: true }))),
      fc.oneof(fc.boolean(), fc.constantFrom(null, 'true', 1)),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      async (others, demonstration, pretty, cut) => {
        const { demonstration: _one, measurements: _other, ...before } = others;
        const whole = { ...before, demonstration, after: others };
        const text = JSON.stringify(whole, undefined, pretty ? 2 : 0);
        t.equal(await found(text, cut), demonstration === true, text);
      },
    ),
    { numRuns: 500 },
  );
});

void t.test('reads escapes and gzip; finds none elsewhere, or behind the rows', async (t) => {
  for (const [text, expected] of [
    ['{"demonst\\u0072ation":true}', true],
    ['{"a":{"demonstration":true},"b":"demonstration"}', false],
    ['["demonstration",true]', false],
    ['{"measurements":[],"demonstration":true}', false],
    ['{"a":}', false],
    ['', false],
  ] as const) {
    t.equal(await found(text, 3), expected, text);
  }
  const stored = gzipSync('{"a":[1,{"b":2}],"demonstration":true,"measurements":[]}');
  t.equal(await isDemonstration(inChunks(stored, 5)), true);
});
