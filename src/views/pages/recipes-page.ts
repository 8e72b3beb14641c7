/** Template context of the page of recipes: words in one language, code with the address of this service and a station of its. */
import { plainText } from '../../texts/prose.js';
import { pageIn } from '../../texts/pages.js';
import { messagesOf } from '../../texts/texts.js';
import {
  RECIPE_BASE_URL,
  RECIPE_PARAMETERS,
  RECIPE_STATION,
  RECIPE_TOOLS,
  recipeId,
  recipeLanguage,
  type RecipeCode,
} from '../recipes.js';
import { pageLink, RECIPES_PATH, type PageStyle } from './page.js';
import type { Portal } from './portal/portal-model.js';
import { viewInlines } from './prose-layout.js';

/**
 * `baseUrl` has no slash at its end; where it is undefined, the address is that of a service on the reader's machine.
 * Without a `portal`, which is undefined while no snapshot is served, the station is one of the demonstration.
 */
export function viewRecipesPage(
  { style, baseUrl }: { readonly style: PageStyle; readonly baseUrl: string | undefined },
  { codeOf, portal }: { readonly codeOf: RecipeCode; readonly portal: Portal | undefined },
) {
  const station = (portal && exampleStation(portal)) ?? RECIPE_STATION;
  const here = (text: string): string =>
    text
      .replaceAll(RECIPE_STATION, station)
      .replaceAll(RECIPE_BASE_URL, baseUrl ?? RECIPE_BASE_URL);
  const { title, introduction, sections } = pageIn(style.language, 'recipes');
  const texts = messagesOf(style.language, 'documentation');
  return {
    ...{ title, description: plainText(introduction[0] ?? []) },
    contents: texts('recipes-contents'),
    ...{ copy: texts('recipes-copy'), copied: texts('recipes-copied') },
    /** Path of the page in its language, without a theme. */
    canonical: pageLink(RECIPES_PATH, { language: style.language, theme: undefined }),
    /** A paragraph each. */
    introduction: introduction
      .slice(1)
      .map((inlines) =>
        viewInlines(inlines, style).map((inline) => ({ ...inline, text: here(inline.text) })),
      ),
    tools: RECIPE_TOOLS.map((tool) => ({
      id: tool.id,
      name: tool.name,
      recipes: tool.recipes.map((name) => {
        const id = recipeId(name);
        const section = sections.find((one) => one.id === id);
        const [block] = section?.blocks ?? [];
        return {
          /** Fragment of the page's address, the same in every language. */
          id,
          title: section?.heading ?? name,
          text: block?.kind === 'paragraph' ? viewInlines(block.inlines, style) : [],
          language: recipeLanguage(name).language,
          code: here(codeOf(name)),
        };
      }),
    })),
  };
}

/** Id of the first station with newest values of what the recipes ask for; where no station has them all, of the first one. */
function exampleStation({ components, stations }: Portal): string | undefined {
  const wanted = components.filter(({ code }) => RECIPE_PARAMETERS.includes(code));
  const fitting = stations.find(({ latest }) => wanted.every(({ id }) => latest.has(id)));
  return (fitting ?? stations[0])?.id.toString();
}
