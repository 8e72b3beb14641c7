/** The page of recipes: words in one language, code with the address and ids of this service. */
import { pageIn } from '../../texts/text-pages.js';
import { messagesOf } from '../../texts/texts.js';
import {
  RECIPE_BASE_URL,
  RECIPE_TOOLS,
  recipeId,
  recipeLanguage,
} from '../../views/recipe-texts.js';
import { instanceExamples, withExamples } from '../../views/instance-examples.js';
import { pageLink, RECIPES_PATH, type PageStyle } from '../../views/pages/page.js';
import type { Portal } from '../../views/pages/portal/portal-model.js';
import { renderProse } from '../../views/pages/prose.js';
import { portalOf, textPage, type ViewSource } from '../view.js';
import { readRecipe } from './read-recipe.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function render(style: PageStyle, source: ViewSource): string {
  const page = viewRecipesPage(
    { style, baseUrl: source.baseUrl },
    { portal: portalOf(source), timeZone: source.site.timeZone },
  );
  return textPage('recipes', page, style, source);
}

/** Context of `templates/recipes.liquid`. Examples call `baseUrl` (no slash at its end); default: the local machine. */
export function viewRecipesPage(
  { style, baseUrl }: { readonly style: PageStyle; readonly baseUrl: string | undefined },
  { portal, timeZone }: { readonly portal: Portal | undefined; readonly timeZone: string },
) {
  const examples = portal && instanceExamples(portal);
  const here = (text: string): string => {
    const own = examples ? withExamples(text, examples, timeZone) : text;
    return own.replaceAll(RECIPE_BASE_URL, baseUrl ?? RECIPE_BASE_URL);
  };
  const { title, description, introduction, sections } = renderProse(
    pageIn(style.language, 'recipes'),
    { style, change: here },
  );
  const texts = messagesOf(style.language, 'documentation');
  return {
    title,
    description,
    contents: texts('recipes-contents'),
    copy: texts('recipes-copy'),
    copied: texts('recipes-copied'),
    canonical: pageLink(RECIPES_PATH, { language: style.language, theme: undefined }),
    /** Paragraphs as HTML. */
    introduction: introduction.slice(1),
    script: 'recipes-scripts.js',
    stylesheet: 'recipes.css',
    sections: RECIPE_TOOLS.map((tool) => ({
      id: tool.id,
      heading: tool.name,
      recipes: tool.recipes.map((name) => {
        const id = recipeId(name);
        const section = sections.find((one) => one.id === id);
        return {
          /** Fragment of the address, independent of the language. */
          id,
          title: section?.heading ?? name,
          text: section?.html ?? '',
          language: recipeLanguage(name),
          code: here(readRecipe(name)),
        };
      }),
    })),
  };
}
