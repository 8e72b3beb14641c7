/** `bura build`: makes a snapshot document from a folder of CSV files (`docs/snapshot-format.md`, "CSV tables"). */
import { buildDocument } from '../publishing/tables/build-document.js';
import type { SchemaVersion } from '../snapshot/document/schema-version.js';
import type { WideLayout } from '../publishing/tables/wide/wide-layout.js';
import { createProgress } from './progress.js';
import { printLine, printNote } from './terminal.js';

export interface BuildArguments {
  readonly from: string;
  readonly out: string;
  readonly organizationName?: string;
  readonly organizationShortName?: string;
  readonly generatedAt?: string;
  readonly snapshotId?: string;
  readonly schemaVersion?: SchemaVersion;
  readonly wide?: WideLayout;
  readonly demonstration?: boolean;
}

export async function build(options: BuildArguments): Promise<void> {
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
