/** The archive as an instance knows and keeps it: the state that the child process leaves beside the kept files. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { replaceFile } from '../../files/durable-file.js';
import { textMember, type JsonMembers } from '../domain/json-members.js';
import { readJsonFile } from '../local/own-files.js';
import type { ArchiveFile } from '../store/archive-index.js';

/** The folder of kept files in the directory of local copies. No snapshot id has a tilde, so no local copy has this name. */
const FOLDER = '~archive';

/** A state of another layout counts as none. */
const LAYOUT = 1;

/** Everyone with a row in a file. */
export interface FileContent {
  readonly stationIds: readonly string[];
  readonly parameterCodes: readonly string[];
}

/** A file that is kept whole. */
export interface KeptFile extends ArchiveFile, FileContent {}

export type ArchiveState =
  /** The store has not been asked yet, and nothing is kept of an earlier run. */
  | { readonly kind: 'unknown' }
  /** The store says that it has no archive, since then: epoch milliseconds, UTC. Kept files stay for a day. */
  | { readonly kind: 'none'; readonly sinceMs: number; readonly kept: readonly KeptFile[] }
  | {
      readonly kind: 'there';
      /** As the store has it. */
      readonly index: string;
      readonly kept: readonly KeptFile[];
      /** SHA-256 of the files of the index that do not fit; files in neither list are being fetched. */
      readonly leftOut: readonly string[];
    };

export function archiveFolder(directory: string): string {
  return join(directory, FOLDER);
}

/** Where the state lies: that of another store has another name. @param address without credentials. */
export function statePath(folder: string, address: string): string {
  return join(folder, `${digestOf(address).slice(0, 16)}.json`);
}

/**
 * The state that an earlier run has written; `unknown` without a valid file.
 *
 * @throws {SnapshotError} `copy_unreadable`.
 */
export async function readState(path: string): Promise<ArchiveState> {
  return (await readJsonFile(path, stateOf)) ?? { kind: 'unknown' };
}

export async function writeState(path: string, state: ArchiveState): Promise<void> {
  const text = JSON.stringify(state);
  await replaceFile(path, JSON.stringify({ digest: digestOf(`${LAYOUT} ${text}`), state: text }));
}

/** @throws {Error} where it is not what `writeState` has written. */
function stateOf(members: JsonMembers): ArchiveState {
  const text = textMember(members, 'state');
  const isWhole = digestOf(`${LAYOUT} ${text}`) === textMember(members, 'digest');
  if (!isWhole) throw new TypeError('it is damaged');
  return JSON.parse(text) as ArchiveState;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
