/** `bura build`: makes a snapshot document from a folder of tables (`docs/tables.md`, "CSV tables"). */
import { join } from 'node:path';
import type { Command } from 'commander';
import { buildDocument } from '../../publishing/tables/build-document.js';
import type { Settings } from '../../settings.js';
import { schemaVersion, text, UsageError, type Flags } from '../command.js';
import { withProgress } from '../output/progress.js';
import { printLine, printNote } from '../output/terminal.js';
import { besideActive } from './active-snapshot.js';
import { readSettingsFile } from './bura-toml.js';
import { judge } from './sense.js';
import { tableLayout, tableOptions } from './table-settings.js';

/** With `bura.toml`, where no `--out` says otherwise: in the folder of the tables. */
const DOCUMENT = 'snapshot.json.gz';

export async function build(
  settings: Settings,
  given: Flags,
  _argument: string,
  _second: string,
  command: Command,
): Promise<void> {
  const { from, explain: folder } = { ...text(given, 'from'), ...text(given, 'explain') };
  if (folder !== undefined) {
    const { explain } = await import('./explain.js');
    await explain(folder, command);
    return;
  }
  if (from === undefined) throw new UsageError('--from DIR or --explain DIR is needed');
  const written = await readSettingsFile(from, command);
  const flags = { ...given, ...written };
  // Tables that are made for bura end as their maker likes.
  const isExport = Object.keys(written).length > 0;
  const { out = isExport ? join(from, DOCUMENT) : undefined } = text(flags, 'out');
  if (out === undefined) throw new UsageError('--out FILE is needed');
  const lines: string[] = [];
  const built = await besideActive(settings, (active) =>
    withProgress((update) =>
      buildDocument({
        ...{ from, out },
        ...text(flags, 'organizationName'),
        ...text(flags, 'organizationShortName'),
        ...text(flags, 'generatedAt'),
        ...text(flags, 'snapshotId'),
        ...schemaVersion(flags),
        demonstration: flags['demonstration'] === true,
        tables: tableOptions(flags),
        ...tableLayout(flags),
        examine: ({ snapshot, locate, findings }) =>
          judge(snapshot, {
            ...{ active, flags },
            tables: { locate, findings: findings.filter(({ gate }) => isExport || gate !== 'cut') },
            say: (line) => void lines.push(line),
          }),
        onProgress: (doneBytes, totalBytes) => {
          update({ step: 'building', doneBytes, totalBytes });
        },
      }),
    ),
  ).finally(() => {
    lines.forEach(printLine);
  });
  for (const [{ name }, { encoding }] of built.forms) {
    if (encoding !== 'utf-8' && encoding !== 'xlsx') printLine(`  ${name} is in ${encoding}`);
  }
  for (const { file, column } of built.unusedColumns) {
    printNote(`${file}: ${column} has no meaning before schema version 1.3.0 (--schema-version)`);
  }
  printLine(`${out}: ${built.snapshotId}, ${built.rows} rows, ${built.sizeBytes} bytes`);
}
