/** nginx and Caddy as in `deploy/proxies/` before two instances: clients get the service's answers unchanged. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { generateDocument } from '../../../support/documents/documents.js';
import { casesOf } from '../../../support/readers/cases.js';
import {
  ask,
  SITE,
  startInstances,
  startProxy,
  type Asking,
  type Proxy,
} from '../../support/proxies/proxies.js';
import { get, type Received } from '../../../support/service/requests.js';

const NAMES = ['nginx', 'caddy'] as const;
const TARGETS = casesOf('targets', 'through a proxy');
const FILES = ['README.md', 'observations_hourly_preliminary_last30days.csv'];
const EVENTS = '/api/v1/events';

/** Fields that a cache may not change; a date aside. */
const KEPT = casesOf('targets', 'fields that no cache may change');

/** None first: some proxies then request gzip themselves, and undo it. */
const CODINGS = [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'identity' }];

async function curl({ port }: Proxy, path: string, ...options: string[]): Promise<string> {
  const to = ['--connect-to', `${SITE}:443:127.0.0.1:${port}`, `https://${SITE}${path}`];
  const words = ['--silent', '--insecure', '--http2', '--output', '/dev/null', ...options, ...to];
  return (await promisify(execFile)('curl', words)).stdout;
}

function comparable({ status, headers, body }: Received): unknown {
  // nginx repeats fewer fields in a 304 of its cache.
  const kept = status === 304 ? ['etag'] : KEPT;
  return [status, kept.map((name) => [name, headers[name]]), body.toString('base64')];
}

void t.test('behind each example', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'behind' }));
  const ports = [instances[0].port, instances[1].port] as const;
  const direct = (path: string, { method = 'GET', headers }: Asking = {}): Promise<Received> =>
    get(instances[0], path, { method, headers: { host: SITE, ...headers } });
  const requests: (readonly [path: string, asking: Asking])[] = [];
  for (const path of TARGETS) {
    const { etag } = (await direct(path)).headers;
    const tags = etag === undefined ? [] : [`"other", ${etag}`, 'W/"other"'];
    for (const headers of [...CODINGS, ...tags.map((tag) => ({ 'if-none-match': tag }))]) {
      requests.push([path, { headers }]);
    }
    requests.push([path, { method: 'HEAD' }]);
  }
  for (const path of FILES.map((file) => `/api/v1/bulk/${file}`)) {
    const { etag = '', 'content-length': length = '' } = (await direct(path)).headers;
    const zipped = (await direct(path, { headers: { 'accept-encoding': 'gzip' } })).headers.etag;
    const ranges = casesOf('targets', 'ranges').map((text) => {
      const values: Readonly<Record<string, string | undefined>> = { etag, zipped, length };
      const written = text.replaceAll(/<(\w+)>/g, (_all, name: string) => values[name] ?? '');
      const fields = [...written.matchAll(/([\w-]+): (.*?)(?:; |$)/g)];
      return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
    });
    // Before any whole answer, and after one of each form, which a cache keeps from then on.
    for (const whole of [...CODINGS.slice(1), undefined]) {
      for (const range of ranges) {
        requests.push([path, { headers: range }]);
        requests.push([path, { headers: { ...range, 'accept-encoding': 'gzip' } }]);
      }
      if (whole !== undefined) requests.push([path, { headers: whole }]);
    }
  }
  // An answer that is not a file has no ranges.
  for (const path of ['/stations', '/api/v1/observations', '/nosuch']) {
    requests.push([path, { headers: { range: 'bytes=0-9', 'accept-encoding': 'gzip' } }]);
  }
  for (const name of NAMES) {
    await t.test(name, async (t) => {
      const proxy = await startProxy(t, name, ports);
      // Twice: from an instance, and from the cache.
      for (const round of [1, 2]) {
        for (const [at, [path, asking]] of requests.entries()) {
          // Each client is below the limits.
          const through = await ask(proxy, path, { ...asking, from: `127.0.${round}.${at % 250}` });
          const what = `${round} ${path} ${JSON.stringify(asking)}`;
          t.same(comparable(through), comparable(await direct(path, asking)), what);
        }
      }
      await ask(proxy, '/meta');
      const status = String((await ask(proxy, '/meta')).headers['cache-status']);
      t.equal(/\bhit\b/i.test(status), name === 'nginx', status);
      const catalogue = (await ask(proxy, '/api/v1/dcat')).body.toString();
      const ids = [...catalogue.matchAll(/"@id": ?"(http[^"]*)"/g)].map(([, id = '']) => id);
      t.ok(ids.includes(`https://${SITE}/api/v1/dcat#catalog`));
      t.notOk(ids.some((id) => id.includes('127.0.0.1') || id.startsWith(`http://${SITE}`)));
      t.equal(await curl(proxy, '/meta', '--write-out', '%{http_version}'), '2', 'HTTP/2');
    });
  }
  for (const name of ['haproxy', 'varnish'] as const) {
    await t.test(name, async (t) => {
      const proxy = await startProxy(t, name, ports);
      const asking = { headers: { 'accept-encoding': 'gzip' } };
      for (const isHit of [false, true]) {
        const through = await ask(proxy, '/meta', asking);
        t.same(comparable(through), comparable(await direct('/meta', asking)));
        t.equal(/\bhit\b/i.test(String(through.headers['cache-status'])), isHit);
      }
    });
  }
});

void t.test('an instance learns who asks, and a stream is passed on as it comes', async (t) => {
  let end = (): void => undefined;
  const server = createServer((request, response) => {
    if (request.url === EVENTS) {
      response.setHeader('Content-Type', 'text/event-stream').write('data: 1\n\n');
      end = () => response.end();
      return;
    }
    response.setHeader('Cache-Control', 'no-store').end(JSON.stringify(request.headers));
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const names = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];
  const forged = Object.fromEntries(names.map((name) => [name, 'evil.example']));
  for (const name of NAMES) {
    const proxy = await startProxy(t, name, [port, port]);
    const { body } = await ask(proxy, '/meta', { headers: forged, from: '127.0.0.5' });
    const fields = JSON.parse(body.toString()) as Readonly<Record<string, string>>;
    const heard = names.map((one) => fields[one]?.split(', ').at(-1));
    t.same(heard, ['127.0.0.5', SITE, 'https'], body.toString());
    // The answer ends at its first event, which no proxy may delay.
    const until = (): boolean => {
      end();
      return false;
    };
    t.equal((await ask(proxy, EVENTS, { until })).body.toString(), 'data: 1\n\n', name);
  }
});

void t.test('limits of nginx hold for each client by itself', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'limits' }));
  const proxy = await startProxy(t, 'nginx', [instances[0].port, instances[1].port]);
  const parallel = ['--parallel', '--parallel-max', '300', '--interface', '127.0.0.6'];
  const written = await curl(proxy, '/meta?[1-720]', ...parallel, '--write-out', '%{http_code} ');
  const statuses = written.trim().split(' ').map(Number);
  t.same([...new Set(statuses)].toSorted(), [200, 429]);
  t.equal((await ask(proxy, '/meta', { from: '127.0.0.7' })).status, 200, 'another client');
});

void t.test('Caddy accepts the configuration of a first service', async (t) => {
  const page = await readFile('docs/operations/first-service.md', 'utf8');
  const [, configuration = ''] = /```caddy\n([^]*?)```/.exec(page) ?? [];
  const file = join(t.testdir(), 'Caddyfile');
  await writeFile(file, configuration);
  const words = ['adapt', '--adapter', 'caddyfile', '--config', file];
  const { stdout } = await promisify(execFile)('caddy', words);
  t.match(stdout, '"host":["data.example.org"]');
  t.match(stdout, '"dial":"127.0.0.1:8080"');
  t.match(stdout, '"compression":false');
});
