/** `bura list`: prints the stored snapshots, newest first, with the active one marked. */
import type { StoredSnapshot } from '../../publishing/writable-snapshot-store.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { Settings } from '../../settings.js';
import type { Flags } from '../command.js';
import { printLine } from '../output/terminal.js';
import { withWritableStore } from './settings-store.js';

/** Prints a table on a terminal, otherwise tab-separated id, bytes, time, and `active` or `-`. */
export async function list(settings: Settings, { json }: Flags): Promise<void> {
  await withWritableStore(settings, async (store) => {
    const snapshots = await store.list();
    if (json === true) printLine(JSON.stringify(snapshots.map(toJson), undefined, 2));
    else if (!process.stdout.isTTY) snapshots.map(toTabs).forEach(printLine);
    else if (snapshots.length > 0) toTable(snapshots).forEach(printLine);
    else printLine(`no snapshots under ${settings.keyPrefix} in ${store.address}`);
    // A malformed pointer marks no snapshot in the list; reading the pointer again fails with the reason.
    await store.readPointer();
  });
}

function toJson({ snapshotId, sizeBytes, storedAtMs, active }: StoredSnapshot) {
  return {
    snapshot_id: snapshotId,
    size_bytes: sizeBytes,
    stored_at: utcDateTime(storedAtMs),
    active,
  };
}

function toTabs({ snapshotId, sizeBytes, storedAtMs, active }: StoredSnapshot): string {
  return [snapshotId, sizeBytes, utcDateTime(storedAtMs), active ? 'active' : '-'].join('\t');
}

function toTable(snapshots: readonly StoredSnapshot[]): readonly string[] {
  const cells = snapshots.map(({ snapshotId, sizeBytes, storedAtMs, active }) => [
    active ? '*' : ' ',
    snapshotId,
    `${(sizeBytes / 1e6).toFixed(2)} MB`,
    `${utcDateTime(storedAtMs).slice(0, 16).replace('T', ' ')} UTC`,
  ]);
  const rows = [[' ', 'SNAPSHOT', 'SIZE', 'STORED'], ...cells];
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = [0, 1, 2].map(width);
  const lines = rows.map(([mark = '', id = '', size = '', stored = '']) =>
    [mark, id.padEnd(widths[1] ?? 0), size.padStart(widths[2] ?? 0), stored].join('  '),
  );
  return [...lines, '* active'];
}
