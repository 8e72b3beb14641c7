/** The benches' clients, against a server that reports its requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { drive } from '../../../bench/clients/closed-loop.js';
import type { Load } from '../../../bench/clients/driven.js';
import { figuresOf, startPaced } from '../../../bench/clients/paced.js';
import { eventually } from '../../support/service/service.js';

const NETWORK = {
  series: ['/measurements?organization_id=1&station_id=2&component_id=3&window=30d'],
  filters: ['station_id=2&parameter_code=PM10', 'station_id=2&parameter_code=NO2'],
  generatedAtMs: Date.UTC(2026, 8, 10),
};

async function serve(t: Test, listener: RequestListener) {
  const asked: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const load: Load = {
    server: port,
    targets: [{ path: '/a?b=c', headers: { 'Accept-Encoding': 'gzip' } }],
    fresh: undefined,
    connections: 4,
    warmupMs: 50,
    measureMs: 400,
    serverPids: [process.pid],
    cpu: undefined,
  };
  /** Drives longer while a busy machine answers little. */
  const driveLong = async (own: Partial<Load> = {}) => {
    for (let measureMs = load.measureMs; ; measureMs *= 3) {
      asked.length = 0;
      const figures = await drive('autocannon', { ...load, ...own, measureMs });
      if (figures.answers > 20 || measureMs > 10_000) return figures;
    }
  };
  return { asked, driveLong, port };
}

void t.test('autocannon counts answers, refusals and failures apart', async (t) => {
  const statuses = [200, 304, 503, 404];
  let turn = 0;
  const { asked, driveLong } = await serve(t, (_request, response) => {
    response.writeHead(statuses[(turn += 1) % statuses.length] ?? 200).end();
  });
  const { answers, refused, failures, percentiles, serverCpuUs } = await driveLong();
  t.ok(Math.abs(refused - failures) <= 2, `${refused} and ${failures}`);
  t.ok(Math.abs(answers - refused - failures) <= 4, `${answers}, ${refused}, ${failures}`);
  // CPU time is counted in hundredths of a second, and a busy machine gives this server less.
  t.ok((percentiles[50] ?? NaN) > 0 && Number.isFinite(serverCpuUs));
  t.same(new Set(asked.map(({ url }) => url)), new Set(['/a?b=c']));
  t.equal(asked[0]?.headers['accept-encoding'], 'gzip');
});

void t.test('what is fresh is asked for once', async (t) => {
  const { asked, driveLong } = await serve(t, (_request, response) => response.end('ok'));
  await driveLong({ fresh: { kind: '1d', network: NETWORK } });
  const urls = asked.map(({ url }) => url ?? '');
  const distinct = new Set(urls).size;
  const most = Math.floor(0.98 * urls.length);
  t.ok(urls.length > 1 && distinct >= most, `${distinct} of ${urls.length}`);
  t.ok(urls.every((url) => /^\/api\/v1\/observations\?station_id=2&.*&from=.*&to=/.test(url)));
});

void t.test('an even rate counts what a stall delays, and no coordinated omission', async (t) => {
  let stalledUntilMs = 0;
  const { asked, port } = await serve(t, (_request, response) => {
    if (asked.length === 20) stalledUntilMs = performance.now() + 1_500;
    setTimeout(() => response.end('ok'), Math.max(0, stalledUntilMs - performance.now()));
  });
  const targets = [{ path: '/', headers: {} }];
  const run = startPaced({ server: port, targets, connections: 2, perSecond: 100 });
  await eventually('all that was due is answered', async () => asked.length > 200);
  const record = await run.stop();
  const figures = figuresOf(record, [{ fromMs: 0, toMs: Infinity }]);
  t.equal(figures.failures, 0, figures.first.join());
  // Two connections wait; all that were due meanwhile count, too.
  const late = record.latencyMs.filter((latencyMs) => latencyMs > 100);
  t.ok(late.length > 50, `${late.length} late answers of ${figures.answers}`);
});
