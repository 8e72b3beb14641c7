/** Pages for people who ask for something that is not there: a sentence and the search (docs/http-api/answers.md, "Errors"). */
import type { PageRequest } from '../../../views/pages/page.js';
import type { Endpoint } from '../../routing/endpoint.js';
import type { NotFoundCode } from '../../semantics/error-answers.js';
import { lenientStyle, page, pageStyle } from './page-endpoint.js';

/** No path leads to them: the router answers with them instead of these errors. */
export const NOT_FOUND_PAGES: Readonly<Record<NotFoundCode, Endpoint>> = {
  not_found: notFoundPage('page'),
  no_public_data: notFoundPage('station'),
  no_archive_resource: notFoundPage('archive'),
};

function notFoundPage(what: Extract<PageRequest, { kind: 'not-found' }>['what']): Endpoint {
  return page({
    path: `/not-found/${what}`,
    parameters: lenientStyle,
    view: (values, context) => ({ kind: 'not-found', what, style: pageStyle(values, context) }),
  });
}
