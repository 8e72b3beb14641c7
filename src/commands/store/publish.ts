/** `bura publish` stores a document and makes it active; `bura activate` makes a stored one active. */
import { publishDocument } from '../../publishing/publish-document.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { Settings } from '../../settings.js';
import type { Flags } from '../command.js';
import { besideActive } from '../documents/active-snapshot.js';
import { passGates } from '../documents/pass-gates.js';
import { withProgress } from '../output/progress.js';
import { RETRY_FOR_MS, withWritableStore } from './settings-store.js';
import { printLine } from '../output/terminal.js';

export async function publish(settings: Settings, flags: Flags, file: string): Promise<void> {
  const isDryRun = flags['dryRun'] === true;
  // Not between the bars of a terminal.
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
  };
  const published = await withProgress((update) =>
    withWritableStore(settings, (store, signal) =>
      besideActive(
        settings,
        (active) =>
          publishDocument({
            store,
            file,
            activate: flags['activate'] !== false,
            dryRun: isDryRun,
            passGates: async (snapshot) => {
              const found = await active;
              // It has been waited for, and nothing can be stored in it.
              if (found.kind === 'away')
                throw new SnapshotError('store_unreachable', found.message);
              await passGates(snapshot, { active, flags, say });
            },
            onProgress: update,
            signal,
          }),
        { retryForMs: RETRY_FOR_MS, signal },
      ),
    ),
  ).finally(() => {
    lines.forEach(printLine);
  });
  const { snapshotId, rows, sizeBytes, storedBefore, pointer } = published;
  if (isDryRun) {
    const would = storedBefore ? 'is stored already' : 'would be stored';
    printLine(`${snapshotId}: ${would} (${rows} rows, ${sizeBytes} bytes); nothing was`);
    return;
  }
  const stored = storedBefore ? 'stored before' : `stored (${rows} rows, ${sizeBytes} bytes)`;
  printLine(`${snapshotId}: ${stored}, ${pointer === undefined ? 'not activated' : 'now active'}`);
}

export async function activate(settings: Settings, _flags: Flags, id: string): Promise<void> {
  const pointer = await withWritableStore(settings, (store, signal) => store.activate(id, signal));
  printLine(`${pointer.snapshotId}: now active`);
}
