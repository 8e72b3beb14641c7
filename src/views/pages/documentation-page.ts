/** The documentation pages: our words around a viewer of the OpenAPI document, ready to be laid out. */
import { MESSAGES } from '../messages/languages.js';
import { pageLink, type DocumentationPage, type PageStyle } from './page.js';
import { viewRuns, viewSection, type RunContext, type SectionContext } from './prose-layout.js';

/** Which library shows the document: also what its script and its style sheet are called. */
type Viewer = 'swagger' | 'redoc';

const VIEWERS: Readonly<Record<DocumentationPage, Viewer>> = {
  'api-docs': 'swagger',
  docs: 'swagger',
  redoc: 'redoc',
};

export interface DocumentationContext {
  readonly title: string;
  readonly description: string;
  /** Path of the page in its language, whatever the theme. */
  readonly canonical: string;
  readonly viewer: Viewer;
  /** Names of assets. */
  readonly script: string;
  readonly stylesheet: string;
  readonly viewerHeading: string;
  readonly note: string;
  readonly loading: string;
  readonly withoutScripts: readonly RunContext[];
  readonly failed: readonly RunContext[];
  readonly sections: readonly SectionContext[];
}

/** Needs no snapshot. */
export function viewDocumentationPage({
  name,
  style,
}: {
  readonly name: DocumentationPage;
  readonly style: PageStyle;
}): DocumentationContext {
  const texts = MESSAGES[style.language].documentation;
  const { title, description, sections } = texts.pages[name];
  const viewer = VIEWERS[name];
  return {
    title,
    description,
    canonical: pageLink(`/${name}`, { language: style.language, theme: undefined }),
    viewer,
    script: `${viewer}.js`,
    stylesheet: `${viewer}.css`,
    viewerHeading: texts.viewer,
    note: texts.inEnglish,
    loading: texts.loading,
    withoutScripts: viewRuns(texts.withoutScripts, style),
    failed: viewRuns(texts.failed, style),
    sections: sections.map((section) => viewSection(section, style)),
  };
}
