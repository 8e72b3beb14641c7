/** Reads the code of the recipes. */
import { readFileSync } from 'node:fs';
import type { RecipeName } from '../../views/recipe-texts.js';

/** Folder of the recipes, filled by `build-assets.mjs`. */
const DIRECTORY = new URL('../../recipes/', import.meta.url);

const cached = new Map<RecipeName, string>();

/** The code of a recipe, which each thread reads once. */
export function readRecipe(name: RecipeName): string {
  const code = cached.get(name) ?? readFileSync(new URL(name, DIRECTORY), 'utf8');
  cached.set(name, code);
  return code;
}
