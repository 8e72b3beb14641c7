/** Names of a store's keys and of its channel (`docs/snapshot-format.md, "Redis store"`). */
import { POINTER_NAME, snapshotIdOf } from '../pointer.js';

export type RedisKeys = ReturnType<typeof redisKeys>;

export function redisKeys(keyPrefix: string) {
  // The part in braces determines the slot in a cluster, so all keys of a store are on one node.
  const namespace = `{${keyPrefix}}`;
  return {
    /** Hash of removed ids, each with the time of its removal. */
    removed: `${namespace}:removed`,
    channel: `${namespace}:activated`,
    /** Key of an object that is replaced under the same name, such as the pointer. */
    named: (name: string) => `${namespace}:${name === POINTER_NAME ? 'active' : name}`,
    /** Hash with an entry for each object of a folder. */
    index: (folder: string) => `${namespace}:${folder}`,
    /** Key of an object, key of its folder's index, and its field there. */
    object: (name: string) => {
      const index = `${namespace}:${name.split('/')[0] ?? ''}`;
      const snapshotId = snapshotIdOf(name);
      return snapshotId === undefined
        ? { index, field: name, key: `${namespace}:${name}` }
        : { index, field: snapshotId, key: `${namespace}:snapshot:${snapshotId}` };
    },
    /** Key of an object that a publisher is writing. */
    unfinished: (publisher: string) => `${namespace}:publishing:${publisher}`,
  };
}
