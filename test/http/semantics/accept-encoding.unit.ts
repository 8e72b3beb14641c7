/** Which form a client gets, by its `Accept-Encoding`. */
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
