/** Recipes: programs that use this service. */
import { RECIPES_PATH } from '../../views/pages/page.js';
import { page } from '../declaration.js';
import { lenientStyle, pageStyle } from '../shown.js';

export const RECIPES = page({
  path: RECIPES_PATH,
  parameters: lenientStyle,
  view: 'recipes/recipes-view',
  section: '/api-docs',
  operationId: 'getRecipes',
  isLinking: () => true,
  state: pageStyle,
});
