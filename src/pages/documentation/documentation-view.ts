/** The documentation pages: prose, and a viewer of the OpenAPI document. */
import { parseLine } from '../../texts/markdown.js';
import { pageIn } from '../../texts/text-pages.js';
import { messagesOf } from '../../texts/texts.js';
import { pageLink, type DocumentationPage } from '../../views/pages/page.js';
import { renderLine, renderProse } from '../../views/pages/prose.js';
import { textPage, type ViewSource } from '../view.js';
import type { DocumentationState } from './documentation.js';

/** The library that shows the document; its script and its style sheet have the same name. */
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
    /** Path of the page in its language, without a theme. */
    canonical: pageLink(`/${name}`, { language: style.language, theme: undefined }),
    /** Names of assets. */
    script: `${viewer}.js`,
    stylesheet: `${viewer}.css`,
    viewerHeading: texts('viewer'),
    note: texts('in-english'),
    loading: texts('loading'),
    /** HTML. */
    withoutScripts: renderLine(parseLine(texts('without-scripts')), { style }) ?? '',
    failed: renderLine(parseLine(texts('failed')), { style }) ?? '',
    sections,
  };
}
