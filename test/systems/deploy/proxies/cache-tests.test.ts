import t from 'tap';
import { writeFile } from 'node:fs/promises';
import { cacheTests, runCacheTests, startCacheOrigin } from '../../support/proxies/cache-tests.js';
import { PROXIES, startProxy } from '../../support/proxies/proxies.js';

void t.test('experiment', async (t) => {
  const origin = await startCacheOrigin(t);
  const tests = await cacheTests();
  for (const name of PROXIES) {
    const proxy = await startProxy(t, name, [origin, origin]);
    const from = performance.now();
    const results = await runCacheTests(proxy, tests);
    t.comment(`${name} ${performance.now() - from} ${Object.keys(results).length} ${Object.values(results).filter((r) => r === true).length}`);
    await writeFile(`/tmp/hct/${name}.${process.env.ROUND ?? '1'}.json`, JSON.stringify(results, null, 1));
  }
});
