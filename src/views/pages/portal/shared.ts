/** Caches that pages of one snapshot share. */

/** Caches up to `most` values of each owner, by key, while the owner lives; drops the least recently used value. */
export function sharedValues<Value extends object>(
  most: number,
): (owner: object, key: string, make: () => Value) => Value {
  const ofOwners = new WeakMap<object, Map<string, Value>>();
  return (owner, key, make) => {
    const values = ofOwners.get(owner) ?? new Map<string, Value>();
    ofOwners.set(owner, values);
    const value = values.get(key) ?? make();
    values.delete(key);
    values.set(key, value);
    const [oldest] = values.keys();
    if (values.size > most && oldest !== undefined) values.delete(oldest);
    return value;
  };
}
