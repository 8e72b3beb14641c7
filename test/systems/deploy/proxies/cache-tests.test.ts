/** All four examples, as caches: what the public `http-cache-tests` say of each is as the fixture lists it. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { cacheTests, runCacheTests, startCacheOrigin } from '../../support/proxies/cache-tests.js';
import { PROXIES, startProxy, type ProxyName } from '../../support/proxies/proxies.js';

/** Ids of the tests that do not pass, by proxy and by the reason; all others pass. */
type NotPassed = Readonly<Record<ProxyName, Readonly<Record<string, readonly string[]>>>>;

const NOT_PASSED = JSON.parse(
  readFileSync('test/fixtures/rules/cache-tests.json', 'utf8'),
) as NotPassed;

void t.test('each proxy is the cache that the fixture describes', async (t) => {
  const origin = await startCacheOrigin(t);
  const tests = await cacheTests();
  t.equal(tests.length, 350);
  for (const name of PROXIES) {
    const expected = Object.values(NOT_PASSED[name]).flat();
    t.equal(new Set(expected).size, expected.length, 'each has one reason');
    const proxy = await startProxy(t, name, [origin, origin]);
    let different: readonly string[] = tests.map(({ id }) => id);
    // On a slow machine, a cache that keeps an answer for seconds has lost it: fewer tests at one time are no load.
    for (const atOnce of [120, 20, 5]) {
      const chosen = tests.filter(({ id }) => different.includes(id));
      const results = await runCacheTests(proxy, chosen, atOnce);
      const isPassed = (id: string): boolean => results[id] === true;
      different = different.filter((id) => isPassed(id) === expected.includes(id));
      if (different.length > 0) t.comment(`${name}, ${atOnce} at once: ${different.join(' ')}`);
    }
    t.same(different, [], `${name} passes those that it did not, or the other way round`);
  }
});
