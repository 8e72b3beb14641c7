/** Names of a store's keys and of its channel (`docs/snapshot-format.md, "Redis store"`). */
export class RedisKeys {
  readonly pointer: string;
  /** A hash: an entry for each stored snapshot. */
  readonly index: string;
  /** A hash: ids that were removed, each with the time. */
  readonly removed: string;
  readonly channel: string;
  readonly #namespace: string;

  constructor(keyPrefix: string) {
    // What stands in braces decides on the slot of a cluster: all keys of a store lie on one node.
    this.#namespace = `{${keyPrefix}}`;
    this.pointer = `${this.#namespace}:active`;
    this.index = `${this.#namespace}:snapshots`;
    this.removed = `${this.#namespace}:removed`;
    this.channel = `${this.#namespace}:activated`;
  }

  document(snapshotId: string): string {
    return `${this.#namespace}:snapshot:${snapshotId}`;
  }

  /** A document that one publisher is still writing. */
  unfinished(publisher: string): string {
    return `${this.#namespace}:publishing:${publisher}`;
  }
}
