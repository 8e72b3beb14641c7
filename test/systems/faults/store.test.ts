/** A web store that breaks off: the active snapshot stays, and no partial file is left. */
import { readdir } from 'node:fs/promises';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { chanceOf, scaled } from '../../support/faults/chance.js';
import { descriptorsOf, frontOf } from '../../support/faults/process-figures.js';
import { serveFaulty, type DocumentFault } from '../../support/faults/web-store.js';
import { get } from '../../support/service/requests.js';
import { makeRoot, publish, startService } from '../../support/service/service.js';

void t.test('leaves nothing behind of imports that their store breaks off anywhere', async (t) => {
  const chance = chanceOf(t);
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
  const breakOff: DocumentFault = (response, bytes) => {
    response.writeHead(200, { 'Content-Length': bytes.length });
    response.write(bytes.subarray(0, chance.integer(bytes.length)), () => response.destroy());
  };
  const misstate: DocumentFault = (response, bytes) => response.end(bytes.subarray(1));
  const refuse: DocumentFault = (response) => response.writeHead(500).end();
  let fault: DocumentFault | undefined;
  const service = await startService(t, {
    root,
    env: { SNAPSHOT_STORE: await serveFaulty(t, { root, faultOf: () => fault }) },
    expect: ['import failed'],
  });
  await service.waitForLog('activated');
  const pids = [service.pid, await frontOf(service)];
  // Files of the service itself come and go.
  const folders = async (): Promise<readonly string[]> =>
    (await readdir(service.copies)).filter((name) => /^~\d|^[^~]/.test(name));
  const before = await folders();
  const counts: number[][] = [];
  for (let turn = 0; turn < scaled(5); turn += 1) {
    fault = turn === 0 ? refuse : turn === 1 ? misstate : breakOff;
    const snapshotId = `broken-${turn}`;
    await publish({ root }, snapshotDocument({ snapshot_id: snapshotId }));
    await service.waitForLog(
      (line) => line.msg === 'import failed' && line['snapshot_id'] === snapshotId,
    );
    t.equal((await get(service, '/meta')).headers['x-snapshot-id'], 'first');
    counts.push(await Promise.all(pids.map(descriptorsOf)));
  }
  t.same(await folders(), before, 'no folder is left');
  const [early = [], late = []] = [counts[1], counts.at(-1)];
  t.ok(
    late.every((count, at) => count <= (early[at] ?? 0) + 2),
    `descriptors: ${JSON.stringify(counts)}`,
  );
  fault = undefined;
  const from = service.lines.length;
  await publish({ root }, snapshotDocument({ snapshot_id: 'whole' }));
  t.match(await service.waitForLog('activated', from), { snapshot_id: 'whole' });
});
