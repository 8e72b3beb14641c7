/** SIGHUP has the command as it is installed take over from the process that got it, and systemd is told so. */
import { chmod, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { waitUntilGone } from '../../support/service/children.js';
import { get } from '../../support/service/requests.js';
import { serveArchive } from '../../support/service/serve-archive.js';
import { startServing } from '../../support/service/serve-documents.js';
import { eventually, inTime, makeRoot, type Service } from '../../support/service/service.js';
import { startLoad } from '../../support/service/steady-load.js';

const MAP = 'test/fixtures/small-map.json';

/** A `systemd-notify` that writes down what it is to tell, a line for each call. */
async function fakeSystemd(t: Test) {
  const directory = await makeRoot(t);
  const file = join(directory, 'told');
  const program = join(directory, 'systemd-notify');
  await writeFile(program, `#!/bin/sh\necho "$*" >> "$NOTIFY_SOCKET"\n`);
  await chmod(program, 0o755);
  const told = async (): Promise<readonly string[]> =>
    (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}`, NOTIFY_SOCKET: file };
  return { env, told };
}

/** Sends SIGHUP, and resolves with the id of the process that has taken over; it is gone after the test. */
async function reload(t: Test, service: Service, pid: number): Promise<number> {
  const from = service.lines.length;
  process.kill(pid, 'SIGHUP');
  const line = await service.waitForLog('has taken over', from);
  t.equal(line['from_pid'], pid);
  t.teardown(() => {
    try {
      process.kill(line.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  return line.pid;
}

t.jobs = 2;

void t.test('reloads twice without losing a request, and tells systemd', async (t) => {
  const systemd = await fakeSystemd(t);
  const { service, archive } = await serveArchive(t, { env: systemd.env });
  const paths = ['', ...archive.files.map(({ path }) => `/${path}`)];
  const requests = paths.map((path) => ({ method: 'GET', path: `/api/v1/archive${path}` }));
  const load = startLoad(service);
  const readers = startLoad(service, 4, { requests });
  const pids = [service.pid];
  for (let round = 0; round < 2; round += 1) {
    await Promise.all([load.more(20), readers.more(20)]);
    pids.push(await reload(t, service, pids.at(-1) ?? 0));
  }
  for (const one of [load, readers]) {
    await one.more(20);
    await one.stop();
    t.same(one.failures, [], `of ${one.answered + one.failures.length}`);
  }
  await waitUntilGone(pids.slice(0, -1), 90_000);
  const last = pids.at(-1) ?? 0;
  process.kill(last, 'SIGTERM');
  await waitUntilGone([last]);
  t.same(await inTime(service.ended, 'the first one'), { code: 0, signal: null });
  const status = `STATUS=serving on ${service.url}`;
  t.match(await systemd.told(), [
    `READY=1 ${status}`,
    ...pids
      .slice(1)
      .flatMap((pid) => [/^RELOADING=1 MONOTONIC_USEC=\d+$/, `MAINPID=${pid} READY=1 ${status}`]),
    'STOPPING=1',
  ]);
});

void t.test('a reload that fails changes nothing, and the next one may succeed', async (t) => {
  const systemd = await fakeSystemd(t);
  const map = join(await makeRoot(t), 'map.json');
  await copyFile(MAP, map);
  const service = await startServing(t, snapshotDocument(), {
    env: { ...systemd.env, BASE_MAP: map },
    expect: ['reload failed; nothing has changed'],
  });
  await rm(map);
  service.signal('SIGHUP');
  t.match(await service.waitForLog('reload failed; nothing has changed'), {
    reason: /^exit code /,
  });
  t.match(service.stderr(), /^bura: .*map\.json/);
  t.equal((await get(service, '/meta')).status, 200);
  await eventually('systemd is told', async () => {
    const [, , last = ''] = await systemd.told();
    return last.startsWith('READY=1 STATUS=reload failed (exit code ');
  });

  await copyFile(MAP, map);
  const pid = await reload(t, service, service.pid);
  t.equal((await get(service, '/meta')).status, 200);
  process.kill(pid, 'SIGTERM');
  await waitUntilGone([pid, service.pid], 90_000);
});
