/** The folder of past snapshots beside the local copies: a file for each snapshot, and an index. */
import { readFileSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SnapshotError } from '../domain/snapshot-error.js';
import type { JsonMembers } from '../domain/json-members.js';
import { isSnapshotId, type DocumentName } from '../domain/snapshot-id.js';
import { ensureOwnFolder, readJsonFile } from '../local/own-files.js';
import { readFailure } from '../local/read-failure.js';
import { removeAbandoned, replaceFile } from '../../files/durable-file.js';
import {
  decodePastHead,
  decodePastSnapshot,
  encodePastSnapshot,
  HEAD_BYTES_MAX,
} from './past-snapshot-file.js';
import type { HistoryEntry, PastHead } from './history.js';
import type { PastSnapshot } from './past-snapshot.js';

/** Folder name. Snapshot ids have no tilde, so no local copy has this name. */
const FOLDER = '~history';

const EXTENSION = '.past';

const INDEX_FILE = 'served.json';

export function historyFolder(directory: string): string {
  return join(directory, FOLDER);
}

function pastPath(folder: string, snapshotId: string): string {
  return join(folder, `${snapshotId}${EXTENSION}`);
}

/** Writes or replaces the file of a snapshot. @throws {Error} if the disk is full, or the folder has foreign files. */
export async function writePast(folder: string, past: PastSnapshot): Promise<void> {
  await ensureOwnFolder(folder);
  await replaceFile(pastPath(folder, past.snapshotId), encodePastSnapshot(past));
}

/** @throws {SnapshotError} `history_damaged` if missing, damaged or another snapshot's; `copy_unreadable`. */
export function readPast(
  folder: string,
  { snapshotId, documentSha256 }: DocumentName,
): PastSnapshot {
  const path = pastPath(folder, snapshotId);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw readFailure(path, cause, 'history_damaged');
  }
  const past = decodePastSnapshot(bytes);
  if (past.snapshotId === snapshotId && past.documentSha256 === documentSha256) return past;
  throw new SnapshotError('history_damaged', `the file of ${snapshotId} is another's`);
}

/** Reads and verifies a file's head; undefined if missing or damaged. @throws {SnapshotError} `copy_unreadable`. */
export async function readPastHead(
  folder: string,
  snapshotId: string,
): Promise<PastHead | undefined> {
  const path = pastPath(folder, snapshotId);
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES_MAX));
      const head = decodePastHead(buffer.subarray(0, bytesRead), size);
      return head.snapshotId === snapshotId ? head : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    const failure =
      error instanceof SnapshotError ? error : readFailure(path, error, 'history_damaged');
    if (failure.code === 'history_damaged') return undefined;
    throw failure;
  }
}

export async function removePast(folder: string, snapshotId: string): Promise<void> {
  await rm(pastPath(folder, snapshotId), { force: true });
}

/** Removes the files of snapshots that are not in `keep`, and temporary files of killed processes. */
export async function tidyPast(folder: string, keep: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder).catch((): readonly string[] => []);
  for (const name of names) {
    const snapshotId = name.slice(0, -EXTENSION.length);
    if (!name.endsWith(EXTENSION) || !isSnapshotId(snapshotId)) continue;
    if (!keep.has(snapshotId)) await removePast(folder, snapshotId);
  }
  await removeAbandoned(folder);
}

export type PastActivation = Pick<HistoryEntry, 'snapshotId' | 'activatedAtMs'>;

/**
 * Snapshots that were active in this instance, last activated first; empty if the index is missing or invalid.
 *
 * @throws {SnapshotError} `copy_unreadable`.
 */
export async function readServedIndex(folder: string): Promise<readonly PastActivation[]> {
  return (await readJsonFile(join(folder, INDEX_FILE), servedOf)) ?? [];
}

/** Replaces the index by one rename: a killed process leaves either the old or the new index. */
export async function writeServedIndex(
  folder: string,
  served: readonly PastActivation[],
): Promise<void> {
  await ensureOwnFolder(folder);
  await replaceFile(join(folder, INDEX_FILE), JSON.stringify({ served }));
}

function servedOf({ served }: JsonMembers): readonly PastActivation[] {
  const items: readonly unknown[] = Array.isArray(served) ? served : [];
  return items.flatMap((item) => {
    const { snapshotId, activatedAtMs }: JsonMembers = { ...(item as object) };
    const isOne = isSnapshotId(snapshotId) && typeof activatedAtMs === 'number';
    return isOne ? [{ snapshotId, activatedAtMs }] : [];
  });
}
