/** The operator's commands on a Redis store, each run as a process of its own. */
import { join } from 'node:path';
import { snapshotDocument, writeDocument } from '../../../support/documents/documents.js';
import {
  runBura,
  type CommandOptions,
  type CommandResult,
} from '../../../support/service/command.js';

export type StoreAccess = Readonly<{ root: string; env: Readonly<Record<string, string>> }>;

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
