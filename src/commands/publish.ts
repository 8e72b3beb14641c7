/** `bura publish` stores a document and makes it active; `bura activate` makes a stored one active. */
import { SCHEMA_VERSIONS } from '../snapshot/document/schema-version.js';
import { publishDocument, type Published } from '../publishing/publish-document.js';
import { activateSnapshot } from '../publishing/stored-snapshots.js';
import type { Settings } from '../settings.js';
import { interruptible } from './interruption.js';
import { createProgress } from './progress.js';
import { withWritableStore } from './settings-store.js';
import { printLine } from './terminal.js';

export interface PublishArguments {
  readonly file: string;
  readonly activate: boolean;
}

export async function publish(settings: Settings, { file, activate }: PublishArguments) {
  const progress = createProgress();
  try {
    const published = await withWritableStore(settings, (store) =>
      interruptible((signal) =>
        publishDocument({
          store,
          file,
          activate,
          knownSchemaVersions: SCHEMA_VERSIONS,
          onProgress: ({ step, doneBytes, totalBytes }) => {
            progress.update(step, doneBytes, totalBytes);
          },
          signal,
        }),
      ),
    );
    progress.stop();
    printLine(summary(published));
  } finally {
    progress.stop();
  }
}

function summary({ snapshotId, rows, sizeBytes, storedBefore, pointer }: Published): string {
  const stored = storedBefore ? 'stored before' : `stored (${rows} rows, ${sizeBytes} bytes)`;
  return `${snapshotId}: ${stored}, ${pointer === undefined ? 'not activated' : 'now active'}`;
}

export async function activate(settings: Settings, { id }: { readonly id: string }) {
  const pointer = await withWritableStore(settings, (store) => activateSnapshot(store, id));
  printLine(`${pointer.snapshotId}: now active`);
}
