/** `bura verify`: reads a whole document from a file or from the store, and reports whether it can be served. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { verifyArchive } from '../../publishing/archive/archive-objects.js';
import { checkDocument } from '../../publishing/verify-document.js';
import { Digester, digesting } from '../../snapshot/domain/digest.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import type { SnapshotStore } from '../../snapshot/store/snapshot-store.js';
import { assertDigest } from '../../snapshot/store/pointer.js';
import type { Settings } from '../../settings.js';
import { UsageError, type Flags } from '../command.js';
import { withProgress, type Update } from '../output/progress.js';
import { withStore } from '../store/settings-store.js';
import { printLine } from '../output/terminal.js';
import { besideActive } from './active-snapshot.js';
import { passGates } from './pass-gates.js';

/** @param subject path of a file, or id of a stored snapshot; empty with `--archive`. */
export async function verify(settings: Settings, flags: Flags, subject = ''): Promise<void> {
  if ((flags['archive'] === true) === (subject !== '')) {
    throw new UsageError('give either a file, a snapshot id or --archive');
  }
  if (subject === '') {
    await verifyWholeArchive(settings);
    return;
  }
  const status = await stat(subject).catch(() => undefined);
  const sizeBytes = status?.isFile() === true ? status.size : undefined;
  const neither = `${subject} is neither a file nor a snapshot id`;
  // Without such a file, the subject may be an id.
  if (sizeBytes === undefined && !isSnapshotId(subject)) throw new UsageError(neither);
  await besideActive(settings, async (active) => {
    const { is, snapshot } = await withProgress((update) =>
      sizeBytes === undefined
        ? withStore(settings, (store, signal) => verifyStored(store, subject, { update, signal }))
        : verifyFile(subject, sizeBytes, update),
    );
    printLine(`${subject}: ${['a valid document', ...is, description(snapshot)].join(', ')}`);
    await passGates(snapshot, { active, flags, say: printLine });
  });
}

/** Prints a line for each fault; throws for any fault, and without an archive. */
async function verifyWholeArchive(settings: Settings): Promise<void> {
  const report = await withProgress((update) =>
    withStore(settings, ({ objects }, signal) => {
      const onProgress = (doneBytes: number, totalBytes: number): void => {
        update('checking', doneBytes, totalBytes);
      };
      return verifyArchive(objects, { signal, onProgress });
    }),
  );
  if (report === undefined) throw new Error('the store has no archive');
  const { index, damages } = report;
  damages.forEach(printLine);
  const files = `${index.files.length} files`;
  if (damages.length > 0) throw new Error(`the archive is damaged: ${damages.length} of ${files}`);
  printLine(`the archive is whole: ${files}, of ${utcDateTime(index.generatedAtMs)}`);
}

interface Verified {
  readonly snapshot: Snapshot;
  readonly is: readonly string[];
}

async function verifyFile(path: string, sizeBytes: number, update: Update): Promise<Verified> {
  const onProgress = checking(sizeBytes, update);
  const snapshot = await checkDocument(createReadStream(path), { name: path, onProgress });
  return { snapshot, is: [] };
}

/** Compares size and digest of the active snapshot with the pointer; a store has neither for other snapshots. */
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
  const digester = new Digester();
  const bytes = digesting(await store.openDocument(pointer ?? { snapshotId }, signal), digester);
  const onProgress = checking(pointer?.sizeBytes ?? 0, update);
  const snapshot = await checkDocument(bytes, { name: snapshotId, snapshotId, onProgress });
  if (pointer === undefined) return { snapshot, is: ['not active'] };
  assertDigest(pointer, digester.digest());
  return { snapshot, is: ['active', 'size and SHA-256 as in the pointer'] };
}

/** @param sizeBytes 0 where unknown. */
function checking(sizeBytes: number, update: Update): (doneBytes: number) => void {
  return (doneBytes) => {
    update('checking', doneBytes, Math.max(sizeBytes, doneBytes));
  };
}

function description({ header, observations }: Snapshot): string {
  const generatedAt = new Date(header.generatedAtMs).toISOString();
  const { stations, components } = header.counts;
  return `${header.snapshotId}, schema ${header.schemaVersion}, generated ${generatedAt}, ${stations} stations, ${components} components, ${observations.hours.length} rows`;
}
