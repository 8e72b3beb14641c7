/** The recipes as data: their files, their words in every language, and the address in their code. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { viewRecipesPage } from '../../../src/views/pages/recipes-page.js';
import { RECIPE_BASE_URL, RECIPE_TOOLS } from '../../../src/views/recipes.js';
import { readRecipe } from '../../../src/workers/jobs/pages/read-recipe.js';
import { latinWords } from '../../support/readers/prose-reader.js';

/** Names of programs and of what is in their menus, which are written as they are everywhere. */
const NAMES = [
  'Data, Get Data, From Other Sources, Blank Query',
  'Advanced Editor',
  'Anonymous',
  'Refresh',
  'Inspect, Panel JSON',
  'Add Vector Layer, Protocol',
  'Home Assistant',
  'GeoPackage',
  'OpenStreetMap',
  'Leaflet',
  'GeoJSON',
  'DuckDB',
  'Grafana',
  'Windows',
  'Python',
  'Excel',
  'GDAL',
  'Node',
  'QGIS',
  'curl',
];

void t.test('every file is a recipe, and has the address of the service or none', async (t) => {
  const names = RECIPE_TOOLS.flatMap(({ recipes }) => [...recipes]);
  const entries = await readdir('data/recipes', { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  t.same(
    files.map(({ parentPath, name }) => join(parentPath, name)).sort(),
    names.map((name) => join('data/recipes', name)).sort(),
  );
  for (const name of names) {
    // The map has its library and its tiles from where everybody has them.
    const rest = readRecipe(name)
      .replaceAll(RECIPE_BASE_URL, '')
      .replaceAll(
        /https:\/\/(?:unpkg\.com|tile\.openstreetmap\.org|www\.openstreetmap\.org)\//g,
        '',
      );
    t.notMatch(rest, /https?:\/\/|localhost|8080/, name);
    t.match(readRecipe(name), /[^\n]\n$/, `${name} ends with a line feed`);
  }
});

void t.test('each language has words of its own for every recipe', async (t) => {
  const pages = LANGUAGES.map((language) =>
    viewRecipesPage(
      { style: { language, theme: 'dark' }, baseUrl: 'https://data.example' },
      { codeOf: readRecipe, portal: undefined, timeZone: 'UTC' },
    ),
  );
  const [latin, cyrillic, english] = pages.map(({ title, tools }) => [
    title,
    ...tools.flatMap(({ recipes }) => recipes.map((one) => one.title)),
  ]);
  for (const [index, words] of (english ?? []).entries()) {
    t.not(latin?.[index], words);
    t.not(cyrillic?.[index], words);
    t.not(cyrillic?.[index], latin?.[index]);
  }
  for (const { tools } of pages) {
    for (const { code, id } of tools.flatMap(({ recipes }) => recipes)) {
      t.notMatch(code, RECIPE_BASE_URL, id);
    }
  }
});

void t.test('the Cyrillic page has no Latin words but names and codes', async (t) => {
  const { title, description, contents, copy, copied, introduction, tools } = viewRecipesPage(
    { style: { language: 'sr-Cyrl', theme: undefined }, baseUrl: undefined },
    { codeOf: readRecipe, portal: undefined, timeZone: 'UTC' },
  );
  const words = [title, description, contents, copy, copied];
  const titles = tools.flatMap(({ recipes }) => recipes.map((one) => one.title));
  const texts = tools.flatMap(({ recipes }) => recipes.map(({ text }) => text));
  const heading = [...words, ...titles].join('\n');
  const html = [...introduction, ...texts].join('\n');
  // One letter is no word there: R is the program.
  t.strictSame(latinWords([{ heading, html }], NAMES), []);
});
