/** The documentation of the API: prose, and two viewers of the OpenAPI document. */
import {
  DOCUMENTATION_PAGES,
  type DocumentationPage,
  type PageStyle,
} from '../../views/pages/page.js';
import { page, POLICY, type Page, type Policy } from '../declaration.js';
import { lenientStyle, pageStyle } from '../shown.js';

/** The policy for Redoc's worker and two style elements, by their hashes; another version may need others. */
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
