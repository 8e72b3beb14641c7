/** Names of a store's keys and of its channel (`docs/snapshot-format.md, "Redis store"`). */
import { POINTER_NAME, snapshotIdOf } from '../pointer.js';

export type RedisKeys = ReturnType<typeof redisKeys>;

export function redisKeys(keyPrefix: string) {
  // The part in braces decides on the slot of a cluster: all keys of a store lie on one node.
  const namespace = `{${keyPrefix}}`;
  return {
    /** A hash: ids that were removed, each with the time. */
    removed: `${namespace}:removed`,
    channel: `${namespace}:activated`,
    /** Key of a name that is replaced. */
    named: (name: string) => `${namespace}:${name === POINTER_NAME ? 'active' : name}`,
    /** A hash: an entry for each object of a folder. */
    index: (folder: string) => `${namespace}:${folder}`,
    /** An object, and what it is called in the index of its folder. */
    object: (name: string) => {
      const index = `${namespace}:${name.split('/')[0] ?? ''}`;
      const snapshotId = snapshotIdOf(name);
      return snapshotId === undefined
        ? { index, field: name, key: `${namespace}:${name}` }
        : { index, field: snapshotId, key: `${namespace}:snapshot:${snapshotId}` };
    },
    /** An object that one publisher is still writing. */
    unfinished: (publisher: string) => `${namespace}:publishing:${publisher}`,
  };
}
