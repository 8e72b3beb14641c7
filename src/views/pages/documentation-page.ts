/** Template contexts of the documentation pages: prose, and a viewer of the OpenAPI document. */
import { parseLine } from '../../texts/markdown.js';
import { pageIn } from '../../texts/pages.js';
import { messagesOf } from '../../texts/texts.js';
import { pageLink, type DocumentationPage, type PageRequest } from './page.js';
import { renderLine, renderProse } from './prose.js';

/** The library that shows the document; its script and its style sheet have the same name. */
const VIEWERS = {
  'api-docs': 'swagger',
  docs: 'swagger',
  redoc: 'redoc',
} as const satisfies Record<DocumentationPage, string>;

export function viewDocumentationPage({
  name,
  style,
}: Omit<Extract<PageRequest, { kind: 'documentation' }>, 'kind'>) {
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
