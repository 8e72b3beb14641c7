/** The snapshot before the one that is served: what changes can be asked since. */
import type { AttackOrder } from './attack.js';

/** The one that is named first of those that are not active. */
export async function activeAndSince({ port }: AttackOrder): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/snapshots`);
  const snapshots = (await response.json()) as readonly {
    readonly snapshot_id: string;
    readonly active: boolean;
  }[];
  const since = snapshots.find(({ active }) => !active)?.snapshot_id;
  if (since === undefined) throw new Error('this instance has served one snapshot only');
  return since;
}
