/** The archive of a Redis store as an instance serves it: told of by the store, kept or streamed, and while the server is away. */
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
    const start = (mb: string) => startService(t, { env: { ...env, ARCHIVE_DISK_MB: mb }, expect });
    const [keeps, streams] = await Promise.all([start('100'), start('0')]);
    await Promise.all([keeps, streams].map((one) => one.waitForLog('activated')));
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
    for (const service of [keeps, streams]) {
      await eventually('the archive is served', async () => {
        return (
          (await get(service, BASE)).status === 200 &&
          (await read(service)).every((one) => one === 200)
        );
      });
    }
    await redis.kill();
    await Promise.all([keeps, streams].map((one) => one.waitForLog('store unreachable')));
    await eventually('all is kept', async () => (await read(keeps)).every((one) => one === 200));
    t.ok((await read(streams)).every((one) => one === 503));
    t.equal((await get(streams, '/api/v1/stations')).status, 200);
    await redis.start();
    await eventually('the server is back', async () =>
      (await read(streams)).every((one) => one === 200),
    );
  },
);
