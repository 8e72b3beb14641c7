/** Reads the code of the recipes. */
import { readFileSync } from 'node:fs';
import { cached } from '../../texts/cached.js';
import type { RecipeName } from '../../views/recipe-texts.js';

/** Folder of the recipes, filled by `build-assets.mjs`. */
const DIRECTORY = new URL('../../recipes/', import.meta.url);

/** The code with `RECIPE_BASE_URL` and the repository's examples, which each thread reads once. */
export const readRecipe = cached((name: RecipeName) =>
  readFileSync(new URL(name, DIRECTORY), 'utf8'),
);
