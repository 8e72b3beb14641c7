/** The archive of a Redis store in an instance: notified, cached, and served while the server is away. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { get, getJson } from '../../support/service/requests.js';
import { eventually, makeRoot, startService } from '../../support/service/service.js';
import { startRedis } from '../support/redis/redis-server.js';
import { publishOnStore, runOnStore } from '../support/redis/store-commands.js';

const BASE = '/api/v1/archive';

interface Index {
  readonly files: readonly { readonly download_url: string; readonly sha256: string }[];
}

void t.test(
  'an instance serves what is archived, and what it keeps without the server',
  async (t) => {
    const redis = await startRedis(t);
    const access = { root: await makeRoot(t), env: { SNAPSHOT_STORE: redis.url } };
    t.match(await publishOnStore(access, 'first'), { code: 0, stderr: '' });
    const expect = ['store unreachable', 'archive incomplete'];
    // Polls are too rare to help.
    const env = { ...access.env, POINTER_POLL_SECONDS: '600' };
    const keeps = await startService(t, { env, expect });
    await keeps.waitForLog('activated');
    t.match(await runOnStore(access, 'archive', 'first'), { code: 0 });
    const read = async (service: typeof keeps): Promise<readonly number[]> => {
      const { body } = await getJson(service, BASE);
      const { files } = body as Index;
      const answers = files.map(async ({ download_url: url, sha256 }) => {
        const answer = await get(service, url);
        if (answer.status !== 200) return answer.status;
        t.equal(createHash('sha256').update(answer.body).digest('hex'), sha256, url);
        return 200;
      });
      return await Promise.all(answers);
    };
    await eventually('the archive is served', async () => {
      const statuses = (await get(keeps, BASE)).status === 200 ? await read(keeps) : [];
      return statuses.length > 3 && statuses.every((one) => one === 200);
    });
    await redis.kill();
    await keeps.waitForLog('store unreachable');
    t.ok(
      (await read(keeps)).every((one) => one === 200),
      'all is kept',
    );
    t.equal((await get(keeps, '/api/v1/stations')).status, 200);
    await redis.start();
    await keeps.waitForLog('store reachable');
    t.ok((await read(keeps)).every((one) => one === 200));
  },
);
