/** Template context of the page of recipes: words in one language, code with the address of this service. */
import { MESSAGES } from '../messages/languages.js';
import { RECIPE_BASE_URL, RECIPE_TOOLS, recipeLanguage, type RecipeCode } from '../recipes.js';
import { pageLink, RECIPES_PATH, type PageStyle } from './page.js';
import { viewInlines, type InlineContext } from './prose-layout.js';

interface RecipeContext {
  /** Fragment of the page's address, the same in every language. */
  readonly id: string;
  readonly title: string;
  readonly text: readonly InlineContext[];
  /** Of the code, as readers call it. */
  readonly language: string;
  readonly code: string;
}

export interface RecipesContext {
  readonly title: string;
  readonly description: string;
  /** Path of the page in its language, without a theme. */
  readonly canonical: string;
  /** A paragraph each. */
  readonly introduction: readonly (readonly InlineContext[])[];
  readonly contents: string;
  readonly copy: string;
  readonly copied: string;
  readonly tools: readonly {
    readonly id: string;
    readonly name: string;
    readonly recipes: readonly RecipeContext[];
  }[];
}

/** `baseUrl` has no slash at its end; where it is undefined, the address is that of a service on the reader's machine. */
export function viewRecipesPage(
  { style, baseUrl }: { readonly style: PageStyle; readonly baseUrl: string | undefined },
  codeOf: RecipeCode,
): RecipesContext {
  const { title, description, introduction, contents, copy, copied, recipes } =
    MESSAGES[style.language].recipes;
  return {
    ...{ title, description, contents, copy, copied },
    canonical: pageLink(RECIPES_PATH, { language: style.language, theme: undefined }),
    introduction: introduction.map((inlines) => viewInlines(inlines, style)),
    tools: RECIPE_TOOLS.map((tool) => ({
      id: tool.id,
      name: tool.name,
      recipes: tool.recipes.map((name) => ({
        id: name.replaceAll(/[/.]/g, '-'),
        title: recipes[name].title,
        text: viewInlines(recipes[name].text, style),
        language: recipeLanguage(name).language,
        code: codeOf(name).replaceAll(RECIPE_BASE_URL, baseUrl ?? RECIPE_BASE_URL),
      })),
    })),
  };
}
