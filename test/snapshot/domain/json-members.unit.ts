/** Small JSON objects: what is taken, and the reasons for what is refused. */
import t from 'tap';
import {
  countMember,
  parseMembers,
  textMember,
} from '../../../src/snapshot/domain/json-members.js';

void t.test('takes an object from a text and from bytes', async (t) => {
  t.strictSame(parseMembers('{"a":1}'), { a: 1 });
  t.strictSame(parseMembers(Buffer.from('{"š":"ž"}')), { š: 'ž' });
});

void t.test('refuses what is no JSON object, and says why', async (t) => {
  for (const json of ['', '{', '{"a":1} x', Uint8Array.of(0x22, 0xff, 0x22)]) {
    t.throws(() => parseMembers(json), new TypeError('it is not JSON in UTF-8'));
  }
  for (const json of ['null', '[]', '1', '"a"']) {
    t.throws(() => parseMembers(json), new TypeError('it is not a JSON object'));
  }
});

void t.test('takes members of the expected kind alone', async (t) => {
  const members = { text: 'ab', count: 3, none: null };
  t.equal(textMember(members, 'text'), 'ab');
  t.equal(textMember(members, 'text', /^ab$/), 'ab');
  t.throws(() => textMember(members, 'other'), new TypeError('other is missing'));
  for (const [name, form] of [
    ['none', undefined],
    ['count', undefined],
    ['text', /^b/],
  ] as const) {
    t.throws(
      () => textMember(members, name, form),
      new TypeError(`${name} is not of the expected form`),
    );
  }
  t.equal(countMember(members, 'count'), 3);
  for (const count of [0, -1, 1.5, 1e300, '3', null, undefined]) {
    const why = new TypeError('count is not a positive integer');
    t.throws(() => countMember({ count }, 'count'), why, String(count));
  }
});
