/** `bura archive` takes stored snapshots into the archive, the oldest first; `bura publish --archive` the published one. */
import type { Command } from 'commander';
import type { WritableSnapshotStore } from '../../publishing/writable-snapshot-store.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import { loadDuckDb } from '../../publishing/sql/database.js';
import type { Settings } from '../../settings.js';
import { UsageError, type Flags } from '../command.js';
import { withProgress, type Update } from '../output/progress.js';
import { printLine } from '../output/terminal.js';
import { withWritableStore } from './settings-store.js';

export async function archive(
  settings: Settings,
  _flags: Flags,
  _first: string,
  _second: string,
  { args }: Command,
): Promise<void> {
  const ids = [...new Set(args)];
  for (const id of ids) {
    if (!isSnapshotId(id)) throw new UsageError(`${JSON.stringify(id)} is no snapshot id`);
  }
  const lines = await withProgress((update) =>
    withWritableStore(settings, async (store, signal) => {
      const archiver = await createArchiver(store, signal, update);
      await store.objects.removeOrphans();
      const ages = new Map<string, number>();
      // Of one alone nothing needs to be known.
      for (const id of ids.length > 1 ? ids : []) {
        update({ step: 'checking', doneBytes: ages.size, totalBytes: ids.length });
        ages.set(id, (await store.check(id, signal)).snapshot.header.generatedAtMs);
      }
      const oldestFirst = ids.toSorted((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0));
      const said: string[] = [];
      for (const id of oldestFirst)
        said.push(await archiver((await store.check(id, signal)).snapshot));
      return said;
    }),
  );
  lines.forEach(printLine);
}

/** @returns takes a snapshot into the archive, and answers a line about it. @throws {SqlError} where DuckDB is missing. */
export async function createArchiver(
  { objects }: WritableSnapshotStore,
  signal: AbortSignal,
  update: Update,
): Promise<(snapshot: Snapshot) => Promise<string>> {
  await loadDuckDb('the archive is made by DuckDB');
  const { archiveSnapshot } = await import('../../publishing/archive/archive-snapshot.js');
  return async (snapshot) => {
    const onProgress = (doneBytes: number, totalBytes: number): void => {
      update({ step: 'archiving', doneBytes, totalBytes });
    };
    onProgress(0, 1);
    const { index, newFiles } = await archiveSnapshot(objects, snapshot, { signal, onProgress });
    const rows = index.files.reduce(
      (sum, file) => sum + (file.path.startsWith('observations/') ? file.rows : 0),
      0,
    );
    const { snapshotId } = snapshot.header;
    return `${snapshotId}: archived (${rows} rows in ${index.files.length} files, ${newFiles} new)`;
  };
}
