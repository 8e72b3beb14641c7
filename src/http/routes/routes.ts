/** The table of routes: every endpoint, in the order of the OpenAPI document. */
import type { DocumentedEndpoint, Endpoint } from '../routing/endpoint.js';
import { ARCHIVE } from './archive-routes.js';
import { ASSET, FAVICON } from './assets.js';
import { BULK } from './bulk-bundle.js';
import { CATALOGUE } from './catalogue.js';
import { DATASET } from './hvd-records.js';
import { DAYS } from './days.js';
import { EXPORT } from './export.js';
import { HEALTH } from './health.js';
import { HISTORY } from './history-routes.js';
import { MEASUREMENTS } from './measurements.js';
import { METADATA } from './metadata.js';
import { OGC } from './ogc/ogc.js';
import { OBSERVATIONS } from './observations.js';
import { OBSERVATIONS_CSV } from './observations-csv.js';
import { PAGE_ENDPOINTS } from '../../pages/pages.js';
import { SITE_DOCUMENTS } from './site-documents.js';

/** Literal paths win over `/{organization_id}/...`. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...PAGE_ENDPOINTS,
  ...METADATA,
  ...MEASUREMENTS,
  EXPORT,
  ...DATASET,
  ...OBSERVATIONS,
  ...OBSERVATIONS_CSV,
  ...DAYS,
  ...HISTORY,
  ...BULK,
  ...ARCHIVE,
  ...CATALOGUE,
  ...OGC,
  ...HEALTH,
  ...SITE_DOCUMENTS,
  ASSET,
  FAVICON,
];

/** The endpoints in the OpenAPI document, which knows no parameter of several segments: `{+path}` becomes `{path}`. */
export const DOCUMENTED_ENDPOINTS: readonly DocumentedEndpoint[] = ENDPOINTS.flatMap(
  ({ operation, ...endpoint }) =>
    operation === undefined
      ? []
      : [{ ...endpoint, path: documentedPath(endpoint.path), operation }],
);

function documentedPath(path: Endpoint['path']): Endpoint['path'] {
  return `/${path.slice(1).replace('{+', '{')}`;
}
