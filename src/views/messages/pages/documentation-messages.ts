/** What the documentation pages say beside the viewer of the OpenAPI document, in any language. */
import type { DocumentationPage } from '../../pages/page.js';
import type { Runs, Section } from '../prose.js';

interface DocumentationText {
  readonly title: string;
  /** One sentence, for search engines and under the heading. */
  readonly description: string;
  /** Before the viewer. */
  readonly sections: readonly Section[];
}

export interface DocumentationTexts {
  readonly pages: Readonly<Record<DocumentationPage, DocumentationText>>;
  /** Heading of the viewer. */
  readonly viewer: string;
  /** The viewer's own texts are in English. */
  readonly inEnglish: string;
  /** Stands where the viewer would be until it has loaded. */
  readonly loading: string;
  /** Instead of the viewer, for browsers without scripts. */
  readonly withoutScripts: Runs;
  /** Where the viewer could not be loaded. */
  readonly failed: Runs;
}
