/** When the store last answered, and what was served then, written to disk, so that both hold over a restart (`docs/operations.md, "Store outages"`). */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseGivenDate, type GivenDate } from './given-date.js';
import { isSnapshotId } from '../domain/snapshot-id.js';

/** No snapshot id has a tilde, so no local copy has this name. */
const FILE = '~contact.json';

export interface StoredStatus {
  /** The store's address without credentials: another store's word is worth nothing. */
  readonly store: string;
  /** When it last answered: epoch milliseconds, UTC. */
  readonly atMs: number;
  /** The local copy that may be served without it; undefined when the store has withdrawn it. */
  readonly snapshotId: string | undefined;
  /** What this instance gave as `Last-Modified`, whatever the store was; undefined where it has given none. */
  readonly date: GivenDate | undefined;
}

/** What was written last, or undefined where there is nothing, or nothing that can be understood. */
export async function readStoreStatus(directory: string): Promise<StoredStatus | undefined> {
  try {
    return parseStoreStatus(JSON.parse(await readFile(join(directory, FILE), 'utf8')));
  } catch {
    return undefined; // none yet, or half a file: as after a first start, the store has to answer
  }
}

/** By one rename: a killed process leaves the old file or the new one. */
export async function writeStoreStatus(directory: string, status: StoredStatus): Promise<void> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, FILE);
  await writeFile(`${path}.new`, JSON.stringify(status));
  await rename(`${path}.new`, path);
}

function parseStoreStatus(value: unknown): StoredStatus | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { store, atMs, snapshotId, date }: Readonly<Record<string, unknown>> = { ...value };
  if (typeof store !== 'string' || typeof atMs !== 'number') return undefined;
  return {
    store,
    atMs,
    snapshotId: isSnapshotId(snapshotId) ? snapshotId : undefined,
    date: parseGivenDate(date),
  };
}
