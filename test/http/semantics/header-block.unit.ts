/** The one writer of header fields: nothing passes that could become another field. */
import t from 'tap';
import { headerBlock } from '../../../src/http/semantics/header-block.js';

void t.test('a value with anything but printable ASCII is refused', async (t) => {
  for (const bad of ['\r', '\n', '\0', '\r\nSet-Cookie: d', '\t', '\x7f', 'é', 'š', '😀']) {
    const fields = [['A', 'b'] as const, ['ETag', `c${bad}d`] as const];
    t.throws(() => headerBlock(fields), /not a field value/, JSON.stringify(bad));
  }
});

void t.test('a name that is no plain token is refused', async (t) => {
  for (const bad of ['', ' ', 'A B', 'A:', 'A\r\nB', 'Ä', '-A', '1A', 'A\0']) {
    t.throws(() => headerBlock([[bad, 'value']]), /not a field name/, JSON.stringify(bad));
  }
  t.throws(() => headerBlock([]), /at least one header field/);
});
