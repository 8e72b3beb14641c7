/** Template contexts of the documentation pages: prose, and a viewer of the OpenAPI document. */
import { MESSAGES } from '../messages/languages.js';
import { pageLink, type DocumentationPage, type PageStyle } from './page.js';
import { viewInlines, viewSection } from './prose-layout.js';

/** The library that shows the document; its script and its style sheet have the same name. */
const VIEWERS = {
  'api-docs': 'swagger',
  docs: 'swagger',
  redoc: 'redoc',
} as const satisfies Record<DocumentationPage, string>;

export function viewDocumentationPage({
  name,
  style,
}: {
  readonly name: DocumentationPage;
  readonly style: PageStyle;
}) {
  const texts = MESSAGES[style.language].documentation;
  const { title, description, sections } = texts.pages[name];
  const viewer = VIEWERS[name];
  return {
    ...{ title, description, viewer },
    /** Path of the page in its language, without a theme. */
    canonical: pageLink(`/${name}`, { language: style.language, theme: undefined }),
    /** Names of assets. */
    ...{ script: `${viewer}.js`, stylesheet: `${viewer}.css` },
    ...{ viewerHeading: texts.viewer, note: texts.inEnglish, loading: texts.loading },
    withoutScripts: viewInlines(texts.withoutScripts, style),
    failed: viewInlines(texts.failed, style),
    sections: sections.map((section) => viewSection(section, style)),
  };
}
