/** `bura verify`: reads a whole document from a file or from the store and says whether it would be served. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { checkDocument, type CheckOptions } from '../../publishing/verify-document.js';
import type { Digest } from '../../snapshot/domain/digest.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import type { Pointer, SnapshotStore } from '../../snapshot/store/store.js';
import type { Settings } from '../../settings.js';
import { UsageError, type Flags } from '../command.js';
import { withProgress, type Update } from '../output/progress.js';
import { withStore } from '../store/settings-store.js';
import { printLine } from '../output/terminal.js';
import { besideActive } from './active-snapshot.js';
import { judge } from './sense.js';

/** @param subject the path of a file, or else the id of a stored snapshot. */
export async function verify(settings: Settings, flags: Flags, subject: string): Promise<void> {
  const sizeBytes = await fileSize(subject);
  await besideActive(settings, async (active) => {
    const { line, snapshot } = await withProgress(async (update) => {
      if (sizeBytes !== undefined) return await verifyFile(subject, sizeBytes, update);
      const neither = `${subject} is neither a file nor a snapshot id`;
      if (!isSnapshotId(subject)) throw new UsageError(neither);
      return await withStore(settings, (store, signal) =>
        verifyStored(store, subject, { update, signal }),
      );
    });
    printLine(line);
    await judge(snapshot, { active, flags, say: printLine });
  });
}

interface Verified {
  readonly line: string;
  readonly snapshot: Snapshot;
}

async function verifyFile(path: string, sizeBytes: number, update: Update): Promise<Verified> {
  const { snapshot } = await check(createReadStream(path), { sizeBytes, name: path, update });
  return { line: `${path}: a valid document, ${description(snapshot)}`, snapshot };
}

/** Compares size and digest with the pointer where the snapshot is active; a store records neither for the others. */
async function verifyStored(
  store: SnapshotStore,
  snapshotId: string,
  { update, signal }: { readonly update: Update; readonly signal: AbortSignal },
): Promise<Verified> {
  const reading = await store.readPointer();
  const pointer =
    reading.kind === 'pointer' && reading.pointer.snapshotId === snapshotId
      ? reading.pointer
      : undefined;
  const bytes = await store.openDocument(pointer ?? { snapshotId }, signal);
  const sizeBytes = pointer?.sizeBytes ?? 0;
  const limitBytes = pointer?.sizeBytes;
  const checked = await check(bytes, {
    sizeBytes,
    limitBytes,
    update,
    name: snapshotId,
    snapshotId,
  });
  if (pointer !== undefined) compare(pointer, checked);
  const comparison =
    pointer === undefined ? 'not active' : 'active, size and SHA-256 as in the pointer';
  const { snapshot } = checked;
  return {
    line: `${snapshotId}: a valid document, ${comparison}, ${description(snapshot)}`,
    snapshot,
  };
}

/** @throws {SnapshotError} what `checkDocument` throws. */
async function check(
  bytes: AsyncIterable<Uint8Array>,
  options: Omit<CheckOptions, 'onProgress'> & {
    /** 0 where the size is not known. */
    readonly sizeBytes: number;
    readonly update: Update;
  },
): ReturnType<typeof checkDocument> {
  const { sizeBytes, update } = options;
  const onProgress = (doneBytes: number): void => {
    update({ step: 'checking', doneBytes, totalBytes: Math.max(sizeBytes, doneBytes) });
  };
  return await checkDocument(bytes, { ...options, onProgress });
}

function compare(pointer: Pointer, { sizeBytes, sha256 }: Digest): void {
  if (pointer.sizeBytes === sizeBytes && pointer.sha256 === sha256) return;
  throw new SnapshotError(
    'document_corrupt',
    `${pointer.snapshotId}: ${sizeBytes} bytes with SHA-256 ${sha256}, the pointer says ${pointer.sizeBytes} and ${pointer.sha256}`,
  );
}

function description({ header, observations }: Snapshot): string {
  const generatedAt = new Date(header.generatedAtMs).toISOString();
  const { stations, components } = header.counts;
  return `${header.snapshotId}, schema ${header.schemaVersion}, generated ${generatedAt}, ${stations} stations, ${components} components, ${observations.hours.length} rows`;
}

async function fileSize(path: string): Promise<number | undefined> {
  try {
    const status = await stat(path);
    return status.isFile() ? status.size : undefined;
  } catch {
    return undefined; // there is no such file, so the subject may be an id
  }
}
