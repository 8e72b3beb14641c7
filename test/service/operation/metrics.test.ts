/** Metrics of real requests and processes: what was asked is what was counted. */
import t, { type Test } from 'tap';
import { serveFaulty } from '../../support/faults/web-store.js';
import {
  generateDocument,
  objectsOf,
  snapshotDocument,
} from '../../support/documents/documents.js';
import { Connection } from '../../support/service/connection.js';
import { get, getJson, type RequestOptions } from '../../support/service/requests.js';
import { adminPortOf, answersOf, scrape, sumOf } from '../../support/service/scrape.js';
import { eventually, makeRoot, publish, startService } from '../../support/service/service.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';

const env = { ADMIN_PORT: '0', POINTER_POLL_SECONDS: '0.05', WORKER_THREADS: '1' };

/** More than 64 KiB as a stream, so that it is a large answer. */
const largeDocument = () => generateDocument({ stations: 4, components: 3, hours: 720 });
const STREAM = '/api/v1/observations/stream';
const GZIP = { headers: { 'Accept-Encoding': 'gzip' } };

const service = await startServing(t, largeDocument(), { env });
const { generated_at: generatedAt, counts } = (await getJson(service, '/meta')).body as {
  readonly generated_at: string;
  readonly counts: { readonly measurement_rows: number };
};
const generatedAtMs = Date.parse(generatedAt);

const sampleOf = async (series: string): Promise<number> =>
  (await scrape(service)).samples.get(series) ?? NaN;
const jobs = (): Promise<number> => sampleOf('bura_jobs_started_total');

await t.test('counts what was asked by route, status and coding, and what is served', async (t) => {
  const before = (await scrape(service)).samples;
  const bytes = { identity: 0, gzip: 0 };
  const ask = async (times: number, path: string, options?: RequestOptions): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      const { body, headers } = await get(service, path, options);
      bytes[headers['content-encoding'] === 'gzip' ? 'gzip' : 'identity'] += body.byteLength;
    }
  };
  await ask(7, '/meta');
  await ask(3, '/meta', { headers: { 'If-None-Match': '*' } });
  await ask(2, '/meta', { method: 'HEAD' });
  await ask(1, '/meta', { method: 'POST' });
  await ask(4, STREAM, GZIP);
  await ask(2, STREAM);
  await ask(2, '/1/stations');
  await ask(2, '/x/stations');
  await ask(1, '/?q=nothing-that-is-there');
  for (let path = 0; path < 30; path += 1) await ask(1, `/no/${path}`);

  const { text, samples } = await scrape(service);
  for (const line of [
    'bura_snapshot_served 1',
    'bura_store_reachable 1',
    'bura_swaps_total 1',
    'bura_fronts_alive 1',
    'bura_fronts_replaced_total 0',
  ]) {
    t.ok(text.includes(`${line}\n`), line);
  }
  t.equal(samples.get('bura_snapshot_generated_at_seconds'), generatedAtMs / 1000);
  const admin = { port: await adminPortOf(service) };
  t.match((await get(admin, '/metrics')).headers['content-type'], /^text\/plain; version=0\.0\.4/);
  await t.rejects(fetch(`http://127.0.0.2:${admin.port}/metrics`), 'on 127.0.0.1 only');
  // With the one before.
  t.same(answersOf(samples, '/meta'), { 200: 10, 304: 3, 405: 1 });
  t.same(answersOf(samples, STREAM), { 200: 6 });
  t.same(answersOf(samples, '/{organization_id}/stations'), { 200: 2, 422: 2 });
  t.same(answersOf(samples, 'other'), { 404: 30 }, 'one label for all that is nonsense');
  t.notMatch(text, '/no/');
  const duration = 'bura_http_request_duration_seconds';
  for (const [route, count] of [
    ['/meta', 14],
    [STREAM, 6],
    ['other', 30],
  ] as const) {
    t.equal(samples.get(`${duration}_count{route="${route}"}`), count, `durations of ${route}`);
    const sum = samples.get(`${duration}_sum{route="${route}"}`) ?? NaN;
    t.ok(sum > 0 && sum < 60, `${route} took ${sum} s`);
    t.equal(samples.get(`${duration}_bucket{route="${route}",le="+Inf"}`), count);
  }
  for (const coding of ['identity', 'gzip'] as const) {
    const series = `bura_http_response_body_bytes_total{coding="${coding}"}`;
    t.equal((samples.get(series) ?? 0) - (before.get(series) ?? 0), bytes[coding], coding);
  }
  await eventually('no job is under way', async () => {
    const { samples: later } = await scrape(service);
    const ran = sumOf(later, 'bura_job_run_seconds_count');
    const queued = sumOf(later, 'bura_job_queue_seconds_count');
    return ran === queued && ran === later.get('bura_jobs_started_total');
  });
  const pages = ['kind="render-page"'];
  t.ok(sumOf((await scrape(service)).samples, 'bura_job_run_seconds_count', pages) > 0);
});

await t.test('small filters take no worker, larger ones one for a whole hour', async (t) => {
  const from = (days: number, milliseconds: number): string =>
    new Date(generatedAtMs - days * 86_400_000 + milliseconds).toISOString();
  const count = async (query: string): Promise<number> => {
    const { headers } = await get(service, `/api/v1/observations?${query}`, GZIP);
    return Number(headers['x-record-count']);
  };
  const before = await jobs();
  for (let time = 1; time <= 20; time += 1) {
    const few = await count(`station_id=1&from=${from(1, time)}`);
    t.ok(few > 3 && few <= 69, `${few} records`);
  }
  t.equal(await jobs(), before, 'found by the front');
  for (let time = 1; time <= 20; time += 1) t.ok((await count(`from=${from(20, time)}`)) > 1000);
  t.equal(await jobs(), before + 1, 'one job');
});

await t.test(
  'clients that ask for the same at once share one job, and a known tag takes none',
  async (t) => {
    const before = await jobs();
    const pages = await Promise.all(Array.from({ length: 20 }, () => get(service, '/?q=shared')));
    t.ok(pages.every(({ status, body }) => status === 200 && body.equals(pages[0]?.body ?? body)));
    t.equal(await jobs(), before + 1);
    t.equal((await get(service, '/?q=shared', { headers: { 'If-None-Match': '*' } })).status, 304);
    const etag = pages[0]?.headers.etag ?? '';
    const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': etag };
    t.equal((await get(service, '/?q=shared', { headers })).status, 304);
    t.equal(await jobs(), before + 1, 'not even in another coding');
  },
);

await t.test('shows connections and the large answers on their way', async (t) => {
  const open = await Promise.all(Array.from({ length: 5 }, () => Connection.open(service.port)));
  for (const connection of open) await connection.ask({ target: '/meta' });
  const { samples } = await scrape(service);
  t.equal(samples.get('bura_connections'), 5);
  t.ok((samples.get('bura_connections_max') ?? 0) > 5);
  for (const connection of open) connection.close();
  await eventually('all are closed', async () => {
    const later = (await scrape(service)).samples;
    return later.get('bura_connections') === 0 && later.get('bura_large_answers') === 0;
  });
});

await t.test('shows that an import runs, and its phases', async (t) => {
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument());
  const waiting: (() => void)[] = [];
  const address = await serveFaulty(t, {
    root,
    faultOf: () => (response, bytes) => void waiting.push(() => response.end(bytes)),
  });
  const service = await startService(t, {
    root,
    env: { ...env, FRONT_PROCESSES: '2', SNAPSHOT_STORE: address },
    expect: ['unavailable'],
  });
  await eventually('the import waits for its document', async () => {
    const { samples } = await scrape(service);
    return waiting.length > 0 && samples.get('bura_import_running') === 1;
  });
  const during = (await scrape(service)).samples;
  t.equal(during.get('bura_snapshot_served'), 0);
  t.notOk(during.has('bura_snapshot_age_seconds'));
  for (const send of waiting) send();
  await service.waitForLog('activated');

  const { samples } = await scrape(service);
  t.equal(samples.get('bura_import_running'), 0);
  t.equal(samples.get('bura_import_seconds_count'), 1);
  for (const phase of ['fetch', 'parse', 'build', 'seal']) {
    t.equal(samples.get(`bura_import_phase_seconds_count{phase="${phase}"}`), 1, phase);
  }
  const phases = sumOf(samples, 'bura_import_phase_seconds_sum');
  t.ok(phases > 0 && phases <= (samples.get('bura_import_seconds_sum') ?? 0), 'no more than all');
  t.ok((samples.get('bura_import_cpu_seconds_total') ?? 0) > 0);
  t.ok((samples.get('bura_import_peak_memory_bytes') ?? 0) > 10_000_000);
  t.equal(samples.get('bura_store_grace_remaining_seconds'), 86_400);
  await eventually('a delay for each second', async () => {
    const { samples: later } = await scrape(service);
    return sumOf(later, 'bura_event_loop_delay_seconds_count', ['process="front-1"']) > 0;
  });
});

/** Values of the newest hour, by the newest values of the API, which has no null. */
async function assertNewestHour(t: Test): Promise<void> {
  const { samples } = await scrape(service);
  const { body } = await getJson(service, '/api/v1/observations/latest');
  const { data } = body as { readonly data: readonly Readonly<Record<string, string>>[] };
  const hours = data.map((one) => one['time_start_utc'] ?? '').toSorted();
  const newest = hours.at(-1) ?? '';
  const current = data.filter((one) => one['time_start_utc'] === newest);
  t.equal(samples.get('bura_newest_hour_start_seconds'), Date.parse(newest) / 1000);
  const stations = new Set(current.map((one) => one['station_id']));
  t.equal(samples.get('bura_newest_hour_stations'), stations.size);
  for (const code of new Set(data.map((one) => one['parameter_code']))) {
    const series = current.filter((one) => one['parameter_code'] === code);
    const name = `bura_newest_hour_series{parameter="${String(code)}"}`;
    t.equal(samples.get(name), series.length, name);
  }
}

await t.test('says what the served snapshot holds, beside the one before', async (t) => {
  const before = (await scrape(service)).samples;
  t.equal(before.get('bura_snapshot_rows'), counts.measurement_rows);
  t.notOk(before.has('bura_snapshot_previous_rows'));
  await assertNewestHour(t);

  // Its newest rows have no value.
  const measurements = objectsOf(snapshotDocument(), 'measurements').map((row) =>
    row['time'] === '23:00' ? { ...row, value: null } : row,
  );
  await publishAndServe(service, snapshotDocument({ measurements }));
  await assertNewestHour(t);
  t.equal(await sampleOf('bura_snapshot_previous_rows'), counts.measurement_rows);
  t.not(await sampleOf('bura_snapshot_rows'), counts.measurement_rows);
});
