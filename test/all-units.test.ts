/**
 * All tests that need no process of their own: `*.unit.ts`, one after the other in this one. Each would run by itself too
 * (`npx tap FILE`), but to start Node and tap takes longer than most of them do.
 */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url);
const files = await readdir(fileURLToPath(folder), { recursive: true });
for (const file of files.filter((name) => name.endsWith('.unit.js')).sort()) {
  await import(new URL(file, folder).href);
}
