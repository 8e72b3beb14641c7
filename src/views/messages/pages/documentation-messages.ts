/** Types of the documentation pages' messages, besides those of the viewers themselves, which are in English. */
import type { DocumentationPage } from '../../pages/page.js';
import type { Inlines, Section } from '../prose.js';

interface DocumentationText {
  readonly title: string;
  /** One sentence, for search engines and under the heading. */
  readonly description: string;
  /** Prose above the viewer. */
  readonly sections: readonly Section[];
}

export interface DocumentationTexts {
  readonly pages: Readonly<Record<DocumentationPage, DocumentationText>>;
  /** Heading of the viewer. */
  readonly viewer: string;
  /** Says that the OpenAPI document is in English. */
  readonly inEnglish: string;
  /** Shown until the viewer has loaded. */
  readonly loading: string;
  /** Shown instead of the viewer in browsers without scripts. */
  readonly withoutScripts: Inlines;
  /** Shown where the viewer could not be loaded. */
  readonly failed: Inlines;
}
