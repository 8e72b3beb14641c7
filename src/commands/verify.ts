/** `bura verify`: reads a whole document from a file or from the store and says whether it would be served. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { checkDocument, type CheckOptions } from '../publishing/check-document.js';
import { SCHEMA_VERSIONS } from '../snapshot/document/schema-version.js';
import type { Digest } from '../snapshot/domain/digest.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import type { Snapshot } from '../snapshot/domain/model.js';
import { isSnapshotId } from '../snapshot/domain/snapshot-id.js';
import type { Pointer, SnapshotStore } from '../snapshot/store/store.js';
import type { Settings } from '../settings.js';
import { createProgress, type Progress } from './progress.js';
import { withStore } from './settings-store.js';
import { printLine } from './terminal.js';
import { UsageError } from './usage-error.js';

export interface VerifyArguments {
  /** The path of a file, or else the id of a stored snapshot. */
  readonly subject: string;
}

export async function verify(settings: Settings, { subject }: VerifyArguments): Promise<void> {
  const sizeBytes = await fileSize(subject);
  const progress = createProgress();
  try {
    if (sizeBytes !== undefined) {
      await verifyFile(subject, sizeBytes, progress);
      return;
    }
    const neither = `${subject} is neither a file nor a snapshot id`;
    if (!isSnapshotId(subject)) throw new UsageError(neither);
    await withStore(settings, (store) => verifyStored(store, subject, progress));
  } finally {
    progress.stop();
  }
}

async function verifyFile(path: string, sizeBytes: number, progress: Progress): Promise<void> {
  const checked = await check(createReadStream(path), { sizeBytes, name: path, progress });
  progress.stop();
  printLine(`${path}: a valid document, ${description(checked.snapshot)}`);
}

/** Compares size and digest with the pointer where the snapshot is active; a store records neither for the others. */
async function verifyStored(store: SnapshotStore, snapshotId: string, progress: Progress) {
  const reading = await store.readPointer();
  const pointer =
    reading.kind === 'pointer' && reading.pointer.snapshotId === snapshotId
      ? reading.pointer
      : undefined;
  const bytes = await store.openDocument(pointer ?? { snapshotId });
  const sizeBytes = pointer?.sizeBytes ?? 0;
  const limitBytes = pointer?.sizeBytes;
  const checked = await check(bytes, { sizeBytes, limitBytes, name: snapshotId, progress });
  progress.stop();
  if (checked.snapshot.header.snapshotId !== snapshotId) {
    const other = checked.snapshot.header.snapshotId;
    throw new SnapshotError('document_corrupt', `${snapshotId}: the document says it is ${other}`);
  }
  if (pointer !== undefined) compare(pointer, checked);
  const comparison =
    pointer === undefined ? 'not active' : 'active, size and SHA-256 as in the pointer';
  printLine(`${snapshotId}: a valid document, ${comparison}, ${description(checked.snapshot)}`);
}

/** @throws {SnapshotError} what `checkDocument` throws; `schema_version` for one that is not known. */
async function check(
  bytes: AsyncIterable<Uint8Array>,
  options: Omit<CheckOptions, 'onProgress'> & {
    /** 0 where the size is not known. */
    readonly sizeBytes: number;
    readonly progress: Progress;
  },
): ReturnType<typeof checkDocument> {
  const { name, sizeBytes, progress } = options;
  const onProgress = (doneBytes: number): void => {
    progress.update('checking', doneBytes, Math.max(sizeBytes, doneBytes));
  };
  const checked = await checkDocument(bytes, { ...options, onProgress });
  const { schemaVersion } = checked.snapshot.header;
  if (SCHEMA_VERSIONS.some((known) => known === schemaVersion)) return checked;
  const known = SCHEMA_VERSIONS.join(', ');
  throw new SnapshotError(
    'schema_version',
    `${name}: schema version ${schemaVersion} is not known (known: ${known})`,
  );
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
