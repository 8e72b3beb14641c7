/** The one writer of header fields: nothing passes that could become another field. */
import fc from 'fast-check';
import t from 'tap';
import { headerBlock } from '../../../src/http/semantics/header-block.js';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/);
const value = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });

void t.test('what is written reads as the fields that were given', async () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 12 }), (fields) => {
      const { firstName, rest } = headerBlock(fields);
      // As the library writes them: the name, a colon with a blank, everything else.
      const lines = `${text(firstName)}: ${text(rest)}`.split('\r\n');
      return (
        lines.length === fields.length &&
        lines.every((line, index) => line === fields[index]?.join(': '))
      );
    }),
  );
});

void t.test('a value with anything but printable ASCII is refused', async (t) => {
  const bad = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 1 })
    .filter((character) => !/^[ -~]$/.test(character));
  fc.assert(
    fc.property(
      value,
      fc.oneof(bad, fc.constantFrom('\r', '\n', '\0', '\r\n', '\t', '\x7f', 'é')),
      value,
      (...parts) => {
        t.throws(() => headerBlock([['ETag', parts.join('')]]), /not a field value/);
      },
    ),
  );
  t.throws(
    () =>
      headerBlock([
        ['A', 'b'],
        ['ETag', 'c\r\nSet-Cookie: d'],
      ]),
    /not a field value/,
  );
});

void t.test('a name that is no plain token is refused', async (t) => {
  for (const bad of ['', ' ', 'A B', 'A:', 'A\r\nB', 'Ä', '-A', '1A', 'A\0']) {
    t.throws(() => headerBlock([[bad, 'value']]), /not a field name/, JSON.stringify(bad));
  }
  t.throws(() => headerBlock([]), /at least one header field/);
});

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
