/** The Redis store does what every store that can be written does, on a real server. */
import { startRedis } from '../support/redis/redis-server.js';
import { testStore } from '../../support/stores/store-behaviour.js';

testStore('redis', async (t) => {
  const redis = await startRedis(t);
  return {
    address: redis.url,
    names: async () => {
      const keys = await redis.run('KEYS', '*');
      const stored = keys.split('\n').filter((key) => !/^$|:(?:active|removed)$/.test(key));
      return stored.sort();
    },
    writePointer: async (text) => {
      await redis.run('SET', '{sepa}:active', text);
    },
  };
});
