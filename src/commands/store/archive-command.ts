/** `bura archive` and `bura publish --archive`: add stored snapshots, or past years, to the archive. */
import { addToArchive, type ReadAddition } from '../../publishing/archive/add-to-archive.js';
import type { MergeCounts } from '../../publishing/archive/merge.js';
import { readTables } from '../../publishing/archive/read-tables.js';
import { loadDuckDb } from '../../publishing/sql/database.js';
import type { WritableSnapshotStore } from '../../publishing/writable-snapshot-store.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import type { Settings } from '../../settings.js';
import { text, UsageError, type Flags } from '../command.js';
import { checkEncoding } from '../documents/build.js';
import { passFindings } from '../documents/pass-gates.js';
import { withProgress, type Update } from '../output/progress.js';
import { printLine, printNote } from '../output/terminal.js';
import { timeZoneOf } from '../time-zone.js';
import { withWritableStore } from './settings-store.js';

/** @throws {MistakeError} for another unit than the archive's, unless `--allow unit` is given. */
export async function archive(
  settings: Settings,
  flags: Flags,
  ...args: readonly string[]
): Promise<void> {
  const ids = [...new Set(args)];
  const { from } = text(flags, 'from');
  if ((from === undefined) === (ids.length === 0)) {
    throw new UsageError('give either snapshot ids or --from DIR');
  }
  for (const id of ids) {
    if (!isSnapshotId(id)) throw new UsageError(`${JSON.stringify(id)} is not a snapshot id`);
  }
  const tables = text(flags, 'encoding', 'organizationName', 'organizationShortName');
  checkEncoding(tables.encoding);
  if (from === undefined && flags['overwrite'] === true) {
    throw new UsageError(
      '--overwrite needs --from DIR: a snapshot always replaces the rows of its window',
    );
  }
  const done = await withProgress((update) =>
    withWritableStore(settings, async (store, signal) => {
      const archiver = await createArchiver(store, settings, { signal, update, flags });
      await store.objects.removeOrphans();
      if (from !== undefined) {
        // A store may begin with past years, so it is prepared before they are read.
        await store.objects.prepare();
        const readHiding = async () => {
          const reading = await store.readPointer(signal);
          if (reading.kind === 'absent') return undefined;
          return (await store.check(reading.pointer.snapshotId, signal)).snapshot;
        };
        return [await archiver(from, (of) => readTables(from, { ...tables, ...of, readHiding }))];
      }
      const ages = new Map<string, number>();
      for (const id of ids.length > 1 ? ids : []) {
        update('checking', ages.size, ids.length);
        ages.set(id, (await store.check(id, signal)).snapshot.header.generatedAtMs);
      }
      const oldestFirst = ids.toSorted((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0));
      const archived = [];
      for (const id of oldestFirst) {
        const { snapshot } = await store.check(id, signal);
        archived.push(await archiver(id, snapshot));
      }
      return archived;
    }),
  );
  for (const { lines, notes } of done) {
    notes.forEach(printNote);
    lines.forEach(printLine);
  }
}

export interface ArchiveReport {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

/** @returns a function that adds input to the archive, with a name for messages. @throws {SqlError} without DuckDB. */
export async function createArchiver(
  { objects }: WritableSnapshotStore,
  settings: Settings,
  {
    signal,
    update,
    flags,
  }: { readonly signal: AbortSignal; readonly update: Update; readonly flags: Flags },
): Promise<(name: string, added: Snapshot | ReadAddition) => Promise<ArchiveReport>> {
  await loadDuckDb('the archive is made by DuckDB');
  const overwrites = flags['overwrite'] === true;
  const timeZone = await timeZoneOf(settings);
  return async (name, added) => {
    // A repeated merge reports the same findings, of which each is printed once.
    const allowed = new Set<string>();
    const { files, newFiles, counts, notes } = await addToArchive(objects, added, {
      signal,
      onProgress: update,
      refuse: (findings) => {
        passFindings(findings, { flags, say: (line) => void allowed.add(line) });
      },
      timeZone,
      overwrites,
      repairs: flags['repair'] === true,
    });
    const hourly = files.filter(({ path }) => path.startsWith('observations/'));
    const rows = hourly.reduce((sum, file) => sum + file.rows, 0);
    const what = `${rows} rows in ${files.length} files, ${newFiles} new`;
    const rowsOf = typeof added === 'function' ? [countsLine(counts, overwrites)] : [];
    return { lines: [...allowed, ...rowsOf, `${name}: archived (${what})`], notes };
  };
}

function countsLine(counts: MergeCounts, overwrites: boolean): string {
  const taken = overwrites ? 'taken' : 'left as they are (--overwrite takes them)';
  const different = counts.different === 0 ? '' : `, ${taken}`;
  const retained =
    counts.retained === 0 ? '' : `; ${counts.retained} in the newest snapshot's 30 days, left`;
  return `rows: ${counts.new} new, ${counts.equal} equal, ${counts.different} different${different}${retained}`;
}
