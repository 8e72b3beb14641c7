/** Pages that explain: the legal pages and the documentation (docs/http-api/pages.md, "Pages"). */
import { LANGUAGES } from '../../../texts/texts.js';
import {
  DOCUMENTATION_PAGES,
  LEGAL_PAGES,
  RECIPES_PATH,
  THEMES,
  type DocumentationPage,
  type LegalPage,
} from '../../../views/pages/page.js';
import type { Endpoint } from '../../routing/endpoint.js';
import { oneOf, optional } from '../../routing/parameters.js';
import { lenientStyle, page, pageStyle, POLICY, type Policy } from './page-endpoint.js';

/** Pages that refuse a value that they do not know. */
const strictStyle = {
  language: optional(oneOf(LANGUAGES)),
  theme: optional(oneOf(THEMES)),
};

/**
 * Redoc writes its styles into an empty style element, adds one for scroll bars, and searches in a worker made of text.
 * The hashes are those of exactly these two elements; another version of Redoc may need another one.
 */
const REDOC_POLICY: Policy = {
  ...POLICY,
  'style-src':
    "'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
  'worker-src': 'blob:',
};

const DOCUMENTATION: Readonly<Record<DocumentationPage, string>> = {
  'api-docs': 'getApiDocumentation',
  docs: 'getSwaggerUi',
  redoc: 'getRedoc',
};

const LEGAL: Readonly<Record<LegalPage, string>> = {
  license: 'getLicense',
  terms: 'getTermsOfUse',
  qos: 'getQualityOfService',
  contact: 'getContact',
  dataset: 'getDatasetDescription',
};

export const DOCUMENTATION_ENDPOINTS: readonly Endpoint[] = DOCUMENTATION_PAGES.map((name) =>
  page({
    path: `/${name}`,
    parameters: lenientStyle,
    policy: name === 'redoc' ? REDOC_POLICY : POLICY,
    operationId: DOCUMENTATION[name],
    view: (values, context) => ({ kind: 'documentation', name, style: pageStyle(values, context) }),
  }),
);

export const RECIPES: Endpoint = page({
  path: RECIPES_PATH,
  parameters: lenientStyle,
  operationId: 'getRecipes',
  isLinking: true,
  view: (values, context) => ({
    kind: 'recipes',
    style: pageStyle(values, context),
    baseUrl: context.baseUrl,
  }),
});

export const LEGAL_ENDPOINTS: readonly Endpoint[] = LEGAL_PAGES.map((name) =>
  page({
    path: `/legal/${name}`,
    parameters: strictStyle,
    operationId: LEGAL[name],
    view: (values, context) => ({ kind: 'legal', name, style: pageStyle(values, context) }),
  }),
);
