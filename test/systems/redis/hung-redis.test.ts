/** An instance whose Redis hangs answers all that needs no store as before. */
import { join } from 'node:path';
import t from 'tap';
import { generateDocument, writeDocument } from '../../support/documents/documents.js';
import { answersWhileHung } from '../../support/faults/while-hung.js';
import { makeRoot, startService } from '../../support/service/service.js';
import { startRedis } from '../support/redis/redis-server.js';
import { runOnStore } from '../support/redis/store-commands.js';

void t.test('all answers are as before while Redis hangs', async (t) => {
  const redis = await startRedis(t, { isPersistent: false });
  const root = await makeRoot(t);
  const access = { root, env: { SNAPSHOT_STORE: redis.url, WORKER_THREADS: '1' } };
  const publish = async (snapshotId: string, seed: number): Promise<void> => {
    const file = join(root, `${snapshotId}.json`);
    const size = { stations: 20, components: 3, hours: 120 };
    await writeDocument(file, generateDocument({ ...size, snapshotId, seed }));
    t.match(await runOnStore(access, 'publish', file), { code: 0 });
  };
  await publish('first', 1);
  const service = await startService(t, {
    ...access,
    expect: ['store unreachable', 'archive incomplete'],
  });
  await service.waitForLog('activated');
  await publish('second', 2);
  await service.waitForLog((line) => line.msg === 'activated' && line['snapshot_id'] === 'second');
  await answersWhileHung(t, service, async () => {
    redis.signal('SIGSTOP');
    await service.waitForLog('store unreachable');
  });
  redis.signal('SIGCONT');
});
