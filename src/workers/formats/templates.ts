/** Templates by name, with escaped values by default; the only file that loads liquidjs. */
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';
import { isShortage } from '../../snapshot/local/read-failure.js';

/** `build-assets.mjs` puts them there. */
const DIRECTORY = fileURLToPath(new URL('../../views/templates/', import.meta.url));

const engine = new Liquid({
  root: DIRECTORY,
  extname: '.liquid',
  // Read and parsed once a thread.
  cache: true,
  outputEscape: 'escape',
  // A misspelt name is an error, not an empty text.
  strictVariables: true,
  // Conditions may test undefined names.
  lenientIf: true,
  strictFilters: true,
  ownPropertyOnly: true,
  greedy: true,
  // The default asks for the system's, which costs each thread 80 ms.
  locale: 'en',
});

/** @throws {Error} for an unreadable template, or one that does not fit its context, which is a bug. */
export function renderTemplate(name: string, context: object): string {
  try {
    return String(engine.renderFileSync(name, context));
  } catch (error) {
    const read: unknown = error instanceof Error && 'originalError' in error && error.originalError;
    throw isShortage(read) ? read : error;
  }
}
