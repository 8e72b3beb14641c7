/** Template context of the page of recipes: words in one language, code with the address, a station, components and the time zone of this service. */
import { plainText } from '../../texts/prose.js';
import { pageIn } from '../../texts/pages.js';
import { messagesOf } from '../../texts/texts.js';
import {
  RECIPE_BASE_URL,
  RECIPE_TOOLS,
  recipeId,
  recipeLanguage,
  type RecipeCode,
} from '../recipes.js';
import { instanceExamples, withExamples } from '../instance-examples.js';
import { pageLink, RECIPES_PATH, type PageStyle } from './page.js';
import type { Portal } from './portal/portal-model.js';
import { viewInlines } from './prose-layout.js';

interface RecipesSource {
  readonly codeOf: RecipeCode;
  readonly portal: Portal | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/**
 * `baseUrl` has no slash at its end; where it is undefined, the address is that of a service on the reader's machine.
 * Without a `portal`, which is undefined while no snapshot is served, all else is as in the repository.
 */
export function viewRecipesPage(
  { style, baseUrl }: { readonly style: PageStyle; readonly baseUrl: string | undefined },
  { codeOf, portal, timeZone }: RecipesSource,
) {
  const examples = portal && instanceExamples(portal);
  const here = (text: string): string => {
    const own = examples ? withExamples(text, examples, timeZone) : text;
    return own.replaceAll(RECIPE_BASE_URL, baseUrl ?? RECIPE_BASE_URL);
  };
  const ownInlines = (inlines: Parameters<typeof viewInlines>[0]) =>
    viewInlines(inlines, style).map((inline) => ({ ...inline, text: here(inline.text) }));
  const { title, introduction, sections } = pageIn(style.language, 'recipes');
  const texts = messagesOf(style.language, 'documentation');
  return {
    ...{ title, description: plainText(introduction[0] ?? []) },
    contents: texts('recipes-contents'),
    ...{ copy: texts('recipes-copy'), copied: texts('recipes-copied') },
    /** Path of the page in its language, without a theme. */
    canonical: pageLink(RECIPES_PATH, { language: style.language, theme: undefined }),
    /** A paragraph each. */
    introduction: introduction.slice(1).map(ownInlines),
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
          text: block?.kind === 'paragraph' ? ownInlines(block.inlines) : [],
          language: recipeLanguage(name).language,
          code: here(codeOf(name)),
        };
      }),
    })),
  };
}
