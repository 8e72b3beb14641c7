/** One page in one state: what it shows is read, viewed and laid out. */
import { viewLayout } from '../../views/pages/layout.js';
import type { SnapshotReader } from '../../snapshot/local/reader.js';
import { viewDocumentationPage } from '../../views/pages/documentation.js';
import { viewLegalPage } from '../../views/pages/legal/view.js';
import type { PageStyle, PageWish, Site } from '../../views/pages/page.js';
import { borrow } from '../borrow.js';
import { planText } from '../formats/text-plan.js';
import { renderTemplate } from '../formats/templates.js';
import type { Plan, RenderPageTask } from '../messages.js';
import { readLegalSource } from './legal-source.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function renderPage({ place, gzip, page, site }: RenderPageTask): Plan {
  const reader = place && borrow(place).reader;
  const context = { layout: viewLayout(styleOf(page), site), page: viewPage(page, reader, site) };
  return planText(renderTemplate(page.kind, context), { gzip });
}

function viewPage(page: PageWish, reader: SnapshotReader | undefined, { timeZone }: Site): object {
  switch (page.kind) {
    case 'legal':
      return viewLegalPage(page, { source: reader && readLegalSource(reader), timeZone });
    case 'documentation':
      return viewDocumentationPage(page);
    case 'portal':
    case 'station-modal':
      return {};
  }
}

function styleOf(page: PageWish): PageStyle {
  return 'state' in page ? page.state : page.style;
}
