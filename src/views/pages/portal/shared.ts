/** Caches that pages of one snapshot share. */
import { LRUCache } from 'lru-cache';

/** Caches up to `most` values of each owner, by key, while the owner lives; drops the least recently used value. */
export function sharedValues<Value extends object>(
  most: number,
): (owner: object, key: string, make: () => Value) => Value {
  const ofOwners = new WeakMap<object, LRUCache<string, Value>>();
  return (owner, key, make) => {
    const values = ofOwners.get(owner) ?? new LRUCache({ max: most });
    ofOwners.set(owner, values);
    const value = values.get(key) ?? make();
    values.set(key, value);
    return value;
  };
}
