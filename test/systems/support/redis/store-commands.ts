/** The operator's commands on a Redis store, run as programs of their own. */
import { join } from 'node:path';
import { runBura, type CommandResult } from '../../../support/service/command.js';
import { snapshotDocument, writeDocument } from '../../../support/documents/documents.js';

export interface StoreAccess {
  /** A folder for the documents. */
  readonly root: string;
  /** `SNAPSHOT_STORE`, and what else it takes to reach it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs `bura` on the store. */
export async function runOnStore(
  { env }: StoreAccess,
  ...words: readonly string[]
): Promise<CommandResult> {
  return await runBura(words, { env });
}

/** Has `bura publish` store and activate a small document. */
export async function publishOnStore(
  access: StoreAccess,
  snapshotId: string,
): Promise<CommandResult> {
  const file = join(access.root, `${snapshotId}.json`);
  await writeDocument(file, snapshotDocument({ snapshot_id: snapshotId }));
  return await runOnStore(access, 'publish', file);
}
