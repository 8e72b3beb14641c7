/** A cluster whose slots move: the store's slot goes to another node, and no instance waits for a poll. */
import t from 'tap';
import { startCluster } from '../support/redis/cluster.js';
import { publishOnStore } from '../support/redis/store-commands.js';
import { activated } from '../../support/service/serve-documents.js';
import { eventually, makeRoot, startService } from '../../support/service/service.js';

void t.test('what is published after the move is served long before the next poll', async (t) => {
  const cluster = await startCluster(t);
  const root = await makeRoot(t);
  const access = { root, env: { SNAPSHOT_STORE: cluster.url } };
  t.match(await publishOnStore(access, 'first'), { code: 0 });
  const env = { ...access.env, POINTER_POLL_SECONDS: '600' };
  const service = await startService(t, { root, env });
  await service.waitForLog('activated');
  for (const id of ['second', 'third']) {
    await cluster.moveSlot('{demo}:active');
    const from = service.lines.length;
    t.match(await publishOnStore(access, id), { code: 0 });
    await activated(service, { snapshot_id: id }, from);
  }
  // The node that had the slot may leave the cluster without a word.
  const master = await cluster.masterOf('{demo}:active');
  await eventually('it listens to the node that has the slot', async () =>
    /\n1$/.test(await master.run('PUBSUB', 'NUMSUB', '{demo}:activated')),
  );
});
