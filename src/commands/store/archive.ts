/** `bura archive` takes stored snapshots into the archive, the oldest first, or years past; `bura publish --archive` the published one. */
import type { Command } from 'commander';
import type { Archived } from '../../publishing/archive/archive-snapshot.js';
import { SCRIPT } from '../../publishing/sql/folder.js';
import type { WritableSnapshotStore } from '../../publishing/writable-snapshot-store.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import { loadDuckDb } from '../../publishing/sql/database.js';
import type { Settings } from '../../settings.js';
import { text, UsageError, type Flags } from '../command.js';
import { checkEncoding } from '../documents/build.js';
import { withProgress, type Update } from '../output/progress.js';
import { printLine, printNote } from '../output/terminal.js';
import { withWritableStore } from './settings-store.js';

const ARCHIVE_IS_MADE = 'the archive is made by DuckDB';

export async function archive(
  settings: Settings,
  flags: Flags,
  _first: string,
  _second: string,
  { args }: Command,
): Promise<void> {
  const ids = [...new Set(args)];
  const { from } = text(flags, 'from');
  if ((from === undefined) === (ids.length === 0)) {
    throw new UsageError('snapshot ids or --from DIR are needed, and not both');
  }
  if (from !== undefined) {
    await archiveFolder(settings, flags, from);
    return;
  }
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

async function archiveFolder(settings: Settings, flags: Flags, from: string): Promise<void> {
  const options = {
    ...text(flags, 'encoding'),
    ...text(flags, 'organizationName'),
    ...text(flags, 'organizationShortName'),
  };
  checkEncoding(options.encoding);
  const archived = await withProgress((update) =>
    withWritableStore(settings, async (store, signal) => {
      await loadDuckDb(ARCHIVE_IS_MADE);
      const { archiveTables } = await import('../../publishing/archive/archive-snapshot.js');
      await store.objects.removeOrphans();
      return await archiveTables(store.objects, from, {
        ...options,
        signal,
        onProgress: stepsOf(update),
        readActive: async () => {
          const reading = await store.readPointer(signal);
          if (reading.kind === 'absent') return undefined;
          return (await store.check(reading.pointer.snapshotId, signal)).snapshot;
        },
      });
    }),
  );
  for (const name of archived.unread) {
    printNote(`${name}: no statement of ${SCRIPT} has read it`);
  }
  printLine(`${from}: ${summaryOf(archived)}`);
}

/** @returns takes a snapshot into the archive, and answers a line about it. @throws {SqlError} where DuckDB is missing. */
export async function createArchiver(
  { objects }: WritableSnapshotStore,
  signal: AbortSignal,
  update: Update,
): Promise<(snapshot: Snapshot) => Promise<string>> {
  await loadDuckDb(ARCHIVE_IS_MADE);
  const { archiveSnapshot } = await import('../../publishing/archive/archive-snapshot.js');
  return async (snapshot) => {
    const onProgress = stepsOf(update);
    onProgress('archiving', 0, 1);
    const archived = await archiveSnapshot(objects, snapshot, { signal, onProgress });
    return `${snapshot.header.snapshotId}: ${summaryOf(archived)}`;
  };
}

function stepsOf(update: Update) {
  return (step: string, doneBytes: number, totalBytes: number): void => {
    update({ step, doneBytes, totalBytes });
  };
}

function summaryOf({ index: { files }, newFiles }: Archived): string {
  const hourly = files.filter(({ path }) => path.startsWith('observations/'));
  const rows = hourly.reduce((sum, file) => sum + file.rows, 0);
  return `archived (${rows} rows in ${files.length} files, ${newFiles} new)`;
}
