/** Template contexts of the documentation pages: prose, and a viewer of the OpenAPI document. */
import { MESSAGES } from '../messages/languages.js';
import { pageLink, type DocumentationPage, type PageStyle } from './page.js';
import {
  viewInlines,
  viewSection,
  type InlineContext,
  type SectionContext,
} from './prose-layout.js';

/** The library that shows the document; its script and its style sheet have the same name. */
type Viewer = 'swagger' | 'redoc';

const VIEWERS: Readonly<Record<DocumentationPage, Viewer>> = {
  'api-docs': 'swagger',
  docs: 'swagger',
  redoc: 'redoc',
};

export interface DocumentationContext {
  readonly title: string;
  readonly description: string;
  /** Path of the page in its language, without a theme. */
  readonly canonical: string;
  readonly viewer: Viewer;
  /** Names of assets. */
  readonly script: string;
  readonly stylesheet: string;
  readonly viewerHeading: string;
  readonly note: string;
  readonly loading: string;
  readonly withoutScripts: readonly InlineContext[];
  readonly failed: readonly InlineContext[];
  readonly sections: readonly SectionContext[];
}

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
    withoutScripts: viewInlines(texts.withoutScripts, style),
    failed: viewInlines(texts.failed, style),
    sections: sections.map((section) => viewSection(section, style)),
  };
}
