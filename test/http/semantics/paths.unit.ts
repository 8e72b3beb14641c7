/** Paths in other words: needless escapes are read, all others stay. */
import fc from 'fast-check';
import t from 'tap';
import { isPath, splitPath, withoutNeedlessEscapes } from '../../../src/http/semantics/paths.js';

const UNRESERVED = 'abcXYZ0189-._~';

void t.test('a path with any of its unreserved characters escaped is that path', async () => {
  const character = fc.constantFrom(...UNRESERVED.split(''), '/', '%2F', '%25', '%00', '%C5%A1');
  fc.assert(
    fc.property(fc.array(fc.tuple(character, fc.boolean(), fc.boolean())), (characters) => {
      const plain = characters.map(([one]) => one).join('');
      const escaped = characters
        .map(([one, isEscaped, isLower]) =>
          isEscaped && UNRESERVED.includes(one) ? escapeOf(one, isLower) : one,
        )
        .join('');
      return withoutNeedlessEscapes(escaped) === plain;
    }),
  );
});

void t.test('reads a path once, not twice', async (t) => {
  t.equal(withoutNeedlessEscapes('/%2541'), '/%2541');
  t.equal(withoutNeedlessEscapes('/%25%34%31'), '/%2541');
});

void t.test('cuts a path that is too long for any endpoint', async (t) => {
  t.ok(splitPath('/'.repeat(7600)).length < 20);
  t.notOk(match('/meta', `/meta${'/'.repeat(7600)}`));
});

function match(declared: string, path: string): boolean {
  return isPath(splitPath(declared), splitPath(path));
}

function escapeOf(character: string, isLower: boolean): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `%${isLower ? hex : hex.toUpperCase()}`;
}
