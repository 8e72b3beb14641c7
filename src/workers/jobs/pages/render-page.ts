/** Renders one page in one state, by the module in its declaration. */
import type { View } from '../../../pages/view.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { planBytes, planText } from '../../formats/answers.js';
import { loaderFrom } from '../../load-module.js';
import type { RenderPageTask } from '../../messages.js';
import { openSnapshot } from '../../open-snapshot.js';

const load = loaderFrom(import.meta.url);

export async function renderPage({
  location,
  gzip,
  view,
  state,
  ...source
}: RenderPageTask): Promise<Plan> {
  const module = load(`../../../pages/${view}.js`) as View;
  const rendered = await module.render(state, {
    ...source,
    snapshot: () => location && openSnapshot(location),
  });
  if (rendered instanceof Uint8Array) return planBytes(rendered, { gzip: false });
  if (typeof rendered === 'string') return planText(rendered, { gzip });
  return { ...planText(rendered.text, { gzip }), digest: rendered.digest };
}
