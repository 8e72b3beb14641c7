/** `bura publish` stores a document and makes it active; `bura activate` makes a stored one active. */
import { publishDocument } from '../../publishing/publish-document.js';
import type { WritableSnapshotStore } from '../../publishing/writable-snapshot-store.js';
import { messageOf, SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { Settings } from '../../settings.js';
import { UsageError, type Flags } from '../command.js';
import { besideActive } from '../documents/active-snapshot.js';
import { passGates } from '../documents/pass-gates.js';
import { withProgress } from '../output/progress.js';
import type { ArchiveReport } from './archive-command.js';
import { RETRY_FOR_MS, withWritableStore } from './settings-store.js';
import { printLine } from '../output/terminal.js';

export async function publish(settings: Settings, flags: Flags, file: string): Promise<void> {
  const isDryRun = flags['dryRun'] === true;
  const isArchived = flags['archive'] === true;
  if (isArchived && flags['activate'] === false) {
    throw new UsageError('--archive adds the active snapshot: it excludes --no-activate');
  }
  let archived: ArchiveReport | undefined;
  let unarchived: readonly string[] = [];
  const published = await withProgress((update, say) =>
    withWritableStore(settings, async (store, signal) => {
      const archiving = isArchived ? await import('./archive-command.js') : undefined;
      const archiver = await archiving?.createArchiver(store, settings, { signal, update, flags });
      return await besideActive(
        settings,
        (active) =>
          publishDocument({
            store,
            file,
            activate: flags['activate'] !== false,
            dryRun: isDryRun,
            passGates: async (snapshot) => {
              const previous = await active;
              // The command has waited for the store already, so it fails now.
              if (previous.kind === 'away')
                throw new SnapshotError('store_unreachable', previous.message);
              await passGates(snapshot, { active, flags, say });
            },
            archive: async (snapshot) => {
              const id = snapshot.header.snapshotId;
              if (archiver === undefined) {
                if (flags['activate'] !== false) {
                  const means = `it lacks these hours, and has what this snapshot hides, until bura archive ${id}`;
                  unarchived = await notArchived(store, means);
                }
                return;
              }
              archived = await archiver(id, snapshot).catch((cause: unknown) => {
                const why = messageOf(cause);
                throw new Error(`${id} is active, but not in the archive: ${why}`, { cause });
              });
            },
            onProgress: update,
            signal,
          }),
        { retryForMs: RETRY_FOR_MS, signal },
      );
    }),
  );
  const { snapshotId, rows, sizeBytes, storedBefore, pointer } = published;
  if (isDryRun) {
    const would = storedBefore ? 'is stored already' : 'would be stored';
    printLine(`${snapshotId}: ${would} (${rows} rows, ${sizeBytes} bytes); nothing was`);
    return;
  }
  const stored = storedBefore ? 'stored before' : `stored (${rows} rows, ${sizeBytes} bytes)`;
  printLine(`${snapshotId}: ${stored}, ${pointer === undefined ? 'not activated' : 'now active'}`);
  archived?.lines.forEach(printLine);
  unarchived.forEach(printLine);
}

export async function activate(settings: Settings, _flags: Flags, id: string): Promise<void> {
  const lines = await withWritableStore(settings, async (store, signal) => {
    const { snapshotId } = await store.activate(id, signal);
    return [
      `${snapshotId}: now active`,
      ...(await notArchived(store, 'instances show of it what this snapshot does not hide')),
    ];
  });
  lines.forEach(printLine);
}

/** A line for a store with an archive, which the command does not change; empty without an archive. */
async function notArchived(
  store: WritableSnapshotStore,
  means: string,
): Promise<readonly string[]> {
  const index = await store.readArchive().catch(() => undefined);
  return index === undefined ? [] : [`the archive was left as it is: ${means}`];
}
