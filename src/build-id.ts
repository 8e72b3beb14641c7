/** The digest of everything that shapes this build's answers: copies and entity tags of other builds are not reused. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorTexts } from './texts/text-files.js';

/** Eight hex digits, from the file of `build-assets.mjs` beside the compiled code and from the operator's texts. */
export const BUILD_ID = withTexts(
  String(JSON.parse(readFileSync(new URL('./build-id.json', import.meta.url), 'utf8'))),
);

function withTexts(build: string): string {
  const folder = operatorTexts();
  if (folder === undefined) return build;
  const hash = createHash('sha256').update(build);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()) {
    hash.update(file.slice(folder.length)).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 8);
}
