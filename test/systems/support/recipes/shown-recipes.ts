/** The recipes as a reader finds them: on the page, with the address of the service that showed it. */
import { RECIPE_TOOLS, type RecipeName } from '../../../../src/views/recipe-texts.js';
import { get } from '../../../support/service/requests.js';
import { unescapeHtml } from '../../../support/readers/html.js';

export const RECIPE_NAMES: readonly RecipeName[] = RECIPE_TOOLS.flatMap((tool) => [
  ...tool.recipes,
]);

/** The code that the page shows, by recipe; a block of code that belongs to no recipe is an error. */
export async function shownRecipes(
  service: { readonly port: number },
  language = 'en',
): Promise<ReadonlyMap<RecipeName, string>> {
  const page = await get(service, `/api-docs/recipes?language=${language}`);
  const shown = new Map<RecipeName, string>();
  for (const [, id = '', code = ''] of page.body
    .toString()
    .matchAll(/<pre[^>]* aria-labelledby="([^"]*)"><code[^>]*>([^<]*)<\/code><\/pre>/g)) {
    const name = RECIPE_NAMES.find((one) => one.replaceAll(/[/.]/g, '-') === id);
    if (name === undefined) throw new Error(`no recipe is called ${id}`);
    shown.set(name, unescapeHtml(code));
  }
  return shown;
}
