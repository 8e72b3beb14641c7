/** Which snapshots this instance has served, written to disk, so that it is known over a restart. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSnapshotId } from '../domain/snapshot-id.js';
import { ensureOwnFolder } from '../local/own-folders.js';
import { replaceFile } from '../store/file/durable-file.js';

const FILE = 'served.json';

export interface ServedBefore {
  readonly snapshotId: string;
  /** When it was made the active one last: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
}

/** What was written last, the one served last first; empty where there is nothing, or nothing that can be understood. */
export async function readServedIndex(folder: string): Promise<readonly ServedBefore[]> {
  try {
    return parseServedIndex(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
  } catch {
    return []; // only history is lost
  }
}

/** By one rename: a killed process leaves the old file or the new one. */
export async function writeServedIndex(
  folder: string,
  served: readonly ServedBefore[],
): Promise<void> {
  await ensureOwnFolder(folder);
  await replaceFile(join(folder, FILE), JSON.stringify({ served }));
}

function parseServedIndex(value: unknown): readonly ServedBefore[] {
  const { served }: Readonly<Record<string, unknown>> = { ...(value as object) };
  const items: readonly unknown[] = Array.isArray(served) ? served : [];
  return items.flatMap((item) => {
    const members: Readonly<Record<string, unknown>> = { ...(item as object) };
    const { snapshotId, activatedAtMs } = members;
    const isOne = isSnapshotId(snapshotId) && typeof activatedAtMs === 'number';
    return isOne ? [{ snapshotId, activatedAtMs }] : [];
  });
}
