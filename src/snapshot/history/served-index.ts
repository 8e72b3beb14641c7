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

export interface ServedIndex {
  /** The one served last comes first. */
  readonly served: readonly ServedBefore[];
  /** Ids of those that were read from the store for clients; the one read last comes first. */
  readonly fetched: readonly string[];
}

/** What was written last; empty where there is nothing, or nothing that can be understood. */
export async function readServedIndex(folder: string): Promise<ServedIndex> {
  try {
    return parseServedIndex(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
  } catch {
    return { served: [], fetched: [] }; // only history is lost
  }
}

/** By one rename: a killed process leaves the old file or the new one. */
export async function writeServedIndex(folder: string, index: ServedIndex): Promise<void> {
  await ensureOwnFolder(folder);
  await replaceFile(join(folder, FILE), JSON.stringify(index));
}

function parseServedIndex(value: unknown): ServedIndex {
  const { served, fetched }: Readonly<Record<string, unknown>> = { ...(value as object) };
  return {
    served: itemsOf(served).flatMap((item) => {
      const members: Readonly<Record<string, unknown>> = { ...(item as object) };
      const { snapshotId, activatedAtMs } = members;
      const isOne = isSnapshotId(snapshotId) && typeof activatedAtMs === 'number';
      return isOne ? [{ snapshotId, activatedAtMs }] : [];
    }),
    fetched: itemsOf(fetched).filter(isSnapshotId),
  };
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
