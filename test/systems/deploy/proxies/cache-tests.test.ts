/** All four examples, as caches: what the public `http-cache-tests` say of each is as the fixture lists it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { CACHE_TESTS } from '../../../../tools/system.mjs';
import { spawnPlain } from '../../../support/service/plain-node.js';
import { holdPort } from '../../../support/service/ports.js';
import { eventually } from '../../../support/service/service.js';
import {
  ask,
  PROXIES,
  startProxy,
  type ProxyAddress,
  type ProxyName,
} from '../../support/proxies/proxies.js';

/** Ids of the tests that do not pass, by proxy and by the reason; all others pass. */
const NOT_PASSED = JSON.parse(
  await readFile('test/fixtures/rules/cache-tests.json', 'utf8'),
) as Readonly<Record<ProxyName, Readonly<Record<string, readonly string[]>>>>;

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

type Results = Record<string, true | [kind: string, words: string]>;

interface CacheTest {
  readonly id: string;
  readonly browser_only?: boolean;
}

interface Suite {
  readonly tests: readonly CacheTest[];
}

type Fetch = (
  url: string,
  options?: { method?: string; headers?: (readonly [string, string])[]; body?: string },
) => Promise<unknown>;

interface Client {
  readonly makeCacheTest: (test: CacheTest) => Promise<void>;
  readonly testResults: Results;
  readonly setFetch: (fetch: Fetch) => void;
}

/** Starts the tests' own origin server; resolves with its port when it answers. */
async function startCacheOrigin(t: Test): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'bura-cache-origin-'));
  const port = await holdPort(t);
  // It sends files of its directory, such as those that proxies ask whether it is ready.
  await mkdir(join(directory, 'health'));
  for (const name of ['live', 'ready']) await writeFile(join(directory, 'health', name), 'yes');
  const environment = {
    npm_config_protocol: 'http',
    npm_config_port: String(port),
    npm_config_pidfile: join(directory, 'pid'),
  };
  const words = [process.execPath, join(CACHE_TESTS, 'server/server.mjs')];
  const origin = spawnPlain(words, environment, { cwd: directory, stdio: 'ignore' });
  t.teardown(async () => {
    origin.kill();
    await rm(directory, { recursive: true, maxRetries: 5 });
  });
  await eventually('the origin server answers', async () => {
    const direct = { port, certificate: undefined };
    return (await ask(direct, '/health/ready').catch(() => undefined))?.status === 200;
  });
  return port;
}

async function cacheTests(): Promise<readonly CacheTest[]> {
  const { default: suites } = await load<{ readonly default: readonly Suite[] }>('tests/index.mjs');
  const path = 'tests/surrogate-control.mjs';
  const { default: surrogate } = await load<{ readonly default: Suite }>(path);
  const tests = [...suites, surrogate].flatMap((suite) => suite.tests);
  return tests.filter(({ browser_only: isForBrowsers }) => isForBrowsers !== true);
}

/** Runs tests through a proxy, a number of them at one time. */
async function runCacheTests(
  proxy: ProxyAddress,
  tests: readonly CacheTest[],
  atOnce: number,
): Promise<Results> {
  const { makeCacheTest, testResults } = await load<Client>('client/test.mjs');
  const { setFetch } = await load<Client>('client/config.mjs');
  let clients = 0;
  setFetch(async (url, { method = 'GET', headers = [], body } = {}) => {
    // Each request is from another client, whose requests no proxy limits.
    clients += 1;
    const from = `127.1.${clients >> 8}.${clients & 255}`;
    const fields: Record<string, string[]> = { 'accept-encoding': ['gzip'] };
    for (const [name, value] of headers) (fields[name.toLowerCase()] ??= []).push(value);
    const answer = await ask(proxy, url, { method, headers: fields, content: body, from });
    const received = new Headers();
    for (let at = 0; at < answer.rawHeaders.length; at += 2) {
      received.append(answer.rawHeaders[at] ?? '', answer.rawHeaders[at + 1] ?? '');
    }
    const text = () => Promise.resolve(answer.body.toString());
    return { status: answer.status, headers: received, text };
  });
  for (const id of Object.keys(testResults)) Reflect.deleteProperty(testResults, id);
  const waiting = structuredClone(tests).values();
  const work = async (): Promise<void> => {
    for (const test of waiting) await makeCacheTest(test);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { ...testResults };
}

async function load<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(join(CACHE_TESTS, file)).href)) as T;
}
