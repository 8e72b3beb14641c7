/** Where absolute links lead: nothing that a client says becomes more than a host. */
import fc from 'fast-check';
import t from 'tap';
import { baseUrlOf, type BaseUrlOptions } from '../../../src/http/semantics/request-base-url.js';
import type { RequestFields } from '../../../src/http/semantics/request.js';
import { FIELDS as PLAIN_FIELDS } from '../../support/readers/request-fields.js';

const FIELDS: RequestFields = { ...PLAIN_FIELDS, host: 'vazduh.example' };

const CHARACTERS = Array.from('aZ09.-_:[]@/\\#?%<"\' ');

const of = (fields: Partial<RequestFields>, options: BaseUrlOptions): string | undefined =>
  baseUrlOf({ ...FIELDS, ...fields }, options);

void t.test('is a URL with nothing but a host, or none at all', async () => {
  const host = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...CHARACTERS) }),
    fc.domain(),
    fc.ipV6().map((address) => `[${address}]:8080`),
  );
  fc.assert(
    fc.property(host, (text) => {
      const base = of({ host: text }, { trustProxy: false });
      if (base === undefined) return true;
      // Some names are none in DNS, and a number too large is no address: a browser would refuse those links.
      if (!URL.canParse(base)) return /^http:\/\/[\w.-]+(?::\d+)?$/.test(base);
      const { pathname, search, hash, username } = new URL(base);
      return pathname === '/' && search + hash + username === '' && !base.endsWith('/');
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4()), (text) => {
      return of({ host: text }, { trustProxy: false }) === `http://${text.toLowerCase()}`;
    }),
  );
});
