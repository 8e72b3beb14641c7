/**
 * Runs all `*.pages.ts` in this process, one after the other, in one Chromium, most of them with one service of the
 * demonstration. Each also runs alone (`npx tap FILE`), but starting a browser and a service takes longer than most of
 * them.
 */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';

// Time limit of all pages together.
t.setTimeout(2_700_000);

// This file lies above them, so that the longest of all tests begins first.
const folder = new URL('systems/pages/', import.meta.url);
const files = await readdir(fileURLToPath(folder));
for (const file of files.filter((name) => name.endsWith('.pages.js')).sort()) {
  await import(new URL(file, folder).href);
}
