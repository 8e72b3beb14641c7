/** `bura archive` takes stored snapshots into the archive, the oldest first, or years past; `bura publish --archive` the published one. */
import type { Command } from 'commander';
import {
  archiveSnapshot,
  archiveTables,
  type ArchiveOptions,
  type Archived,
} from '../../publishing/archive/add-to-archive.js';
import { loadDuckDb } from '../../publishing/sql/database.js';
import type { WritableSnapshotStore } from '../../publishing/writable-snapshot-store.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
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
  for (const id of ids) {
    if (!isSnapshotId(id)) throw new UsageError(`${JSON.stringify(id)} is no snapshot id`);
  }
  const tables = {
    ...text(flags, 'encoding'),
    ...text(flags, 'organizationName'),
    ...text(flags, 'organizationShortName'),
  };
  checkEncoding(tables.encoding);
  const done = await withProgress((update) =>
    withWritableStore(settings, async (store, signal) => {
      await loadDuckDb(ARCHIVE_IS_MADE);
      await store.objects.removeOrphans();
      const options = { signal, onProgress: stepsOf(update) };
      if (from === undefined) return await archiveStored(store, ids, options);
      const readHiding = () => readActive(store, signal);
      const reading = { ...options, ...tables, readHiding };
      return new Map([[from, await archiveTables(store.objects, from, reading)]]);
    }),
  );
  for (const [name, archived] of done) {
    archived.notes.forEach(printNote);
    printLine(lineOf(name, archived));
  }
}

/** By id, the oldest first. */
async function archiveStored(
  store: WritableSnapshotStore,
  ids: readonly string[],
  options: ArchiveOptions,
): Promise<ReadonlyMap<string, Archived>> {
  const { signal, onProgress } = options;
  const ages = new Map<string, number>();
  // Of one alone nothing needs to be known.
  for (const id of ids.length > 1 ? ids : []) {
    onProgress('checking', ages.size, ids.length);
    ages.set(id, (await store.check(id, signal)).snapshot.header.generatedAtMs);
  }
  const done = new Map<string, Archived>();
  for (const id of ids.toSorted((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0))) {
    const { snapshot } = await store.check(id, signal);
    done.set(id, await archiveSnapshot(store.objects, snapshot, options));
  }
  return done;
}

async function readActive(
  store: WritableSnapshotStore,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const reading = await store.readPointer(signal);
  if (reading.kind === 'absent') return undefined;
  return (await store.check(reading.pointer.snapshotId, signal)).snapshot;
}

/** @returns takes a snapshot into the archive, and answers a line about it. @throws {SqlError} where DuckDB is missing. */
export async function createArchiver(
  { objects }: WritableSnapshotStore,
  signal: AbortSignal,
  update: Update,
): Promise<(snapshot: Snapshot) => Promise<string>> {
  await loadDuckDb(ARCHIVE_IS_MADE);
  const options = { signal, onProgress: stepsOf(update) };
  return async (snapshot) =>
    lineOf(snapshot.header.snapshotId, await archiveSnapshot(objects, snapshot, options));
}

function stepsOf(update: Update): ArchiveOptions['onProgress'] {
  return (step, doneBytes, totalBytes) => {
    update({ step, doneBytes, totalBytes });
  };
}

function lineOf(name: string, { files, newFiles }: Archived): string {
  const hourly = files.filter(({ path }) => path.startsWith('observations/'));
  const rows = hourly.reduce((sum, file) => sum + file.rows, 0);
  return `${name}: archived (${rows} rows in ${files.length} files, ${newFiles} new)`;
}
