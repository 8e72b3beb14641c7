/** Names of a store's keys and of its channel (`docs/snapshot-format.md, "Redis store"`). */

/** A key that holds a part of a document. */
interface PartKey {
  readonly snapshotId: string;
  readonly part: number;
}

export class RedisKeys {
  readonly pointer: string;
  /** A hash: an entry for each stored snapshot. */
  readonly index: string;
  readonly channel: string;
  /** For `SCAN`: all keys of parts. A prefix has none of the characters that mean something there. */
  readonly partPattern: string;
  readonly #partPrefix: string;
  readonly #guardPrefix: string;

  constructor(keyPrefix: string) {
    // What stands in braces decides on the slot of a cluster: all keys of a store lie on one node.
    const namespace = `{${keyPrefix}}`;
    this.pointer = `${namespace}:active`;
    this.index = `${namespace}:snapshots`;
    this.channel = `${namespace}:activated`;
    this.#partPrefix = `${namespace}:snapshot:`;
    this.#guardPrefix = `${namespace}:publishing:`;
    this.partPattern = `${this.#partPrefix}*`;
  }

  /** Says that a publisher stores this snapshot at the moment. */
  guard(snapshotId: string): string {
    return this.#guardPrefix + snapshotId;
  }

  part(snapshotId: string, part: number): string {
    return `${this.#partPrefix}${snapshotId}:${part}`;
  }

  parts(snapshotId: string, count: number): string[] {
    return Array.from({ length: count }, (_, part) => this.part(snapshotId, part));
  }

  /** What a key holds a part of, or undefined where it is another key. */
  parsePart(key: string): PartKey | undefined {
    if (!key.startsWith(this.#partPrefix)) return undefined;
    const [snapshotId = '', part = '', ...more] = key.slice(this.#partPrefix.length).split(':');
    if (more.length > 0 || !/^\d{1,9}$/.test(part)) return undefined;
    return { snapshotId, part: Number(part) };
  }
}
