/** Types of the messages of the page of recipes. The names of tools and the code are the same in every language. */
import type { RecipeName } from '../../recipes.js';
import type { Inlines } from '../prose.js';

interface RecipeText {
  readonly title: string;
  /** When to use it, what to replace, and what it leaves out. */
  readonly text: Inlines;
}

export interface RecipesTexts {
  readonly title: string;
  /** One sentence, for search engines and under the heading. */
  readonly description: string;
  /** What holds for all recipes: a paragraph each. */
  readonly introduction: readonly Inlines[];
  readonly contents: string;
  readonly copy: string;
  readonly copied: string;
  readonly recipes: Readonly<Record<RecipeName, RecipeText>>;
}
