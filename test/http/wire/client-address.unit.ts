/** The client that a limit counts a request for: nothing that a client writes changes it. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { clientOf, type RequestOrigin } from '../../../src/http/wire/clients.js';

/** Cases by name: the request's facts, and the client that it counts for. */
type Cases = Readonly<Record<string, readonly (readonly [Partial<RequestOrigin>, string])[]>>;

const text = await readFile('test/fixtures/cases/client-addresses.json', 'utf8');

const SOCKET = '198.51.100.7';

void t.test('a request is counted for whoever sent it, as far as that is known', async (t) => {
  const of = (origin: Partial<RequestOrigin>): string =>
    clientOf({ socketAddress: SOCKET, forwardedFor: '', trustProxy: true, ...origin });
  for (const [what, cases] of Object.entries(JSON.parse(text) as Cases)) {
    for (const [origin, expected] of cases) t.equal(of(origin), expected, what);
  }
  t.equal(of({ forwardedFor: '1'.repeat(8000) }), SOCKET, 'no address');
});
