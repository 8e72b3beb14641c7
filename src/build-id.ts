/** The digest of what this build renders answers by: copies and entity tags of another build are not taken for its own. */
import { readFileSync } from 'node:fs';

/** Eight hex digits, from the file that `build-assets.mjs` writes beside the compiled code. */
export const BUILD_ID = String(
  JSON.parse(readFileSync(new URL('./build-id.json', import.meta.url), 'utf8')),
);
