/** Imports that are killed or may not write: nothing of them is served, nothing is left of them, and the next one is whole. */
import { setTimeout as after } from 'node:timers/promises';
import t from 'tap';
import { generateDocument, snapshotDocument } from '../support/documents/documents.js';
import { serves, unfinished } from '../support/faults/after-import.js';
import { atLeast, chanceOf } from '../support/faults/chance.js';
import {
  childrenOf,
  waitForChild,
  waitForNoChild,
  waitUntilGone,
} from '../support/service/children.js';
import { get } from '../support/service/requests.js';
import { activated, publishAndServe, startServing } from '../support/service/serve-documents.js';
import { publish, startService, type LogLine } from '../support/service/service.js';

t.jobs = 2;

const FIRST = snapshotDocument({ snapshot_id: 'first' });

/** Some 2,000 rows: half a second of work, most of which random moments meet. */
const large = (snapshotId: string, seed = 1, hours = 20): AsyncGenerator<Uint8Array> =>
  generateDocument({ stations: 20, hours, snapshotId, seed });

const endOf =
  (snapshotId: string) =>
  ({ msg, snapshot_id: id }: LogLine): boolean =>
    (msg === 'activated' || msg === 'import failed') && id === snapshotId;

void t.test('an import that is killed leaves nothing, and is made again', async (t) => {
  const chance = chanceOf(t);
  const service = await startServing(t, FIRST, { expect: ['import failed'] });
  await publish(service, large('measured'));
  const { import_ms: importMs } = await service.waitForLog(endOf('measured'));
  let active = 'measured';
  let killed = 0;
  const turns = atLeast(1);
  for (let turn = 0; turn <= turns; turn += 1) {
    const snapshotId = `killed-${turn}`;
    await waitForNoChild(service.pid, 'import-process.js');
    // The last one has no chance to end before: it has 40,000 rows, and is killed at once.
    await publish(service, large(snapshotId, turn, turn < turns ? 20 : 400));
    const { pid } = await waitForChild(service.pid, 'import-process.js');
    if (turn < turns) await after(chance.number() * Number(importMs));
    const wasKilled = kill(pid);
    const { msg, code, reason } = await service.waitForLog(endOf(snapshotId));
    t.ok(wasKilled || msg === 'activated', `${snapshotId}: ${msg}`);
    if (msg === 'activated') active = snapshotId;
    else {
      killed += 1;
      t.match({ code, reason }, { code: 'import_failed', reason: /SIGKILL/ });
      t.same(await unfinished(service), []);
    }
    await serves(t, service, active);
  }
  t.comment(`${killed} of ${turns + 1} were killed before they had ended`);
  t.ok(killed > 0);
  await activated(service, { snapshot_id: `killed-${turns}` }, 0);
  await serves(t, service, `killed-${turns}`);
});

void t.test('a service that ends in an import starts on what it served', async (t) => {
  const chance = chanceOf(t);
  let service = await startServing(t, FIRST);
  const { root } = service;
  let served = 'first';
  for (let turn = 0; turn < atLeast(2); turn += 1) {
    const snapshotId = `new-${turn}`;
    await waitForNoChild(service.pid, 'import-process.js');
    await publish({ root }, large(snapshotId, turn));
    await waitForChild(service.pid, 'import-process.js');
    const children = await childrenOf(service.pid);
    const others = children.filter(({ script }) => script !== 'import-process.js');
    t.same(others.map(({ script }) => script).toSorted(), ['front.js']);
    await after(chance.number() * 200);
    if (turn % 2 === 0) await service.kill();
    else t.same(await service.stop(), { code: 0, signal: null });
    await waitUntilGone(children.map(({ pid }) => pid));
    await t.rejects(get(service, '/meta'), { code: 'ECONNREFUSED' });

    service = await startService(t, { root });
    const first = await service.waitForLog('activated');
    // On a busy machine the import may have ended before the service did.
    t.ok([served, snapshotId].includes(String(first['snapshot_id'])), JSON.stringify(first));
    t.notOk('import_ms' in first, 'without an import');
    await activated(service, { snapshot_id: snapshotId }, 0);
    await serves(t, service, snapshotId);
    t.same(await unfinished(service), []);
    served = snapshotId;
  }
});

void t.test('serves on where a copy is too large, and takes one that fits', async (t) => {
  // Files of half a megabyte or of one, whatever a block is to the shell.
  const wrap = ['sh', '-c', 'ulimit -f 1024 && exec "$@"', 'sh'];
  const service = await startServing(t, FIRST, { wrap, expect: ['import failed'] });
  await publish(service, large('large', 1, 50));
  // To LMDB, what fails while it writes is an input/output error, whatever the reason.
  const failed = { msg: 'import failed', code: 'import_failed' };
  t.match(await service.waitForLog(endOf('large')), failed);
  await serves(t, service, 'first');
  t.same(await unfinished(service), []);
  await publishAndServe(service, snapshotDocument({ snapshot_id: 'small' }));
  await serves(t, service, 'small');
});

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
    return false;
  }
}
