/** The door to liquidjs: templates by name, with every value escaped unless a template says otherwise. */
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';
import { isShortage } from '../../snapshot/local/read-failure.js';

/** Beside the compiled views: `build-assets.mjs` puts them there. */
const DIRECTORY = fileURLToPath(new URL('../../views/templates/', import.meta.url));

const engine = new Liquid({
  root: DIRECTORY,
  extname: '.liquid',
  // Read and parsed once a thread.
  cache: true,
  outputEscape: 'escape',
  // A name that is misspelt is a bug, not an empty text.
  strictVariables: true,
  // A condition may ask whether something is there.
  lenientIf: true,
  strictFilters: true,
  ownPropertyOnly: true,
  greedy: true,
  // By default it asks for the system's, which costs each thread 80 ms.
  locale: 'en',
});

/** @throws {Error} the system's own, where a template cannot be read; for one that does not fit its context, which is a bug. */
export function renderTemplate(name: string, context: object): string {
  try {
    return String(engine.renderFileSync(name, context));
  } catch (error) {
    const read: unknown = error instanceof Error && 'originalError' in error && error.originalError;
    throw isShortage(read) ? read : error;
  }
}
