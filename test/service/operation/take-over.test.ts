/** A restart that nobody sees: a new instance takes over from the one that runs, or fails, and then that one goes on. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import {
  failedTakeOver,
  faultyReads,
  hasEnded,
  servedId,
  takeOver,
} from '../../support/faults/take-over.js';
import { waitForChild } from '../../support/service/children.js';
import { get } from '../../support/service/requests.js';
import { scrape } from '../../support/service/scrape.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually, makeRoot, publish } from '../../support/service/service.js';
import { startLoad } from '../../support/service/steady-load.js';

/** What a client has seen before, and what the next instance answers. */
const SEEN = ['/meta', '/api/v1/changes?since=first', '/api/v1/snapshots', '/health/ready'];

void t.test('restarts in a row lose no request, and no answer changes', async (t) => {
  const first = await startServing(t, snapshotDocument({ snapshot_id: 'first' }));
  await publishAndServe(first, snapshotDocument({ snapshot_id: 'second' }));
  const before = await Promise.all(SEEN.map((path) => get(first, path)));
  const load = startLoad(first, 2);
  await load.more(50);
  // Without a port of its own it takes that of the other one; the number of fronts may differ.
  const second = await takeOver(t, first, { env: { PORT: '0', FRONT_PROCESSES: '2' } });
  t.equal(second.port, first.port);
  t.match(await second.waitForLog('has taken over'), { from_pid: first.pid });
  await load.more(20);
  t.same(await hasEnded(first), { code: 0, signal: null });
  const after = await Promise.all(SEEN.map((path) => get(second, path)));
  for (const [at, path] of SEEN.entries()) {
    t.equal(after[at]?.status, 200, path);
    t.same(after[at]?.body, before[at]?.body, path);
    for (const name of ['etag', 'last-modified', 'x-snapshot-id']) {
      t.equal(after[at]?.headers[name], before[at]?.headers[name], `${name} of ${path}`);
    }
  }

  // One that cannot read its folder when the other has left serves, and goes on.
  const third = await takeOver(t, second, faultyReads(700));
  await third.waitForLog('folder cannot be taken over yet');
  await third.waitForLog('has taken over');
  await load.more(20);
  for (const { lines } of [second, third]) {
    t.notOk(
      lines.some(({ msg }) => msg === 'importing'),
      'it serves the copy that is there',
    );
  }
  await publishAndServe(third, snapshotDocument({ snapshot_id: 'third' }));
  t.equal(await servedId(third), 'third', 'it follows');
  await load.stop();
  t.same(load.failures, [], `of ${load.answered + load.failures.length}`);
  t.same(await hasEnded(second), { code: 0, signal: null });
  const names = await readdir(third.copies);
  t.equal(names.filter((name) => name.startsWith('~lock')).length, 1, 'one lock is left');
  t.same(await third.stop(), { code: 0, signal: null });
});

void t.test('a new one that fails leaves the other one as it was', async (t) => {
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), {
    // Without a running instance it is an ordinary start.
    args: ['--take-over'],
    env: { ADMIN_PORT: '0' },
  });
  const load = startLoad(service, 2);
  const worse = await failedTakeOver(t, service, {
    args: ['--expected-schema-version', '1.3.0'],
  });
  t.equal(worse.code, 1);
  t.match(worse.stderr, /^bura: cannot take over: .* 503 \(.*1\.3\.0\)\n$/);
  const manifest = await manifestOf(service.copies);
  const text = await readFile(manifest, 'utf8');
  // Another file in its place: tests share what they have imported.
  await writeFile(`${manifest}.new`, text.replace(/"format":\d+/, '"format":0'));
  await rename(`${manifest}.new`, manifest);
  const older = await failedTakeOver(t, service);
  t.match(older.stderr, /^bura: cannot take over: .* 503 \(.* holds no complete copy\)\n$/);
  await writeFile(`${manifest}.new`, text);
  await rename(`${manifest}.new`, manifest);
  await publishAndServe(service, snapshotDocument({ snapshot_id: 'second' }));
  t.equal(await servedId(service), 'second', 'it follows');
  await load.more(20);
  await load.stop();
  t.same(load.failures, []);

  const { port: adminPort } = await service.waitForLog('metrics listening');
  await publish(service, snapshotDocument({ snapshot_id: 'third' }));
  // An import that goes no further.
  process.kill((await waitForChild(service.pid, 'import-process.js')).pid, 'SIGSTOP');
  const next = await takeOver(t, service, { env: { ADMIN_PORT: String(adminPort) } });
  await activated(next, { snapshot_id: 'third' }, 0);
  t.notOk(service.lines.some(({ msg, snapshot_id: id }) => msg === 'activated' && id === 'third'));
  t.equal(await servedId(next), 'third', 'the next one goes on with what it was doing');
  t.equal((await next.waitForLog('metrics listening'))['port'], adminPort);
  t.equal((await scrape(next)).samples.get('bura_snapshot_served'), 1);
  t.same(await hasEnded(service), { code: 0, signal: null });
  await publishAndServe(next, snapshotDocument({ snapshot_id: 'fourth' }));
  await eventually('the copies of the other one go', async () => {
    const left = await readdir(next.copies);
    return !left.some((name) => /^(?:first|second)/.test(name));
  });
});

void t.test('one that would answer less ends, and the other one goes on', async (t) => {
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }));
  const elsewhere = await makeRoot(t);
  const storedAt = (address: string) => ({ env: { SNAPSHOT_STORE: address } });
  const load = startLoad(service, 2);

  const other = storedAt(`file:${elsewhere}/stroe`);
  const mistyped = await failedTakeOver(t, service, other);
  t.equal(mistyped.code, 1);
  t.equal(
    mistyped.stderr,
    `bura: cannot take over: it follows file:${service.root}/store, this one ` +
      `file:${elsewhere}/stroe; --other-store says that this is meant\n`,
  );
  const meant = { args: ['--other-store'], expect: ['store unreachable'] };
  const away = await failedTakeOver(t, service, { ...other, ...meant });
  t.match(away.stderr, /reads the store, and this one cannot: .*stroe/);
  const empty = storedAt(`file:${elsewhere}/store`);
  const absent = await failedTakeOver(t, service, { ...empty, ...meant });
  t.match(absent.stderr, /503 \(no snapshot is active in the store\)\n$/);
  t.equal(await servedId(service), 'first');

  await publish({ root: elsewhere }, snapshotDocument({ snapshot_id: 'second' }));
  const next = await takeOver(t, service, { ...empty, args: ['--other-store'] });
  await activated(next, { snapshot_id: 'second' }, 0);
  await load.more(20);
  await load.stop();
  t.same(load.failures, [], 'it serves what the other one served until it has imported');
  t.equal(await servedId(next), 'second');
});

async function manifestOf(copies: string): Promise<string> {
  const [copy = ''] = (await readdir(copies)).filter((name) => name.startsWith('first~'));
  return join(copies, copy, 'copy.json');
}
