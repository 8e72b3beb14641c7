/** An export with `bura.sql`, and the commands that make an archive of it, for tests of publishers' installations. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';

/** Writes the export into a new folder. */
export async function writeExport(folder: string): Promise<void> {
  await cp('test/fixtures/publishing', folder, { recursive: true });
}

/** Parameters of each command, in order; the document is written to `work`. */
export function publishingCommands(from: string, work: string): readonly (readonly string[])[] {
  const out = join(work, 'snapshot.json.gz');
  const names = ['--organization-name', 'Agency', '--organization-short-name', 'AG'];
  const built = ['build', '--from', from, '--out', out, '--snapshot-id', 'exported', ...names];
  return [built, ['publish', out], ['archive', 'exported'], ['publish', out, '--archive']];
}

/** Runs all of them, of which one archives all rows of the export. */
export async function publishExport(
  t: Test,
  commands: readonly (readonly string[])[],
  run: (words: readonly string[]) => Promise<string>,
): Promise<void> {
  let said = '';
  for (const words of commands) said += await run(words);
  t.match(said, /exported: archived \(24 rows in \d+ files/);
}
