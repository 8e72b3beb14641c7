/** Finding the schema version in a text that comes in chunks, against JSON.parse. */
import fc from 'fast-check';
import t from 'tap';
import { SchemaVersionScan } from '../../../src/snapshot/store/schema-version-scan.js';

function scanned(text: string, cut: number): string | undefined {
  const scan = new SchemaVersionScan();
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += cut) {
    scan.push(bytes.subarray(start, start + cut));
  }
  return scan.schemaVersion;
}

void t.test('finds what JSON.parse finds, wherever it stands and wherever the text is cut', (t) => {
  const member = fc.oneof(fc.string(), fc.constantFrom('schema_version', 'a"b', '\\'));
  fc.assert(
    fc.property(
      fc.dictionary(member, fc.oneof(fc.jsonValue(), fc.constant({ schema_version: 'inner' }))),
      fc.string({ maxLength: 40 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      (others, version, pretty, cut) => {
        const before = Object.fromEntries(
          Object.entries(others).filter(([name]) => name !== 'schema_version'),
        );
        const text = JSON.stringify(
          { ...before, schema_version: version, after: others },
          undefined,
          pretty ? 2 : 0,
        );
        t.equal(scanned(text, cut), version, text);
      },
    ),
    { numRuns: 500 },
  );
  t.end();
});

void t.test('finds none where there is none at the top', (t) => {
  t.equal(scanned('{"a":{"schema_version":"1.2.0"},"b":"schema_version"}', 3), undefined);
  t.equal(scanned('["schema_version","1.2.0"]', 3), undefined);
  t.equal(scanned('{"schema_version":12}', 3), undefined);
  t.equal(scanned('{"schema_version":null,"x":"y"}', 3), undefined);
  t.equal(scanned('', 3), undefined);
  t.end();
});

void t.test('reads a key that is written with escapes', (t) => {
  t.equal(scanned('{"schema\\u005fversion":"1.2.0"}', 4), '1.2.0');
  t.end();
});
