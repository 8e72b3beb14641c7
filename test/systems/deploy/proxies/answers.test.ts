/** The examples of `deploy/proxies/` before two instances: clients get the service's answers unchanged. */
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
import { PROXIES, startProxy, type Proxy } from '../../support/proxies/proxies.js';
import { sendRaw } from '../../../support/service/connection.js';
import { get, type Received } from '../../../support/service/requests.js';

const TARGETS = casesOf('targets', 'through a proxy');
const FILES = ['README.md', 'observations_hourly_preliminary_last30days.csv'];

const EVENTS = '/api/v1/events';

/** Fields that a cache may not change; a date aside. */
const KEPT = casesOf('targets', 'fields that no cache may change');

/** None first: some proxies then request gzip themselves, and undo it. */
const CODINGS = [undefined, 'gzip', 'identity'];

/** Proxies that cache answers. */
const CACHES: readonly string[] = ['nginx', 'haproxy', 'varnish'];

function comparable({ status, headers, body }: Received): unknown {
  return [status, KEPT.map((name) => [name, headers[name]]), body.toString('base64')];
}

void t.test('behind each example', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'behind' }));
  const ports = [instances[0].port, instances[1].port] as const;
  const direct = (path: string, asking: Asking = {}): Promise<Received> =>
    get(instances[0], path, { ...asking, headers: { host: SITE, ...asking.headers } });

  for (const name of PROXIES) {
    await t.test(name, async (t) => {
      const proxy = await startProxy(t, name, ports);

      // Twice: from an instance, and from the cache.
      for (const round of ['first', 'second']) {
        for (const path of TARGETS) {
          for (const coding of CODINGS) {
            const asking = coding === undefined ? {} : { headers: { 'accept-encoding': coding } };
            const what = `${round} ${coding ?? 'no coding'} ${path}`;
            const [through, expected] = [
              await ask(proxy, path, asking),
              await direct(path, asking),
            ];
            t.same(comparable(through), comparable(expected), what);
          }
          const head = await ask(proxy, path, { method: 'HEAD' });
          const whole = await direct(path);
          t.same(comparable(head), comparable({ ...whole, body: Buffer.alloc(0) }), `HEAD ${path}`);
        }
      }
      const asking = { headers: { 'accept-encoding': 'gzip' } };
      await ask(proxy, '/meta', asking);
      const status = String((await ask(proxy, '/meta', asking)).headers['cache-status']);
      t.equal(/\bhit\b/i.test(status), CACHES.includes(name), status);

      for (const path of TARGETS.filter((path) => path !== '/nosuch')) {
        const { etag = '' } = (await direct(path)).headers;
        // Varnish gives the whole answer to a request with several tags.
        const tags = name === 'varnish' ? etag : `"other", ${etag}`;
        const known = await ask(proxy, path, { headers: { 'if-none-match': tags } });
        t.same([known.status, known.headers.etag, known.body.length], [304, etag, 0], path);
        const unknown = await ask(proxy, path, { headers: { 'if-none-match': 'W/"other"' } });
        t.equal(unknown.status, 200, path);
      }

      for (const path of FILES.map((file) => `/api/v1/bulk/${file}`)) {
        const { etag = '', 'content-length': length = '' } = (await direct(path)).headers;
        const zipped = { 'accept-encoding': 'gzip' };
        const { headers: ofZipped } = await direct(path, { headers: zipped });
        const ranges: readonly Readonly<Record<string, string>>[] = [
          { range: 'bytes=0-99' },
          { range: 'bytes=-8' },
          { range: `bytes=100-${length}`, 'if-range': etag },
          { range: 'bytes=100-199', 'if-range': ofZipped.etag ?? '' },
          { range: 'bytes=100-199', 'if-range': '"another"' },
          { range: 'bytes=100-199', 'if-match': '"another"' },
          { range: 'bytes=100-199', 'if-none-match': etag },
          { range: `bytes=${length}-` },
          { range: 'bytes=0-9,20-29' },
        ];
        // Before any whole answer, and after one of each form, which caches keep from then on.
        for (const [at, warmed] of ['nothing', 'gzip', 'identity'].entries()) {
          // Each is few enough for the limits of one client.
          const from = `127.0.${FILES.length}.${FILES.findIndex((file) => path.endsWith(file)) * 3 + at + 1}`;
          if (warmed !== 'nothing') {
            const whole = { headers: { 'accept-encoding': warmed } };
            t.same(
              comparable(await ask(proxy, path, { ...whole, from })),
              comparable(await direct(path, whole)),
            );
          }
          for (const range of ranges) {
            for (const coding of [undefined, 'gzip']) {
              const asked = coding === undefined ? range : { ...range, 'accept-encoding': coding };
              const through = await ask(proxy, path, { headers: asked, from });
              const what = `${path} after ${warmed}: ${JSON.stringify(asked)}`;
              t.same(comparable(through), comparable(await direct(path, { headers: asked })), what);
            }
          }
        }
      }

      // An answer that is not a file has no ranges.
      for (const path of ['/stations', '/api/v1/observations', '/nosuch']) {
        const part = { headers: { range: 'bytes=0-9', 'accept-encoding': 'gzip' } };
        t.same(
          comparable(await ask(proxy, path, part)),
          comparable(await direct(path, part)),
          path,
        );
      }

      const catalogue = (await ask(proxy, '/api/v1/dcat')).body.toString();
      const ids = [...catalogue.matchAll(/"@id": ?"(http[^"]*)"/g)].map(([, id = '']) => id);
      t.ok(ids.includes(`https://${SITE}/api/v1/dcat#catalog`));
      t.same(
        ids.filter((id) => id.includes('127.0.0.1') || id.startsWith(`http://${SITE}`)),
        [],
      );

      if (proxy.certificate !== undefined) {
        const answers = await askByHttp2(proxy, TARGETS);
        for (const [at, path] of TARGETS.entries()) {
          const { status, headers, body } = await direct(path);
          const answer = answers[at];
          t.same(
            [answer?.status, answer?.headers['etag'], answer?.body.equals(body)],
            [status, headers.etag, true],
            `HTTP/2 ${path}`,
          );
        }
      }
    });
  }
  for (const instance of instances) t.same(await instance.stop(), { code: 0, signal: null });
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
  const shown = ({ body }: Pick<Received, 'body'>): Readonly<Record<string, string>> =>
    JSON.parse(body.toString()) as Record<string, string>;

  const heard = (fields: Readonly<Record<string, string>>): readonly unknown[] => {
    const forwardedFor = fields['x-forwarded-for'] ?? '';
    const request = {
      host: fields['host'],
      forwardedHost: fields['x-forwarded-host'],
      forwardedProto: fields['x-forwarded-proto'],
    } as RequestFields;
    return [
      clientOf({ socketAddress: '127.0.0.1', forwardedFor, trustProxy: true }),
      baseUrlOf(request, { trustProxy: true }),
    ];
  };

  for (const name of PROXIES) {
    const proxy = await startProxy(t, name, [port, port]);
    const scheme = proxy.certificate === undefined ? 'http' : 'https';
    const fields = shown(await ask(proxy, '/meta', { headers: forged, from: '127.0.0.5' }));
    t.same(
      heard(fields),
      ['127.0.0.5', `${scheme}://${SITE}`],
      `${name} ${JSON.stringify(fields)}`,
    );
    // The answer ends at its first event, which no proxy may delay.
    const events = await ask(proxy, EVENTS, {
      onPiece: () => {
        end();
      },
    });
    t.equal(events.body.toString(), 'data: 1\n\n', name);
    if (proxy.innerPort !== undefined) {
      const fields = shown({ body: await askByProxyProtocol(proxy.innerPort, '203.0.113.9') });
      t.same(heard(fields), ['203.0.113.9', `https://${SITE}`], JSON.stringify(fields));
    }
  }
});

/** An event that a proxy keeps comes with the next comment, which is 15 seconds later at the most. */
const AT_ONCE_MS = 3_000;

void t.test('an event stream comes at once, also where the proxy compresses', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'compressed' }));
  const ports = [instances[0].port, instances[1].port] as const;
  for (const [name, compresses] of PROXIES.flatMap((name) => [
    [name, false] as const,
    [name, true] as const,
  ])) {
    const proxy = await startProxy(t, name, ports, { compresses });
    for (const coding of ['identity', 'gzip']) {
      // nginx ignores `no-transform`, and sends its compressed form.
      const isZipped = name === 'nginx' && compresses && coding === 'gzip';
      const askedAt = performance.now();
      const textOf = (events: Buffer): string =>
        (isZipped
          ? gunzipSync(events, { finishFlush: constants.Z_SYNC_FLUSH })
          : events
        ).toString();
      const { headers, body } = await ask(proxy, EVENTS, {
        headers: { 'accept-encoding': coding },
        until: (events) => textOf(events).includes('measurement_rows'),
      });
      t.match(textOf(body), /^id: compressed$/m, `${name} ${coding}`);
      const tookMs = performance.now() - askedAt;
      t.ok(tookMs < AT_ONCE_MS, `${name} ${coding}: ${tookMs} ms`);
      t.match(headers, { 'content-type': 'text/event-stream' }, name);
      t.equal(headers['content-encoding'], isZipped ? 'gzip' : undefined, name);
      t.equal(headers['cache-control'], 'no-store, no-transform', name);
    }
  }
});

void t.test('limits hold for each client by itself', async (t) => {
  const instances = await startInstances(t, generateDocument({ snapshotId: 'limits' }));
  const ports = [instances[0].port, instances[1].port] as const;
  for (const name of ['nginx', 'haproxy'] as const) {
    const proxy = await startProxy(t, name, ports);
    const answers = await flood(proxy, '127.0.0.6');
    const refused = answers.filter((status) => status === 429).length;
    t.ok(refused > 0 && refused < answers.length, `${name}: ${refused} of ${answers.length}`);
    t.same(
      answers.filter((status) => status !== 429 && status !== 200),
      [],
    );
    t.equal((await ask(proxy, '/meta', { from: '127.0.0.7' })).status, 200, `${name}, another`);
  }
});

/** Statuses of many requests of one client. */
async function flood(proxy: Proxy, from: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const paths = Array.from({ length: 60 }, () => '/meta');
    for (const { status } of await askByHttp2(proxy, paths, from)) statuses.push(status);
  }
  return statuses;
}

/** The body of an answer to a request like that of a TLS proxy with a PROXY header (version 2, with `PP2_TYPE_SSL`). */
async function askByProxyProtocol(port: number, client: string): Promise<Buffer> {
  const octets = (address: string): Buffer => Buffer.from(address.split('.').map(Number));
  // Over TLS, with a client certificate or not, and verified or not.
  const tls = Buffer.from([0x20, 0, 5, 0x01, 0, 0, 0, 1]);
  const addresses = Buffer.concat([
    octets(client),
    octets('127.0.0.1'),
    Buffer.from([0x30, 0x39, 0x01, 0xbb]),
  ]);
  const length = addresses.length + tls.length;
  const { received } = await sendRaw(port, [
    Buffer.concat([
      Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'),
      Buffer.from([0x21, 0x11, length >> 8, length & 0xff]),
      addresses,
      tls,
      Buffer.from(`GET /meta HTTP/1.1\r\nHost: ${SITE}\r\nConnection: close\r\n\r\n`),
    ]),
  ]);
  return received.subarray(received.indexOf('\r\n\r\n') + 4);
}
