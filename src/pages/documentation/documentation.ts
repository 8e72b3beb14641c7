/** The documentation of the API: prose, and two viewers of the OpenAPI document. */
import {
  DOCUMENTATION_PAGES,
  type DocumentationPage,
  type PageStyle,
} from '../../views/pages/page.js';
import { page, POLICY, type Page, type Policy } from '../declaration.js';
import { lenientStyle, pageStyle } from '../shown.js';

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

const OPERATIONS: Readonly<Record<DocumentationPage, string>> = {
  'api-docs': 'getApiDocumentation',
  docs: 'getSwaggerUi',
  redoc: 'getRedoc',
};

export interface DocumentationState extends PageStyle {
  readonly name: DocumentationPage;
}

export const DOCUMENTATION: readonly Page[] = DOCUMENTATION_PAGES.map((name) =>
  page({
    path: `/${name}`,
    parameters: lenientStyle,
    view: 'documentation/documentation-view',
    section: '/api-docs',
    ...(name === 'api-docs' && { navigation: { places: ['header', 'footer'], label: 'api' } }),
    policy: name === 'redoc' ? REDOC_POLICY : POLICY,
    operationId: OPERATIONS[name],
    state: (values, context): DocumentationState => ({ ...pageStyle(values, context), name }),
  }),
);
