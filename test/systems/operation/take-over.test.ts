/** A take-over at each of whose messages either side is killed or hangs, and those that meet another one. */
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import {
  failedTakeOver,
  faultBeforeEnd,
  hasEnded,
  servedId,
  takeOver,
} from '../../support/faults/take-over.js';
import { lockDirectory } from '../../../src/supervisor/lock/directory-lock.js';
import { get } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { makeRoot, refusedService, startService } from '../../support/service/service.js';
import { startLoad } from '../../support/service/steady-load.js';

// Most of it is waiting.
t.jobs = 3;

void t.test('a new one that is killed leaves the other one as it was', async (t) => {
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }));
  const load = startLoad(service, 2);
  const end = await failedTakeOver(t, service, faultBeforeEnd('self', 'SIGKILL'));
  t.equal(end.signal, 'SIGKILL');
  await publishAndServe(service, snapshotDocument({ snapshot_id: 'second' }));
  t.equal(await servedId(service), 'second');
  await load.more(20);
  await load.stop();
  t.same(load.failures, []);
});

void t.test('an old one that is killed on the way leaves the new one serving', async (t) => {
  const service = await startServing(t, snapshotDocument());
  const next = await takeOver(t, service, faultBeforeEnd('other', 'SIGKILL'));
  t.same(await hasEnded(service), { code: null, signal: 'SIGKILL' });
  await next.waitForLog('activated');
  t.equal((await get(next, '/meta')).status, 200);
  t.same(await next.stop(), { code: 0, signal: null });
});

void t.test('an old one that hangs is not taken over from', async (t) => {
  const service = await startServing(t, snapshotDocument(), { expect: ['supervisor silent'] });
  service.signal('SIGSTOP');
  const end = await failedTakeOver(t, service);
  t.equal(end.code, 1);
  t.match(end.stderr, /^bura: cannot take over from .* it does not answer; end it /);
  t.equal((await get(service, '/meta')).status, 200, 'its fronts go on');
  service.signal('SIGCONT');
  t.equal((await get(service, '/meta')).status, 200);
});

void t.test('an old one that hangs when it is to leave is killed', async (t) => {
  const service = await startServing(t, snapshotDocument(), { expect: ['supervisor silent'] });
  const late = 'has taken over, and killed the earlier instance, which did not end';
  const fault = faultBeforeEnd('other', 'SIGSTOP');
  const next = await takeOver(t, service, { ...fault, expect: [late] });
  t.match(await next.waitForLog(late), { from_pid: service.pid });
  t.same(await hasEnded(service), { code: null, signal: 'SIGKILL' });
  t.equal((await get(next, '/meta')).status, 200);
});

void t.test('beside one that takes over all others are refused, and say why', async (t) => {
  const service = await startServing(t, snapshotDocument());
  // As one that takes over has it until it has ended the other one.
  const lock = await lockDirectory(service.copies, { beside: true });
  const refused = async (): Promise<void> => {
    const end = await failedTakeOver(t, service);
    t.equal(end.code, 1);
    t.match(end.stderr, /^bura: cannot take over from .*: another one is taking over, or /);
  };
  await Promise.all(Array.from({ length: 4 }, refused));
  const ordinary = await refusedService(t, { root: service.root });
  t.match(ordinary.stderr, / is in use by another instance\n$/);
  await lock.release();
  const next = await takeOver(t, service);
  t.equal((await get(next, '/meta')).status, 200);
  t.same(await hasEnded(service), { code: 0, signal: null });
});

void t.test('what serves nothing is taken over from, too', async (t) => {
  const service = await startService(t, { expect: ['unavailable'] });
  const next = await takeOver(t, service, { expect: ['unavailable'] });
  t.equal((await get(next, '/meta')).status, 503);
  t.same(await hasEnded(service), { code: 0, signal: null });
});

void t.test('a build that cannot be taken over from is told apart', async (t) => {
  const root = await makeRoot(t);
  const copies = join(root, 'local', 'demo');
  await mkdir(copies, { recursive: true });
  const older = createServer((_request, response) => response.end('{"format":99}'));
  older.listen(join(copies, '~lock-01234567'));
  await once(older, 'listening');
  await symlink('~lock-01234567', join(copies, '~admin.sock'));
  t.teardown(() => older.close());
  const end = await refusedService(t, { root, args: ['--take-over'] });
  t.equal(end.code, 1);
  t.match(
    end.stderr,
    /^bura: cannot take over from .* cannot be taken over from; stop it first\n$/,
  );
});
