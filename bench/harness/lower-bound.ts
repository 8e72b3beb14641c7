/** Runs the lower bound of an import as a process of its own. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LowerBound } from '../references/lower-bound.js';

const MODULE = fileURLToPath(new URL('../references/lower-bound.js', import.meta.url));

const run = promisify(execFile);

/** What it took for a document. */
export async function runLowerBound(document: string): Promise<LowerBound> {
  const { stdout } = await run(process.execPath, [MODULE, document]);
  return JSON.parse(stdout) as LowerBound;
}
