/** `bura publish` stores a document and makes it active; `bura activate` makes a stored one active. */
import { publishDocument } from '../../publishing/publish-document.js';
import { activateSnapshot } from '../../publishing/stored-snapshots.js';
import type { Settings } from '../../settings.js';
import type { Flags } from '../command.js';
import { interruptible } from '../output/interruption.js';
import { withProgress } from '../output/progress.js';
import { withWritableStore } from './settings-store.js';
import { printLine } from '../output/terminal.js';

export async function publish(settings: Settings, flags: Flags, file: string): Promise<void> {
  const published = await withProgress((update) =>
    withWritableStore(settings, (store) =>
      interruptible((signal) =>
        publishDocument({
          store,
          file,
          activate: flags['activate'] !== false,
          onProgress: update,
          signal,
        }),
      ),
    ),
  );
  const { snapshotId, rows, sizeBytes, storedBefore, pointer } = published;
  const stored = storedBefore ? 'stored before' : `stored (${rows} rows, ${sizeBytes} bytes)`;
  printLine(`${snapshotId}: ${stored}, ${pointer === undefined ? 'not activated' : 'now active'}`);
}

export async function activate(settings: Settings, _flags: Flags, id: string): Promise<void> {
  const pointer = await withWritableStore(settings, (store) => activateSnapshot(store, id));
  printLine(`${pointer.snapshotId}: now active`);
}
