/** The documentation pages: prose, and a viewer of the OpenAPI document. */
import { parseLine } from '../../texts/markdown.js';
import { pageIn } from '../../texts/text-pages.js';
import { messagesOf } from '../../texts/texts.js';
import { pageLink, type DocumentationPage } from '../../views/pages/page.js';
import { renderLine, renderProse } from '../../views/pages/prose.js';
import { textPage, type ViewSource } from '../view.js';
import type { DocumentationState } from './documentation.js';

/** The library that shows the OpenAPI document; script and style sheet are named after it. */
const VIEWERS = {
  'api-docs': 'swagger',
  docs: 'swagger',
  redoc: 'redoc',
} as const satisfies Record<DocumentationPage, string>;

export function render(state: DocumentationState, source: ViewSource): string {
  return textPage('documentation', viewDocumentationPage(state), state, source);
}

/** Context of `templates/documentation.liquid`, as `page`. */
export function viewDocumentationPage({ name, ...style }: DocumentationState) {
  const texts = messagesOf(style.language, 'documentation');
  const { title, description, sections } = renderProse(pageIn(style.language, name), { style });
  const viewer = VIEWERS[name];
  return {
    title,
    description,
    viewer,
    canonical: pageLink(`/${name}`, { language: style.language, theme: undefined }),
    script: `${viewer}.js`,
    stylesheet: `${viewer}.css`,
    viewerHeading: texts('viewer'),
    note: texts('in-english'),
    loading: texts('loading'),
    withoutScripts: renderLine(parseLine(texts('without-scripts')), { style }) ?? '',
    failed: renderLine(parseLine(texts('failed')), { style }) ?? '',
    sections,
  };
}
