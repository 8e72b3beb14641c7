/** Finding the schema version in a document that comes in chunks, against JSON.parse. */
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { readSchemaVersion } from '../../src/publishing/verify-document.js';
import { inChunks } from '../support/documents/documents.js';

const found = (text: string, chunkBytes: number) =>
  readSchemaVersion(inChunks(Buffer.from(text), chunkBytes));

void t.test('finds what JSON.parse finds, wherever it stands and however it is cut', async (t) => {
  const member = fc.oneof(fc.string(), fc.constantFrom('schema_version', 'a"b', '\\'));
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(member, fc.oneof(fc.jsonValue(), fc.constant({ schema_version: 'inner' }))),
      fc.string({ maxLength: 40 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      async (others, version, pretty, cut) => {
        const before = Object.fromEntries(
          Object.entries(others).filter(([name]) => name !== 'schema_version'),
        );
        const text = JSON.stringify(
          { ...before, schema_version: version, after: others },
          undefined,
          pretty ? 2 : 0,
        );
        t.equal(await found(text, cut), version, text);
      },
    ),
    { numRuns: 500 },
  );
});

void t.test('finds none where there is none at the top, or no JSON', async (t) => {
  for (const text of [
    '{"a":{"schema_version":"1.2.0"},"b":"schema_version"}',
    '["schema_version","1.2.0"]',
    '{"schema_version":12}',
    '{"schema_version":null,"x":"y"}',
    '{"a":}',
    '',
  ]) {
    t.equal(await found(text, 3), undefined, text);
  }
});

void t.test('reads a key written with escapes, and a document as stored', async (t) => {
  t.equal(await found('{"schema\\u005fversion":"1.2.0"}', 4), '1.2.0');
  const stored = gzipSync('{"a":[1,{"b":2}],"schema_version":"9.9.9","measurements":[]}');
  t.equal(await readSchemaVersion(inChunks(stored, 5)), '9.9.9');
});
