/** The door to liquidjs: templates by name, with every value escaped unless a template says otherwise. */
import { fileURLToPath } from 'node:url';
import { Liquid } from 'liquidjs';

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

/** @throws {Error} for a template that does not fit its context: a bug. */
export function renderTemplate(name: string, context: object): string {
  const text: unknown = engine.renderFileSync(name, context);
  if (typeof text !== 'string') throw new TypeError(`template ${name} renders no text`);
  return text;
}
