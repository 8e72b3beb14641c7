/**
 * Writes `docs/recipes.md` from the recipes' code and their English words, which the page of recipes is made of too.
 *
 * `node tools/write-recipes.mjs COMPILED FILE`: COMPILED is `dist`, or `build/src` for tests.
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [compiled, file] = process.argv.slice(2);
if (compiled === undefined || file === undefined) {
  throw new Error('usage: node tools/write-recipes.mjs COMPILED FILE');
}

/** @param {string} path */
const load = (path) => import(pathToFileURL(resolve(join(compiled, path))).href);
const { RECIPE_BASE_URL, RECIPE_TOOLS, recipeId, recipeLanguage } = await load('views/recipes.js');
const { readRecipe } = await load('workers/jobs/pages/read-recipe.js');
const { pageIn } = await load('texts/pages.js');
const { title, introduction, sections } = pageIn('en', 'recipes');
const [description, ...paragraphs] = introduction.map(markdown);

const text = [
  `# ${title}`,
  description,
  `The page \`/api-docs/recipes\` of every instance has them in every language, with its own address in the place of \`${RECIPE_BASE_URL}\` and a station of its own. ` +
    'Those that can run without a desktop or another server run in `test/systems/recipes/`. This page is made in a clone by `npm run recipes` ' +
    'from `data/recipes/` and `texts/en/recipes.md`.',
  ...paragraphs,
  ...RECIPE_TOOLS.flatMap(toolText),
];
await writeFile(file, `${text.join('\n\n')}\n`);

function toolText({ name, recipes: names }) {
  return [`## ${name}`, ...names.flatMap(recipeText)];
}

function recipeText(name) {
  const { ending } = recipeLanguage(name);
  const { heading, blocks } = sections.find(({ id }) => id === recipeId(name));
  return [
    `### ${heading}`,
    markdown(blocks[0].items[0].values[0]),
    `\`\`\`${ending.toLowerCase()}\n${readRecipe(name)}\`\`\``,
  ];
}

/** A line as CommonMark; recipes have text, which has no character that means anything there, and code. */
function markdown(line) {
  return line.map(({ type, content }) => (type === 'text' ? content : `\`${content}\``)).join('');
}
