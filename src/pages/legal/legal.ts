/** The legal pages. */
import { LANGUAGES } from '../../texts/texts.js';
import { LEGAL_PAGES, THEMES, type LegalPage, type PageStyle } from '../../views/pages/page.js';
import { oneOf, optional } from '../../http/routing/parameters.js';
import { page, type Page } from '../declaration.js';
import { pageStyle } from '../shown.js';

const strictStyle = {
  language: optional(oneOf(LANGUAGES)),
  theme: optional(oneOf(THEMES)),
};

const OPERATIONS: Readonly<Record<LegalPage, string>> = {
  license: 'getLicense',
  terms: 'getTermsOfUse',
  qos: 'getQualityOfService',
  contact: 'getContact',
  dataset: 'getDatasetDescription',
};

export interface LegalState extends PageStyle {
  readonly name: LegalPage;
}

export const LEGAL: readonly Page[] = LEGAL_PAGES.map((name) =>
  page({
    path: `/legal/${name}`,
    parameters: strictStyle,
    view: 'legal/legal-view',
    navigation: { places: ['footer'], label: `legal-${name}` },
    operationId: OPERATIONS[name],
    ...(name === 'dataset' && { isLinking: () => true }),
    state: (values, context): LegalState => ({ ...pageStyle(values, context), name }),
  }),
);
