/** A cluster that is planned anew: the store's slot moves to another node, and nobody waits for a poll. */
import t from 'tap';
import { activateSnapshot, storeSnapshot } from '../../../src/publishing/stored-snapshots.js';
import { newSnapshot } from '../../support/stores/new-snapshot.js';
import { openWritable } from '../../support/stores/open-writable.js';
import { startCluster } from '../support/redis/cluster.js';
import { publishOnStore } from '../support/redis/store-commands.js';
import { activated } from '../../support/service/serve-documents.js';
import { eventually, makeRoot, startService } from '../../support/service/service.js';

void t.test('a pointer that moves after its slot has is read when the message comes', async (t) => {
  const cluster = await startCluster(t);
  const publisher = openWritable(t, cluster.url, { retryForMs: 60_000 });
  await storeSnapshot(publisher, newSnapshot('a'));
  await storeSnapshot(publisher, newSnapshot('b'));
  await activateSnapshot(publisher, 'a');

  const reader = openWritable(t, cluster.url);
  const readings: string[] = [];
  const watching = reader.watch(() => {
    reader.readPointer().then(
      (reading) => readings.push(reading.kind === 'pointer' ? reading.pointer.snapshotId : ''),
      (error: unknown) => readings.push(String(error)),
    );
  });
  t.teardown(() => {
    watching.close();
  });
  await eventually('it listens', () => Promise.resolve(readings.includes('a')));
  await cluster.moveSlot('{sepa}:active');
  readings.length = 0;
  await activateSnapshot(publisher, 'b');
  await eventually('it is told', () => Promise.resolve(readings.length > 0));
  t.same(new Set(readings), new Set(['b']));

  // The node that had the slot may leave the cluster without a word.
  const master = await cluster.masterOf('{sepa}:active');
  await eventually('it listens to the node that has the slot', async () =>
    / 1$|\n1$/.test(await master.run('PUBSUB', 'NUMSUB', '{sepa}:activated')),
  );
});

void t.test(
  'an instance serves what is published after the move, long before its next poll',
  async (t) => {
    const cluster = await startCluster(t);
    const access = { root: await makeRoot(t), env: { SNAPSHOT_STORE: cluster.url } };
    t.match(await publishOnStore(access, 'first'), { code: 0 });
    const env = { ...access.env, POINTER_POLL_SECONDS: '600' };
    const service = await startService(t, { root: access.root, env });
    await service.waitForLog('activated');
    for (const id of ['second', 'third']) {
      await cluster.moveSlot('{demo}:active');
      const from = service.lines.length;
      t.match(await publishOnStore(access, id), { code: 0 });
      const line = await activated(service, { snapshot_id: id }, from);
      t.comment(`${id}: visible after ${String(line['publish_to_visible_ms'])} ms`);
    }
  },
);
