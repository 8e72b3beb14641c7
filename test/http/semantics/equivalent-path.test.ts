/** Paths in other words: needless escapes are read, all others stay. */
import fc from 'fast-check';
import t from 'tap';
import { matchPath, withoutNeedlessEscapes } from '../../../src/http/semantics/equivalent-path.js';
import { ROUTES } from '../../../src/http/routes/routes.js';

const UNRESERVED = 'abcXYZ0189-._~';

void t.test('a path with any of its unreserved characters escaped is that path', (t) => {
  const character = fc.constantFrom(...UNRESERVED.split(''), '/', '%2F', '%25', '%00', '%C5%A1');
  fc.assert(
    fc.property(fc.array(fc.tuple(character, fc.boolean(), fc.boolean())), (characters) => {
      const plain = characters.map(([one]) => one).join('');
      const escaped = characters
        .map(([one, isEscaped, isLower]) =>
          isEscaped && UNRESERVED.includes(one) ? escapeOf(one, isLower) : one,
        )
        .join('');
      return (withoutNeedlessEscapes(escaped) ?? escaped) === plain;
    }),
  );
  t.end();
});

void t.test('reads a path once, not twice', (t) => {
  t.equal(withoutNeedlessEscapes('/%2541'), undefined);
  t.equal(withoutNeedlessEscapes('/%25%34%31'), '/%2541');
  t.end();
});

void t.test('finds the parts of a path that are parameters', (t) => {
  const station = ROUTES.find(({ path }) => path.endsWith('{station_id}/meta'));
  const meta = ROUTES.find(({ path }) => path === '/meta');
  if (station === undefined || meta === undefined) throw new Error('a route is missing');
  t.same(matchPath(station, '/1/stations/2/meta'), ['1', '2']);
  t.same(matchPath(station, '/%2F/stations/x/meta'), ['%2F', 'x']);
  t.same(matchPath(meta, '/meta'), []);
  for (const path of [
    '/1/stations/2',
    '/1/stations//meta',
    '//stations/2/meta',
    '/1/stations/2/meta/',
  ]) {
    t.equal(matchPath(station, path), undefined, path);
  }
  t.equal(matchPath(meta, '/metb'), undefined);
  t.end();
});

function escapeOf(character: string, isLower: boolean): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `%${isLower ? hex : hex.toUpperCase()}`;
}
