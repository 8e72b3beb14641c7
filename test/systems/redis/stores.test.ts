/** On a real server, snapshots and the archive have the behaviour of every store that can be written. */
import { startRedis } from '../support/redis/redis-server.js';
import { testStore } from '../../support/stores/store-behaviour.js';
import { testArchive } from '../support/archive/archive-behaviour.js';
import type { MakePlace } from '../support/archive/archive-place.js';

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

const makePlace: MakePlace = async (t) => {
  const redis = await startRedis(t);
  return {
    address: redis.url,
    flip: async (name, at) => {
      await redis.run('SETRANGE', `{demo}:${name}`, String(at), 'damage');
    },
    age: async (name) => {
      const entry = JSON.parse(await redis.run('HGET', '{demo}:archive', name)) as object;
      const then = new Date(Date.now() - 2 * 24 * 3600_000).toISOString();
      const aged = JSON.stringify({ ...entry, stored_at: then });
      await redis.run('HSET', '{demo}:archive', name, aged);
    },
    remove: async (name) => {
      await redis.run('DEL', `{demo}:${name}`);
    },
  };
};

testArchive('redis', makePlace);
