/** `bura build`: makes a snapshot document from a folder of tables or exports (`docs/tables.md`). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocument } from '../../publishing/tables/build-document.js';
import { SCRIPT } from '../../publishing/sql/folder.js';
import type { Settings } from '../../settings.js';
import { schemaVersion, text, UsageError, type Flags } from '../command.js';
import { interruptible } from '../output/interruption.js';
import { withProgress } from '../output/progress.js';
import { printLine, printNote } from '../output/terminal.js';
import { besideActive } from './active-snapshot.js';
import { passGates } from './pass-gates.js';

/** Default name of the document, in a folder with `bura.sql`. */
const DOCUMENT = 'snapshot.json.gz';

export async function build(settings: Settings, flags: Flags): Promise<void> {
  const { from, explain: folder } = text(flags, 'from', 'explain');
  const encoding = text(flags, 'encoding');
  checkEncoding(encoding.encoding);
  if (folder !== undefined && from === undefined) {
    const { explain } = await import('../../publishing/sql/explain.js');
    await interruptible((signal) => explain(folder, { ...encoding, signal, say: printLine }));
    return;
  }
  if (from === undefined || folder !== undefined) {
    throw new UsageError('give either --from DIR or --explain DIR');
  }
  const { out = existsSync(join(from, SCRIPT)) ? join(from, DOCUMENT) : undefined } = text(
    flags,
    'out',
  );
  if (out === undefined) throw new UsageError('--out FILE is needed');
  const built = await interruptible((signal) =>
    besideActive(
      settings,
      (active) =>
        withProgress((update, say) =>
          buildDocument({
            from,
            out,
            signal,
            ...encoding,
            ...text(flags, 'organizationName', 'organizationShortName'),
            ...text(flags, 'generatedAt', 'snapshotId'),
            ...schemaVersion(flags['schemaVersion']),
            demonstration: flags['demonstration'] === true,
            passGates: (snapshot, cut) =>
              passGates(snapshot, { active, flags, say, cut, refusesChanges: true }),
            onProgress: update,
          }),
        ),
      { signal },
    ),
  );
  built.notes.forEach(printNote);
  printLine(`${out}: ${built.snapshotId}, ${built.rows} rows, ${built.sizeBytes} bytes`);
}

/** @throws {UsageError} for an unknown label. */
export function checkEncoding(label: string | undefined): void {
  try {
    if (label !== undefined) new TextDecoder(label);
  } catch (cause) {
    const expected = 'a label of the Encoding Standard, such as windows-1252 or euc-kr';
    throw new UsageError(`--encoding is ${JSON.stringify(label)}: expected ${expected}`, { cause });
  }
}
