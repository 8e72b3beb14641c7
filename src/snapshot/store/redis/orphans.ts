/** Parts in a Redis store that no entry of the index names: left by publishers that were killed, and removed here. */
import { asList } from './redis-connection.js';
import type { RedisAccess } from './redis-access.js';
import { DISCARD } from './redis-scripts.js';

/** Keys that the server looks at in one step, during which it answers nobody else. */
const SCAN_KEYS = 1000;

/** Removes them; answers of how many snapshots. Those that a publisher is storing at the moment stay. */
export async function removeOrphans(access: RedisAccess): Promise<number> {
  const removed = new Set<string>();
  let cursor = '0';
  do {
    const command = ['SCAN', cursor, 'MATCH', access.keys.partPattern, 'COUNT', String(SCAN_KEYS)];
    const reply = await access.run('list the keys', (server) => server.send(command));
    const [next, keys] = asList(reply);
    cursor = String(next);
    for (const [snapshotId, parts] of byId(asList(keys ?? []).map(String), access)) {
      if (await removeUnnamed(access, snapshotId, parts)) removed.add(snapshotId);
    }
  } while (cursor !== '0');
  return removed.size;
}

async function removeUnnamed(
  access: RedisAccess,
  snapshotId: string,
  parts: readonly number[],
): Promise<boolean> {
  const { keys } = access;
  const entry = await access.entry(snapshotId);
  const unnamed = parts.filter((part) => part >= (entry?.parts ?? 0));
  if (unnamed.length === 0) return false;
  const unnamedKeys = unnamed.map((part) => keys.part(snapshotId, part));
  // An empty holder is nobody: the parts stay where there is a guard.
  return await access.evaluate(`remove orphans of ${snapshotId}`, DISCARD, {
    keys: [keys.guard(snapshotId), keys.index, ...unnamedKeys],
    values: ['', snapshotId, entry?.text ?? ''],
  });
}

function byId(
  keys: readonly string[],
  access: RedisAccess,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const key of keys) {
    const parsed = access.keys.parsePart(key);
    if (parsed === undefined) continue;
    const parts = found.get(parsed.snapshotId) ?? [];
    parts.push(parsed.part);
    found.set(parsed.snapshotId, parts);
  }
  return found;
}
