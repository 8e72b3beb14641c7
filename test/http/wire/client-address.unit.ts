/** The client that a limit counts a request for: nothing that a client writes changes it. */
import t from 'tap';
import { clientOf, type RequestOrigin } from '../../../src/http/wire/clients.js';

const SOCKET = '198.51.100.7';

const of = (origin: Partial<RequestOrigin>): string =>
  clientOf({ socketAddress: SOCKET, forwardedFor: '', trustProxy: true, ...origin });

/** Cases by name: the request's facts, and the client that it counts for. */
const CASES: Readonly<Record<string, readonly (readonly [Partial<RequestOrigin>, string])[]>> = {
  'the other end of the connection, where no proxy is trusted or it does not say': [
    [{ forwardedFor: '192.0.2.1', trustProxy: false }, SOCKET],
    [{ forwardedFor: '' }, SOCKET],
  ],
  'the last entry of a list, since the ones before are the client’s': [
    [{ forwardedFor: '192.0.2.1' }, '192.0.2.1'],
    [{ forwardedFor: '203.0.113.9, 10.0.0.1,192.0.2.1 ' }, '192.0.2.1'],
  ],
  'without a port': [
    [{ forwardedFor: '192.0.2.1:4711' }, '192.0.2.1'],
    [{ forwardedFor: '[2001:db8::1]:4711' }, '2001:db8:0:0::/64'],
  ],
  'the connection again, where the last entry is no address': [
    'unknown',
    '_hidden',
    '192.0.2.1,',
    '192.0.2.1, x',
    '1'.repeat(8000),
    '[',
    ':',
    '999.0.0.1',
  ].map((forwardedFor) => [{ forwardedFor }, SOCKET]),
  'one for all addresses of an IPv6 /64, in whatever form': [
    [{ socketAddress: '2001:db8:0:7::1' }, '2001:db8:0:7::/64'],
    [{ socketAddress: '2001:0db8:0000:0007:ffff:ffff:ffff:ffff' }, '2001:db8:0:7::/64'],
    [{ socketAddress: '2001:DB8:0:7:0:0:0:1' }, '2001:db8:0:7::/64'],
    [{ socketAddress: '2001:db8:0:7::192.0.2.1' }, '2001:db8:0:7::/64'],
    [{ socketAddress: '2001:db8:0:8::1' }, '2001:db8:0:8::/64'],
    [{ socketAddress: '::1' }, '0:0:0:0::/64'],
    [{ socketAddress: 'fe80::1%eth0' }, 'fe80:0:0:0::/64'],
  ],
  'the IPv4 address, where an IPv6 socket shows one': [
    [{ socketAddress: '::ffff:192.0.2.1' }, '192.0.2.1'],
    [{ socketAddress: '0000:0000:0000:0000:0000:ffff:c000:0201' }, '192.0.2.1'],
  ],
};

void t.test('a request is counted for whoever sent it, as far as that is known', async (t) => {
  for (const [what, cases] of Object.entries(CASES)) {
    for (const [origin, expected] of cases) t.equal(of(origin), expected, what);
  }
});
