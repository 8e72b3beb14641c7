/** The operator's commands on a Redis store, each run as a process of its own. */
import { join } from 'node:path';
import { snapshotDocument, writeDocument } from '../../../support/documents/documents.js';
import {
  runBura,
  type CommandOptions,
  type CommandResult,
} from '../../../support/service/command.js';

export interface StoreAccess {
  /** A folder for the documents. */
  readonly root: string;
  /** `SNAPSHOT_STORE`, and other variables that are needed to reach the store. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs `bura` on the store. */
export async function runOnStore(
  { env }: StoreAccess,
  words: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return await runBura(words, { ...options, env });
}

/** Stores and activates a small document by `bura publish`. */
export async function publishOnStore(
  access: StoreAccess,
  snapshotId: string,
): Promise<CommandResult> {
  const file = join(access.root, `${snapshotId}.json`);
  await writeDocument(file, snapshotDocument({ snapshot_id: snapshotId }));
  return await runOnStore(access, ['publish', file]);
}
