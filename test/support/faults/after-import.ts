/** Checks the active snapshot and the copies after a failed import. */
import { readdir } from 'node:fs/promises';
import type { Test } from 'tap';
import { get } from '../service/requests.js';
import type { Service } from '../service/service.js';

export async function serves(t: Test, service: Service, snapshotId: string): Promise<void> {
  const { status, headers } = await get(service, '/stations');
  t.same([status, headers['x-snapshot-id']], [200, snapshotId]);
}

/** Names of the temporary folders of imports. */
export async function unfinished({ copies }: Pick<Service, 'copies'>): Promise<readonly string[]> {
  return (await readdir(copies)).filter((name) => /^~\d/.test(name));
}
