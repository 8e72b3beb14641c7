/** Access lines: one for each logged request, without a client's address, and without delaying requests. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import t from 'tap';
import { generateDocument, snapshotDocument } from '../../support/documents/documents.js';
import { startBura } from '../../support/service/command.js';
import { waitForChild, waitUntilGone } from '../../support/service/children.js';
import { Connection } from '../../support/service/connection.js';
import { beginAnswer, get } from '../../support/service/requests.js';
import { samplesOf, sumOf } from '../../support/service/scrape.js';
import {
  eventually,
  inTime,
  makeRoot,
  publish,
  type LogLine,
  type Service,
} from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';

const DOCUMENT = { stations: 4, components: 3, hours: 48, snapshotId: 'logged' };
const STREAM = '/api/v1/observations/stream';
const FROM = { 'X-Forwarded-For': '192.0.2.7' };

const linesOf = ({ lines }: Service): readonly LogLine[] =>
  lines.filter(({ msg }) => msg === 'request');

/** Waits until there are at least `count` access lines. */
async function access(service: Service, count: number): Promise<readonly LogLine[]> {
  await eventually(`${count} access lines`, async () => linesOf(service).length >= count);
  return linesOf(service);
}

void t.test('writes one line for each request: asked, answered, client gone', async (t) => {
  const service = await startServing(t, generateDocument(DOCUMENT), { env: { ACCESS_LOG: '1' } });
  const { body } = await get(service, STREAM, {
    headers: { 'Accept-Encoding': 'gzip', 'User-Agent': 'a "reader"' },
  });
  await get(service, '/meta?x=%C5%A1', { method: 'HEAD' });
  await get(service, '/1/stations/99/meta', { headers: FROM });
  const long = 'y'.repeat(3000);
  await get(service, `/${long}`, { headers: { 'User-Agent': long } });
  const lines = await access(service, 4);
  t.match(lines[0], {
    level: 'info',
    part: 'front',
    time: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    method: 'GET',
    target: STREAM,
    status: 200,
    bytes: body.byteLength,
    coding: 'gzip',
    user_agent: 'a "reader"',
    snapshot_id: 'logged',
    duration_ms: Number,
    end: 'sent',
  });
  t.match(lines[1], { method: 'HEAD', target: '/meta?x=%C5%A1', status: 200, bytes: 0 });
  t.match(lines[2], { target: '/1/stations/99/meta', status: 404, coding: 'identity' });
  t.match(lines[3], { status: 404 });
  t.ok(String(lines[3]?.['target']).length <= 200, 'texts are cut');
  t.ok(String(lines[3]?.['user_agent']).length <= 200);
  t.equal(lines.length, 4);
  t.notMatch(JSON.stringify(lines), /127\.0\.0\.1|192\.0\.2\.7/, 'no address of a client');

  (await beginAnswer(service, STREAM)).destroy();
  const line = (await access(service, 5))[4];
  // A small body may have been handed over before the client went.
  t.match(line, { target: STREAM, status: 200, end: /^(?:sent|client_gone)$/ });
});

void t.test('writes a sample, with the client that the proxy names', async (t) => {
  const env = { ACCESS_LOG: '0.5', ACCESS_LOG_ADDRESS: '1', TRUST_PROXY: '1' };
  const service = await startServing(t, snapshotDocument(), { env });
  const connection = await Connection.open(service.port);
  // The client's own field comes before the proxy's addition.
  const forwarded = 'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 192.0.2.7\r\n';
  const request = [Buffer.from(`GET /meta HTTP/1.1\r\nHost: h\r\n${forwarded}\r\n`)];
  for (let time = 0; time < 200; time += 1) await connection.ask(request);
  connection.close();
  // Seven standard deviations of 200 throws of a coin are 50.
  await access(service, 50);
  await service.stop();
  const lines = linesOf(service);
  t.ok(lines.length <= 150, `${lines.length} of 200`);
  t.same(new Set(lines.map(({ client }) => client)), new Set(['192.0.2.7']));
});

void t.test(
  'a stdout that nobody reads stops neither requests, swaps nor the end; lines are dropped and counted',
  async (t) => {
    const root = await makeRoot(t);
    await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
    const env = {
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
      ACCESS_LOG: '1',
      ACCESS_LOG_ADDRESS: '1',
      WORKER_THREADS: '1',
      SNAPSHOT_STORE: `file:${root}/store`,
      LOCAL_DIR: `${root}/local`,
      POINTER_POLL_SECONDS: '0.05',
    };
    const child = startBura(['serve'], { env, directory: root });
    const ended = once(child, 'exit');
    t.teardown(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const texts: string[] = [];
    const reader = createInterface({ input: child.stdout }).on('line', (text) => texts.push(text));
    const reading = once(reader, 'close');
    const lineWith = (words: string): string => texts.find((text) => text.includes(words)) ?? '';
    await eventually('it serves', async () => lineWith('"activated"') !== '');
    const port = Number(/:(\d+)$/.exec(lineWith('bura listening on'))?.[1]);
    const admin = JSON.parse(lineWith('metrics listening')) as { readonly port: number };
    // From here on stdout is not read.
    child.stdout.pause();

    const connection = await Connection.open(port);
    const target = `/meta?${'z'.repeat(190)}`;
    const dropped = async (): Promise<number> => {
      const { body } = await get(admin, '/metrics');
      return sumOf(samplesOf(body.toString()), 'bura_log_lines_dropped_total');
    };
    let asked = 0;
    while ((await dropped()) === 0) {
      for (let time = 0; time < 500; time += 1) {
        const { status } = await connection.ask({ target, fields: FROM });
        if (status !== 200) throw new Error(`answered with ${status}`);
        asked += 1;
      }
      if (asked > 100_000) throw new Error('no line is dropped');
    }
    await publish({ root }, snapshotDocument({ snapshot_id: 'second' }));
    await eventually('the other snapshot is served', async () => {
      return (await get({ port }, '/meta')).headers['x-snapshot-id'] === 'second';
    });
    connection.close();
    const front = await waitForChild(child.pid ?? 0, 'front.js');
    child.kill('SIGTERM');
    t.same(await inTime(ended, 'the end of a service whose stdout nobody reads'), [0, null]);
    await waitUntilGone([front.pid]);
    child.stdout.resume();
    await reading;
    t.ok(
      texts.every((text) => text.startsWith('{') || text.startsWith('bura ')),
      'no line is cut',
    );
    const clients = texts.flatMap((text) => /"client":"([^"]*)"/.exec(text)?.[1] ?? []);
    t.same(new Set(clients), new Set(['127.0.0.1']), 'no proxy is trusted by default');
  },
);
