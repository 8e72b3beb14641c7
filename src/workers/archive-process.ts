/** The process that caches files of the archive: takes one request over IPC, reports states and a result, and exits. */
import { keepArchive } from '../snapshot/archive/keep-archive.js';
import { failureOf } from '../snapshot/domain/snapshot-error.js';
import { openObjects } from '../snapshot/store/open.js';
import { readContent } from './formats/parquet/read-content.js';
import type { FromKeeper, KeepTask } from './messages.js';

// The supervisor has exited, so nothing needs the result.
process.once('disconnect', () => process.exit(1));

process.once('message', (task: KeepTask) => {
  void run(task).then((result) => {
    process.send?.(result, () => process.exit(0));
  });
});

async function run({ store, ...request }: KeepTask): Promise<FromKeeper> {
  try {
    const dueMs = await keepArchive(request, {
      objects: openObjects(store),
      readContent,
      onState: (state) => process.send?.({ kind: 'state', state } satisfies FromKeeper),
    });
    return { kind: 'done', dueMs };
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error) };
  }
}
