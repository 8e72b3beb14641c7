/** One page in one state: what it shows is read, viewed and laid out. */
import { viewLayout } from '../../views/pages/layout.js';
import type { PageStyle, PageWish } from '../../views/pages/page.js';
import { planText } from '../formats/text-plan.js';
import { renderTemplate } from '../formats/templates.js';
import type { Plan, RenderPageTask } from '../messages.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function renderPage({ gzip, page, site }: RenderPageTask): Plan {
  return planText(renderTemplate(page.kind, { layout: viewLayout(styleOf(page), site) }), { gzip });
}

function styleOf(page: PageWish): PageStyle {
  return 'state' in page ? page.state : page.style;
}
