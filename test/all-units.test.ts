/**
 * Runs all `*.unit.ts` in this process, one after the other. Each also runs alone (`npx tap FILE`), but starting Node
 * and tap takes longer than most of them.
 */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url);
const files = await readdir(fileURLToPath(folder), { recursive: true });
for (const file of files.filter((name) => name.endsWith('.unit.js')).sort()) {
  await import(new URL(file, folder).href);
}
