/** The archive as cached by an instance: the state that the child process writes beside the cached files. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { replaceFile } from '../../files/durable-file.js';
import { textMember, type JsonMembers } from '../domain/json-members.js';
import { readJsonFile } from '../local/own-files.js';
import type { ArchiveFile } from '../store/archive-index.js';

/** The folder of cached files beside the local copies: no snapshot id has a tilde. */
const FOLDER = '~archive';

/** Other layouts are ignored. */
const LAYOUT = 1;

/** Stations and series with a row in a file. */
export interface FileContent {
  readonly stationIds: readonly string[];
  readonly parameterCodes: readonly string[];
}

/** A completely cached file. */
export interface KeptFile extends ArchiveFile, FileContent {}

export type ArchiveState =
  /** The store was not read yet, and there is no earlier state. */
  | { readonly kind: 'unknown' }
  /** The store has no archive, since then (epoch milliseconds, UTC). Cached files stay for a day. */
  | { readonly kind: 'none'; readonly sinceMs: number; readonly kept: readonly KeptFile[] }
  | {
      readonly kind: 'there';
      readonly index: string;
      readonly kept: readonly KeptFile[];
      /** SHA-256 of the index's files that do not fit; files in neither list are being fetched. */
      readonly leftOut: readonly string[];
    };

export function archiveFolder(directory: string): string {
  return join(directory, FOLDER);
}

/** Path of the state, which depends on the store. @param address without credentials. */
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

/** @throws {Error} for other members than those of `writeState`. */
function stateOf(members: JsonMembers): ArchiveState {
  const text = textMember(members, 'state');
  const isWhole = digestOf(`${LAYOUT} ${text}`) === textMember(members, 'digest');
  if (!isWhole) throw new TypeError('it is damaged');
  return JSON.parse(text) as ArchiveState;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
