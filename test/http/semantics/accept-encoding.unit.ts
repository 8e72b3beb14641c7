/** Which form a client gets, by its `Accept-Encoding`. */
import fc from 'fast-check';
import t from 'tap';
import { prefersGzip } from '../../../src/http/semantics/representation.js';

const PREFERENCES = new Map([
  ['', false],
  ['gzip', true],
  ['x-gzip', true],
  ['br, gzip', true],
  ['br', false],
  ['identity', false],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0', false],
  ['gzip;q=0.0', false],
  ['gzip;q=0.001', true],
  ['gzip;q=1.000', true],
  ['gzip;q=1.001', false],
  ['gzip;q=2', false],
  ['gzip;q=-1', false],
  ['gzip;q=', false],
  ['gzip;q=0,*', false],
  ['*;q=0,gzip;q=0.1', true],
  ['identity;q=0,gzip;q=0.1', true],
  ['identity;q=0', false],
  ['identity;q=0.5,gzip;q=0.4', false],
  ['identity;q=0.5,gzip;q=0.5', true],
  ['identity;q=0.5,*;q=0.4', false],
  ['gzip;level=9', true],
  ['gzip;level=9;q=0', false],
  [',', false],
  [';q=1', false],
]);

void t.test('follows the weights', async (t) => {
  for (const [preference, expected] of PREFERENCES)
    t.equal(prefersGzip(preference), expected, preference);
});

void t.test('does not mind case and blanks, or what other clients have asked for', async () => {
  const blank = fc.constantFrom('', ' ', '\t', '  ');
  fc.assert(
    fc.property(
      fc.constantFrom(...PREFERENCES),
      fc.array(fc.tuple(blank, blank), { minLength: 12, maxLength: 12 }),
      fc.boolean(),
      ([preference, expected], blanks, isLoud) => {
        let at = 0;
        const spaced = preference.replaceAll(/[,;]/g, (sign) => {
          const [before = '', after = ''] = blanks[at++] ?? [];
          return before + sign + after;
        });
        return prefersGzip(isLoud ? spaced.toUpperCase() : spaced) === expected;
      },
    ),
  );
});

void t.test('does not care about codings that it does not know', async () => {
  const foreign = fc.tuple(
    fc.constantFrom('br', 'zstd', 'deflate', 'compress', 'gzipped', 'q=1', 'gzip2'),
    fc.constantFrom('', ';q=0', ';q=0.5', ';q=1'),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...PREFERENCES),
      fc.array(foreign),
      ([preference, expected], others) => {
        const list = [preference, ...others.map((parts) => parts.join(''))].filter(
          (item) => item !== '',
        );
        return prefersGzip(list.join(', ')) === expected;
      },
    ),
  );
});
