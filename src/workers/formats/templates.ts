/** Renders templates by name, with values escaped by default; the only file that loads liquidjs. */
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';
import { isShortage } from '../../snapshot/local/read-failure.js';

/** Folder of the templates, filled by `build-assets.mjs`. */
const DIRECTORY = fileURLToPath(new URL('../../views/templates/', import.meta.url));

const engine = new Liquid({
  root: DIRECTORY,
  extname: '.liquid',
  // Each thread reads and parses a template once.
  cache: true,
  outputEscape: 'escape',
  // A misspelt name is an error, not an empty text.
  strictVariables: true,
  // Conditions may test undefined names.
  lenientIf: true,
  strictFilters: true,
  ownPropertyOnly: true,
  greedy: true,
  // The default is the system's locale, which takes each thread 80 ms to find.
  locale: 'en',
});

/** @throws {Error} if the template cannot be read, or does not fit its context, which is a bug. */
export function renderTemplate(name: string, context: object): string {
  try {
    return String(engine.renderFileSync(name, context));
  } catch (error) {
    const read: unknown = error instanceof Error && 'originalError' in error && error.originalError;
    throw isShortage(read) ? read : error;
  }
}
