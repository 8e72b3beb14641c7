/** The state of the archive in an instance, which the child process writes beside the cached files. */
import { join } from 'node:path';
import { replaceFile } from '../../files/durable-file.js';
import { sha256Of } from '../domain/digest.js';
import { textMember, type JsonMembers } from '../domain/json-members.js';
import { readJsonFile } from '../local/own-files.js';
import type { ArchiveFile } from '../store/archive-index.js';

/** The folder of cached files beside the local copies; no snapshot id has a tilde. */
const FOLDER = '~archive';

/** Version of the state; a state of another version is ignored. */
const LAYOUT = 1;

/** Stations and parameters with a row in a file. */
export interface FileContent {
  readonly stationIds: readonly string[];
  readonly parameterCodes: readonly string[];
}

/** A completely cached file. */
export interface KeptFile extends ArchiveFile, FileContent {}

export type ArchiveState =
  /** The store was not read yet, and there is no earlier state. */
  | { readonly kind: 'unknown' }
  /** The store has had no archive since this time (epoch milliseconds, UTC). Cached files stay for a day. */
  | { readonly kind: 'none'; readonly sinceMs: number; readonly kept: readonly KeptFile[] }
  | {
      readonly kind: 'there';
      readonly index: string;
      readonly kept: readonly KeptFile[];
      /** SHA-256 of indexed files that do not fit; the files in neither list are being downloaded. */
      readonly leftOut: readonly string[];
    };

export function archiveFolder(directory: string): string {
  return join(directory, FOLDER);
}

/** Path of the state, which depends on the store. @param address without credentials. */
export function statePath(folder: string, address: string): string {
  return join(folder, `${sha256Of(address).slice(0, 16)}.json`);
}

/** The state of an earlier run; `unknown` if it is missing or invalid. @throws {SnapshotError} `copy_unreadable`. */
export async function readState(path: string): Promise<ArchiveState> {
  return (await readJsonFile(path, stateOf)) ?? { kind: 'unknown' };
}

export async function writeState(path: string, state: ArchiveState): Promise<void> {
  const text = JSON.stringify(state);
  await replaceFile(path, JSON.stringify({ digest: sha256Of(`${LAYOUT} ${text}`), state: text }));
}

/** @throws {Error} if the members are not from `writeState`, or damaged. */
function stateOf(members: JsonMembers): ArchiveState {
  const text = textMember(members, 'state');
  const isWhole = sha256Of(`${LAYOUT} ${text}`) === textMember(members, 'digest');
  if (!isWhole) throw new TypeError('it is damaged');
  return JSON.parse(text) as ArchiveState;
}
