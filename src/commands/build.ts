/** `bura build`: a snapshot document from a folder of CSV files (contract §4). */
import { buildDocument } from '../snapshot/document/build.js';
import { createProgress, printLine } from './terminal.js';

export interface BuildArguments {
  readonly from: string;
  readonly out: string;
  readonly organizationName?: string;
  readonly organizationShortName?: string;
  readonly generatedAt?: string;
  readonly snapshotId?: string;
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
    const { snapshotId, rows, sizeBytes } = built;
    printLine(`${options.out}: ${snapshotId}, ${rows} rows, ${sizeBytes} bytes`);
  } finally {
    progress.stop();
  }
}
