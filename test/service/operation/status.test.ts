/** `bura status`: what an instance says of itself, when all is well and after each kind of failure. */
import { once } from 'node:events';
import { mkdir, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
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
} from '../../support/service/service.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

void t.test('shows what is served, by whom, from which store, and what has failed', async (t) => {
  const document = snapshotDocument({ snapshot_id: 'first' });
  const service = await startServing(t, document, {
    env: { FRONT_PROCESSES: '2' },
    expect: ['import failed', 'front died', 'store unreachable', 'pointer malformed'],
  });
  const { root } = service;
  const bura = async (...flags: readonly string[]): Promise<string> =>
    (await runBura(['status', ...flags], { env: { LOCAL_DIR: join(root, 'local') } })).stdout;
  /** Waits until the status is so: it follows the service's log by a moment. */
  const untilStatus = async (
    isSo: (status: InstanceStatus) => boolean,
  ): Promise<InstanceStatus> => {
    let found: InstanceStatus | undefined;
    await eventually(`the status is: ${isSo.toString()}`, async () => {
      found = await statusOf(service);
      return found !== undefined && isSo(found);
    });
    if (found === undefined) throw new Error('no status');
    return found;
  };
  const failed = (status: InstanceStatus, kind: string) =>
    status.failures.find((one) => one.kind === kind);
  await untilStatus(({ serving }) => serving.snapshot_id !== null);
  const status = JSON.parse(await bura('--json')) as InstanceStatus;
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
      address: `file:${root}/store`,
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
  const roles = status.processes.map(({ role }) => role);
  t.same(roles, ['supervisor', 'front', 'front']);
  t.ok(status.processes.some(({ role, pid }) => role === 'front' && pid === front));
  for (const { resident_bytes: resident, anonymous_bytes: own } of status.processes) {
    t.ok(Number(own) > 1e6 && Number(resident) > Number(own), `${own} of ${resident} bytes`);
  }
  const text = await bura();
  for (const [name, value] of [
    ['instance.url', service.url],
    ['serving.snapshot_id', 'first'],
    ['store.pointer.snapshot_id', 'first'],
    ['import', '-'],
    ['processes.1.role', 'front'],
    ['failures', 'none'],
  ] as const) {
    t.match(text, new RegExp(`^${name} +${value}$`, 'm'));
  }

  await t.test('the last failures with their times, the newest first', async (t) => {
    const missing = { snapshotId: 'missing', document: 'snapshots/missing.json.gz' };
    const good = await activePointer(service);
    await writePointer(service, { ...good, ...missing, activatedAtMs: Date.now() });
    await service.waitForLog('import failed');
    t.match(await untilStatus(({ failures }) => (failures[0]?.times ?? 0) > 1), {
      serving: { snapshot_id: 'first' },
      store: { pointer: { kind: 'pointer', snapshot_id: 'missing' } },
      failures: [
        { kind: 'import_failed', code: 'snapshot_missing', snapshot_id: 'missing', first_at: TIME },
      ],
    });

    process.kill(await frontOf(service), 'SIGKILL');
    await service.waitForLog('front replaced');
    const died = await untilStatus((one) => failed(one, 'front_died') !== undefined);
    t.match(failed(died, 'front_died')?.message, /SIGKILL/);

    await rename(join(root, 'store'), join(root, 'away'));
    await service.waitForLog('store unreachable');
    const away = await untilStatus(({ store }) => store.reachable === false);
    t.match(away.store.pointer, { kind: 'unreachable', detail: String });
    t.ok(failed(away, 'store_unreachable'));
    const shown = await bura();
    t.match(shown, /\nstore\.reachable +false\n/);
    t.match(shown, /\nfailures\.\d\.code +snapshot_missing\n/);
  });

  await t.test('foreign text without the controls of a terminal', async (t) => {
    await rename(join(root, 'away'), join(root, 'store'));
    await service.waitForLog('store reachable');
    // A title of the window, colours, and a line that looks like one of the command's own.
    const foreign = '\u001b]0;title\u0007\u001b[31m\u009b2J\r\nserving  other';
    await writePointer(service, JSON.stringify({ snapshot_id: foreign, document: foreign }));
    await service.waitForLog('pointer malformed');
    const shown = await bura();
    t.match(shown, /malformed/);
    t.notMatch(shown, /[^\P{Cc}\n]/u);
    t.notMatch(shown, /^serving +other/m);
  });
  t.same(await service.stop(), { code: 0, signal: null });
});

void t.test('metrics, status and health are on the socket and ADMIN_PORT', async (t) => {
  const env = { ADMIN_PORT: '0', ADMIN_HOST: '0.0.0.0' };
  const service = await startService(t, { env, expect: ['unavailable', 'front died'] });
  const port = await adminPortOf(service);
  t.equal((await fetch(`http://127.0.0.2:${port}/health`)).status, 503, 'on ADMIN_HOST');
  t.same(await askInstance(service.copies, '/health', 10_000), { kind: 'starting' }, 'a 503');
  await publishAndServe(service, snapshotDocument({ snapshot_id: 'first' }));
  const health = { status: 'ready', snapshot_id: 'first', fronts: 1, fronts_alive: 1 };
  for (const [path, expected] of [
    ['/health', JSON.stringify(health)],
    ['/status', '"local_copies":'],
    ['/metrics', 'bura_swaps_total 1\n'],
  ] as const) {
    const reply = await askInstance(service.copies, path, 10_000);
    t.ok(reply.kind === 'reply' && reply.body.includes(expected), `${path} of the socket`);
    const { status, body } = await get({ port }, path);
    t.ok(status === 200 && body.includes(expected), `${path} of the port`);
    t.equal((await get({ port }, path, { method: 'HEAD' })).body.length, 0);
  }
  t.equal((await get({ port }, '/')).status, 404);
  t.equal((await get({ port }, '/status', { method: 'POST' })).status, 404);

  process.kill(await frontOf(service), 'SIGKILL');
  await service.waitForLog('front replaced');
  // The next one is replaced after a quarter of a second.
  process.kill(await frontOf(service), 'SIGKILL');
  await eventually('no front is alive', async () => {
    const { status, body } = await get({ port }, '/health');
    return status === 503 && body.includes('"fronts_alive":0');
  });
  await eventually('another one is', async () => (await get({ port }, '/health')).status === 200);
});

void t.test('says why there is nothing to show', async (t) => {
  const root = await makeRoot(t);
  const env = { LOCAL_DIR: join(root, 'local') };
  const copies = join(root, 'local', 'demo');
  const stderr = `bura: no instance runs with the local copies in ${copies}\n`;
  const nobody = { code: 1, stdout: '', stderr };
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
