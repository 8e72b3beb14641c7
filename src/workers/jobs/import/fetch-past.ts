/** Reads a stored snapshot to keep its rows as history; nothing of it is served. Runs in the import process. */
import { readSnapshot } from '../../../snapshot/document/read.js';
import { publicPart } from '../../../snapshot/domain/public.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { historyFolder, writePast } from '../../../snapshot/history/past-files.js';
import { pastOf } from '../../../snapshot/history/past-snapshot.js';
import type { SnapshotStore } from '../../../snapshot/store/store.js';

/**
 * No pointer says what its size and digest should be: it is proved by its compression's own checksum, and by what it
 * says that it is.
 *
 * @throws {SnapshotError} whatever the store or the document says, `document_corrupt` where it is another's.
 */
export async function fetchPast(
  store: Pick<SnapshotStore, 'openDocument'>,
  { directory, snapshotId }: { readonly directory: string; readonly snapshotId: string },
): Promise<void> {
  const snapshot = publicPart(await readSnapshot(await store.openDocument({ snapshotId })));
  if (snapshot.header.snapshotId !== snapshotId) {
    throw new SnapshotError(
      'document_corrupt',
      `the document of ${snapshotId} says that it is ${snapshot.header.snapshotId}`,
    );
  }
  await writePast(historyFolder(directory), pastOf(snapshot));
}
