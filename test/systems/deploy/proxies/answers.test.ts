/** nginx and Caddy as in `deploy/proxies/` before two instances: clients get the service's answers unchanged. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, gunzipSync } from 'node:zlib';
import t from 'tap';
import { clientOf } from '../../../../src/http/wire/clients.js';
import { baseUrlOf } from '../../../../src/http/semantics/request-base-url.js';
import type { RequestFields } from '../../../../src/http/semantics/request.js';
import { generateDocument } from '../../../support/documents/documents.js';
import { casesOf } from '../../../support/readers/cases.js';
import { ask, askByHttp2, type Asking } from '../../support/proxies/ask.js';
import { SITE } from '../../support/proxies/certificate.js';
import { startInstances } from '../../support/proxies/instances.js';
import { startProxy } from '../../support/proxies/proxies.js';
import { get, type Received } from '../../../support/service/requests.js';

const NAMES = ['nginx', 'caddy'] as const;
const TARGETS = casesOf('targets', 'through a proxy');
const FILES = ['README.md', 'observations_hourly_preliminary_last30days.csv'];
const EVENTS = '/api/v1/events';

/** Fields that a cache may not change; a date aside. */
const KEPT = casesOf('targets', 'fields that no cache may change');

/** None first: some proxies then request gzip themselves, and undo it. */
const CODINGS = [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'identity' }];

function comparable({ status, headers, body }: Received): unknown {
  // nginx repeats fewer fields in a 304 of its cache.
  const kept = status === 304 ? ['etag'] : KEPT;
  return [status, kept.map((name) => [name, headers[name]]), body.toString('base64')];
}

void t.test('behind each example', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'behind' }));
  const ports = [instances[0].port, instances[1].port] as const;
  const direct = (path: string, asking: Asking = {}): Promise<Received> =>
    get(instances[0], path, {
      method: asking.method ?? 'GET',
      headers: { host: SITE, ...(asking.headers as Record<string, string>) },
    });

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
    const ranges = [
      { range: 'bytes=0-99' },
      { range: 'bytes=-8' },
      { range: `bytes=100-${length}`, 'if-range': etag },
      { range: 'bytes=100-199', 'if-range': zipped ?? '' },
      { range: 'bytes=100-199', 'if-range': '"another"' },
      { range: 'bytes=100-199', 'if-match': '"another"' },
      { range: 'bytes=100-199', 'if-none-match': etag },
      { range: `bytes=${length}-` },
      { range: 'bytes=0-9,20-29' },
    ];
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
      const status = String((await ask(proxy, '/meta')).headers['cache-status']);
      t.equal(/\bhit\b/i.test(status), name === 'nginx', status);

      const catalogue = (await ask(proxy, '/api/v1/dcat')).body.toString();
      const ids = [...catalogue.matchAll(/"@id": ?"(http[^"]*)"/g)].map(([, id = '']) => id);
      t.ok(ids.includes(`https://${SITE}/api/v1/dcat#catalog`));
      t.notOk(ids.some((id) => id.includes('127.0.0.1') || id.startsWith(`http://${SITE}`)));

      const answers = await askByHttp2(proxy, TARGETS);
      for (const [at, path] of TARGETS.entries()) {
        const { status, body } = await direct(path);
        t.same(answers[at], { status, body }, `HTTP/2 ${path}`);
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
  const forged = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
  };
  for (const name of NAMES) {
    const proxy = await startProxy(t, name, [port, port]);
    const { body } = await ask(proxy, '/meta', { headers: forged, from: '127.0.0.5' });
    const fields = JSON.parse(body.toString()) as Readonly<Record<string, string>>;
    const forwardedFor = fields['x-forwarded-for'] ?? '';
    const request = {
      host: fields['host'],
      forwardedHost: fields['x-forwarded-host'],
      forwardedProto: fields['x-forwarded-proto'],
    } as RequestFields;
    const client = clientOf({ socketAddress: '127.0.0.1', forwardedFor, trustProxy: true });
    const baseUrl = baseUrlOf(request, { trustProxy: true });
    t.same([client, baseUrl], ['127.0.0.5', `https://${SITE}`], body.toString());
    // The answer ends at its first event, which no proxy may delay.
    const until = (): boolean => {
      end();
      return false;
    };
    t.equal((await ask(proxy, EVENTS, { until })).body.toString(), 'data: 1\n\n', name);
  }
});

void t.test('an event stream comes at once, also where the proxy compresses', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'compressed' }));
  const ports = [instances[0].port, instances[1].port] as const;
  for (const name of NAMES) {
    const proxy = await startProxy(t, name, ports, { compresses: true });
    for (const coding of ['identity', 'gzip']) {
      // nginx ignores `no-transform`, and sends its compressed form.
      const isZipped = name === 'nginx' && coding === 'gzip';
      const unzip = { finishFlush: constants.Z_SYNC_FLUSH };
      const textOf = (events: Buffer): string =>
        (isZipped ? gunzipSync(events, unzip) : events).toString();
      const { headers, body } = await ask(proxy, EVENTS, {
        headers: { 'accept-encoding': coding },
        until: (events) => textOf(events).includes('measurement_rows'),
      });
      // An event that a proxy keeps comes with the next comment, 15 seconds later.
      t.match(textOf(body), /^id: compressed$/m, `${name} ${coding}`);
      t.notMatch(textOf(body), /^:/m);
      t.match(headers, { 'content-type': 'text/event-stream' }, name);
      t.equal(headers['content-encoding'], isZipped ? 'gzip' : undefined, name);
      t.equal(headers['cache-control'], 'no-store, no-transform', name);
    }
  }
});

void t.test('limits of nginx hold for each client by itself', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'limits' }));
  const proxy = await startProxy(t, 'nginx', [instances[0].port, instances[1].port]);
  const paths = Array.from({ length: 720 }, () => '/meta');
  const statuses = (await askByHttp2(proxy, paths, '127.0.0.6')).map(({ status }) => status);
  t.same([...new Set(statuses)].toSorted(), [200, 429]);
  t.equal((await ask(proxy, '/meta', { from: '127.0.0.7' })).status, 200, 'another client');
});
