/** Pages for missing content: a sentence and the search (docs/http-api/answers.md, "Errors"). */
import type { PageStyle } from '../../views/pages/page.js';
import { page, type Page } from '../declaration.js';
import { lenientStyle, pageStyle } from '../shown.js';

export interface NotFoundState extends PageStyle {
  readonly what: 'page' | 'station' | 'archive';
}

export function notFoundPage(what: NotFoundState['what']): Page {
  return page({
    path: `/not-found/${what}`,
    parameters: lenientStyle,
    view: 'not-found/not-found-view',
    status: 404,
    state: (values, context): NotFoundState => ({ ...pageStyle(values, context), what }),
  });
}
