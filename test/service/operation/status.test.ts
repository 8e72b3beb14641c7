/** `bura status`: what an instance says of itself, when all is well and after each kind of failure. */
import { once } from 'node:events';
import { mkdir, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { InstanceStatus } from '../../../src/supervisor/operators/status.js';
import { askInstance } from '../../../src/supervisor/lock/ask-instance.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { frontOf } from '../../support/faults/process-figures.js';
import { writePointer } from '../../support/faults/spoiled-store.js';
import { runBura } from '../../support/service/command.js';
import { get } from '../../support/service/requests.js';
import { adminPortOf, statusOf } from '../../support/service/scrape.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import {
  activePointer,
  eventually,
  makeRoot,
  startService,
  type Service,
} from '../../support/service/service.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const envOf = ({ root }: { readonly root: string }) => ({ LOCAL_DIR: join(root, 'local') });

/** Waits until the command shows that it is so: the status follows the service's log by a moment. */
async function untilStatus(
  service: Service,
  what: string,
  isSo: (status: InstanceStatus) => boolean,
): Promise<InstanceStatus> {
  let found: InstanceStatus | undefined;
  await eventually(what, async () => {
    found = await statusOf(service);
    return found !== undefined && isSo(found);
  });
  if (found === undefined) throw new Error(`never: ${what}`);
  return found;
}

const kindsOf = ({ failures }: InstanceStatus) => failures.map(({ kind }) => kind);

void t.test('shows what is served, by whom, from which store, and what has failed', async (t) => {
  const document = snapshotDocument({ snapshot_id: 'first' });
  const service = await startServing(t, document, {
    env: { FRONT_PROCESSES: '2' },
    expect: ['import failed', 'front died', 'store unreachable', 'pointer malformed'],
  });
  await untilStatus(service, 'it serves', ({ serving }) => serving.snapshot_id !== null);
  const json = await runBura(['status', '--json'], { env: envOf(service) });
  const status = JSON.parse(json.stdout) as InstanceStatus;
  t.match(status, {
    format: 1,
    instance: {
      pid: service.pid,
      version: '0.1.0',
      build: /^[0-9a-f]{8}$/,
      started_at: TIME,
      uptime_seconds: Number,
      url: service.url,
      local_copies: service.copies,
    },
    serving: {
      snapshot_id: 'first',
      since: TIME,
      generated_at: '2026-09-10T00:00:00Z',
      holds: {
        rows: Number,
        rows_before: null,
        newest_hour: TIME,
        stations_in_newest_hour: Number,
      },
    },
    store: {
      address: `file:${service.root}/store`,
      reachable: true,
      since: TIME,
      pointer: {
        kind: 'pointer',
        snapshot_id: 'first',
        schema_version: '1.2.0',
        activated_at: TIME,
      },
    },
    import: null,
    failures: [],
  });
  const front = await frontOf(service);
  t.same(
    status.processes.map(({ role }) => role),
    ['supervisor', 'front', 'front'],
  );
  t.ok(status.processes.some(({ role, pid }) => role === 'front' && pid === front));
  for (const { resident_bytes: resident, anonymous_bytes: own } of status.processes) {
    t.ok(Number(own) > 1e6 && Number(resident) > Number(own), `${own} of ${resident} bytes`);
  }

  const { stdout } = await runBura(['status'], { env: envOf(service) });
  const shown = new Map(stdout.split('\n').map((line) => [line.split(' ', 1)[0], line] as const));
  for (const [name, value] of [
    ['instance.url', service.url],
    ['serving.snapshot_id', 'first'],
    ['store.pointer.snapshot_id', 'first'],
    ['import', '-'],
    ['processes.1.role', 'front'],
    ['failures', 'none'],
  ] as const) {
    t.match(shown.get(name), new RegExp(`^${name} +${value}$`));
  }

  await keepsFailures(t, service);
  await showsForeignText(t, service);
  t.same(await service.stop(), { code: 0, signal: null });
});

/** The last failures with their times, the newest first. */
async function keepsFailures(t: Test, service: Service): Promise<void> {
  const missing = { snapshotId: 'missing', document: 'snapshots/missing.json.gz' };
  const good = await activePointer(service);
  await writePointer(service, { ...good, ...missing, activatedAtMs: Date.now() });
  await service.waitForLog('import failed');
  const failed = await untilStatus(
    service,
    'the failure has come again',
    ({ failures }) => (failures[0]?.times ?? 0) > 1,
  );
  t.match(failed, {
    serving: { snapshot_id: 'first' },
    store: { pointer: { kind: 'pointer', snapshot_id: 'missing' } },
  });
  t.match(failed.failures, [
    { kind: 'import_failed', code: 'snapshot_missing', snapshot_id: 'missing', first_at: TIME },
  ]);

  process.kill(await frontOf(service), 'SIGKILL');
  await service.waitForLog('front replaced');
  const died = await untilStatus(service, 'it died', (one) => kindsOf(one).includes('front_died'));
  t.match(died.failures.find(({ kind }) => kind === 'front_died')?.message, /SIGKILL/);

  await rename(join(service.root, 'store'), join(service.root, 'away'));
  await service.waitForLog('store unreachable');
  const away = await untilStatus(
    service,
    'the store is away',
    ({ store }) => store.reachable === false,
  );
  t.match(away.store.pointer, { kind: 'unreachable', detail: String });
  t.ok(kindsOf(away).includes('store_unreachable'));
  const { stdout } = await runBura(['status'], { env: envOf(service) });
  t.match(stdout, /\nstore\.reachable +false\n/);
  t.match(stdout, /\nfailures\.\d\.code +snapshot_missing\n/);
}

/** Foreign text is shown without the controls of a terminal. */
async function showsForeignText(t: Test, service: Service): Promise<void> {
  await rename(join(service.root, 'away'), join(service.root, 'store'));
  await service.waitForLog('store reachable');
  // A title of the window, colours, and a line that looks like one of the command's own.
  const foreign = '\u001b]0;title\u0007\u001b[31m\u009b2J\r\nserving  other';
  await writePointer(service, JSON.stringify({ snapshot_id: foreign, document: foreign }));
  await service.waitForLog('pointer malformed');
  const { stdout } = await runBura(['status'], { env: envOf(service) });
  t.match(stdout, /malformed/);
  t.notMatch(stdout, /[^\P{Cc}\n]/u);
  t.notMatch(stdout, /^serving +other/m);
}

void t.test('metrics, status and health are on the socket and ADMIN_PORT', async (t) => {
  const env = { ADMIN_PORT: '0', ADMIN_HOST: '0.0.0.0' };
  const service = await startService(t, { env, expect: ['unavailable'] });
  const port = await adminPortOf(service);
  t.equal((await fetch(`http://127.0.0.2:${port}/health`)).status, 503, 'on ADMIN_HOST');
  t.same(await askInstance(service.copies, '/health', 10_000), { kind: 'starting' }, 'a 503');
  t.equal((await get({ port }, '/health')).status, 503);
  await publishAndServe(service, snapshotDocument({ snapshot_id: 'first' }));
  const health = { status: 'ready', snapshot_id: 'first', fronts: 1, fronts_alive: 1 };
  for (const [path, expected] of [
    ['/health', JSON.stringify(health)],
    ['/status', '"local_copies":'],
    ['/metrics', 'bura_swaps_total 1\n'],
  ] as const) {
    const reply = await askInstance(service.copies, path, 10_000);
    t.ok(reply.kind === 'reply' && reply.body.includes(expected), `${path} of the socket`);
    const answer = await get({ port }, path);
    t.equal(answer.status, 200);
    t.ok(answer.body.toString().includes(expected), `${path} of the port`);
    t.same(await get({ port }, path, { method: 'HEAD' }).then(({ body }) => body.byteLength), 0);
  }
  t.equal((await get({ port }, '/')).status, 404);
  t.equal((await get({ port }, '/status', { method: 'POST' })).status, 404);
});

void t.test('says why there is nothing to show', async (t) => {
  const place = { root: await makeRoot(t) };
  const env = envOf(place);
  const copies = join(place.root, 'local', 'demo');
  const nobody = {
    code: 1,
    stdout: '',
    stderr: `bura: no instance runs with the local copies in ${copies}\n`,
  };
  t.same(await runBura(['status'], { env }), nobody);
  t.same(await runBura(['status', '--json'], { env }), nobody);

  await mkdir(copies, { recursive: true });
  const other = createServer((_request, response) => response.end('{"format":99}\n'));
  other.listen(join(copies, '~admin.sock'));
  await once(other, 'listening');
  t.match(await runBura(['status'], { env }), { code: 1, stderr: /is another build/ });
  other.close();
  await once(other, 'close');
  t.same(await runBura(['status'], { env }), nobody);
});
