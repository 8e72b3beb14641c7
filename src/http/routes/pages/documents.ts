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
import {
  languageAbout,
  lenientStyle,
  page,
  pageStyle,
  POLICY,
  themeAbout,
  type PageWords,
  type Policy,
} from './page-endpoint.js';

/** Pages that refuse a value that they do not know. */
const strictStyle = {
  language: optional(oneOf(LANGUAGES, languageAbout)),
  theme: optional(oneOf(THEMES, themeAbout)),
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

const DOCUMENTATION = {
  'api-docs': {
    id: 'getApiDocumentation',
    summary: 'Documentation of the API',
    description: 'This document, to be read and tried, with an introduction.',
  },
  docs: {
    id: 'getSwaggerUi',
    summary: 'This document in Swagger UI',
    description: 'To be read and tried.',
  },
  redoc: { id: 'getRedoc', summary: 'This document in Redoc', description: 'To be read.' },
} as const satisfies Readonly<Record<DocumentationPage, PageWords>>;

const LEGAL = {
  license: {
    id: 'getLicense',
    summary: 'Licence',
    description: 'Under which law the data may be reused, and how their source is named.',
  },
  terms: {
    id: 'getTermsOfUse',
    summary: 'Terms of use',
    description: 'What the data are, and what they are not meant for.',
  },
  qos: {
    id: 'getQualityOfService',
    summary: 'Quality of service',
    description: 'Availability, maintenance, how often data are refreshed.',
  },
  contact: { id: 'getContact', summary: 'Contact', description: 'Who answers questions.' },
  dataset: {
    id: 'getDatasetDescription',
    summary: 'About the dataset',
    description: 'What it holds, for how long, and where it is had.',
  },
} as const satisfies Readonly<Record<LegalPage, PageWords>>;

export const DOCUMENTATION_ENDPOINTS: readonly Endpoint[] = DOCUMENTATION_PAGES.map((name) =>
  page({
    path: `/${name}`,
    parameters: lenientStyle,
    policy: name === 'redoc' ? REDOC_POLICY : POLICY,
    words: DOCUMENTATION[name],
    view: (values, context) => ({ kind: 'documentation', name, style: pageStyle(values, context) }),
  }),
);

export const RECIPES: Endpoint = page({
  path: RECIPES_PATH,
  parameters: lenientStyle,
  words: {
    id: 'getRecipes',
    summary: 'Recipes',
    description:
      'Programs to copy, with the address of this service: curl, Python, R, DuckDB, JavaScript, Excel, Grafana, Home Assistant, QGIS.',
  },
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
    words: LEGAL[name],
    view: (values, context) => ({ kind: 'legal', name, style: pageStyle(values, context) }),
  }),
);
