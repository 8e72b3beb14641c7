/** `bura build`: makes a snapshot document from a folder of CSV files (`docs/snapshot-format.md`, "CSV tables"). */
import { buildDocument, type BuildOptions } from '../publishing/tables/build-document.js';
import { createProgress } from './progress.js';
import { printLine, printNote } from './terminal.js';

export async function build(options: Omit<BuildOptions, 'onProgress'>): Promise<void> {
  const progress = createProgress();
  try {
    const built = await buildDocument({
      ...options,
      onProgress: (done: number, total: number) => {
        progress.update('building', done, total);
      },
    });
    progress.stop();
    const { snapshotId, rows, sizeBytes, unusedColumns } = built;
    for (const { file, column } of unusedColumns) {
      printNote(`${file}: ${column} has no meaning before schema version 1.3.0 (--schema-version)`);
    }
    printLine(`${options.out}: ${snapshotId}, ${rows} rows, ${sizeBytes} bytes`);
  } finally {
    progress.stop();
  }
}
