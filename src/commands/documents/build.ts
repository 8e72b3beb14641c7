/** `bura build`: makes a snapshot document from a folder of CSV files (`docs/snapshot-format.md`, "CSV tables"). */
import { buildDocument } from '../../publishing/tables/build-document.js';
import type { Settings } from '../../settings.js';
import { required, schemaVersion, text, type Flags } from '../command.js';
import { withProgress } from '../output/progress.js';
import { printLine, printNote } from '../output/terminal.js';
import { wideLayout } from './wide-options.js';

export async function build(_settings: Settings, flags: Flags): Promise<void> {
  const out = required(flags, 'out');
  const built = await withProgress((update) =>
    buildDocument({
      from: required(flags, 'from'),
      out,
      ...text(flags, 'organizationName'),
      ...text(flags, 'organizationShortName'),
      ...text(flags, 'generatedAt'),
      ...text(flags, 'snapshotId'),
      ...schemaVersion(flags),
      demonstration: flags['demonstration'] === true,
      ...wideLayout(flags),
      onProgress: (doneBytes, totalBytes) => {
        update({ step: 'building', doneBytes, totalBytes });
      },
    }),
  );
  for (const { file, column } of built.unusedColumns) {
    printNote(`${file}: ${column} has no meaning before schema version 1.3.0 (--schema-version)`);
  }
  printLine(`${out}: ${built.snapshotId}, ${built.rows} rows, ${built.sizeBytes} bytes`);
}
