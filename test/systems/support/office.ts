/** Reads spreadsheets with LibreOffice. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { requireProgram } from '../../../tools/system.mjs';

/** The files as CSV, with cells as LibreOffice shows them; a file's name ends in its format. */
export async function convertByOffice(
  directory: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Readonly<Record<string, string>>> {
  const office = requireProgram(['soffice']);
  const profile = pathToFileURL(join(directory, 'profile')).href;
  // Separator comma, quote `"`, UTF-8.
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76';
  const words = [`-env:UserInstallation=${profile}`, '--headless', '--convert-to', filter];
  const paths: string[] = [];
  // One start of LibreOffice converts all files. It changes only the extension, so each file gets another name.
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(directory, `${paths.length}-${name}`);
    await writeFile(path, bytes);
    paths.push(path);
  }
  const all = [...words, '--outdir', directory, ...paths];
  await promisify(execFile)(office, all, { timeout: 120_000 });
  const texts: string[] = [];
  for (const path of paths) texts.push(await readFile(path.replace(/\.\w+$/, '.csv'), 'utf8'));
  return Object.fromEntries(Object.keys(files).map((name, at) => [name, texts[at] ?? '']));
}
