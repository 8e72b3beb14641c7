/** Names of a store's keys and of its channel (`docs/snapshot-format.md, "Redis store"`). */
export type RedisKeys = ReturnType<typeof redisKeys>;

export function redisKeys(keyPrefix: string) {
  // What stands in braces decides on the slot of a cluster: all keys of a store lie on one node.
  const namespace = `{${keyPrefix}}`;
  return {
    pointer: `${namespace}:active`,
    /** A hash: an entry for each stored snapshot. */
    index: `${namespace}:snapshots`,
    /** A hash: ids that were removed, each with the time. */
    removed: `${namespace}:removed`,
    channel: `${namespace}:activated`,
    document: (snapshotId: string) => `${namespace}:snapshot:${snapshotId}`,
    /** A document that one publisher is still writing. */
    unfinished: (publisher: string) => `${namespace}:publishing:${publisher}`,
  };
}
