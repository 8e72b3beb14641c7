/** `GET /openapi.json`: the description of all endpoints, made by the build from this table (docs/contributing.md, "Add an endpoint"). */
import { endpoint, refuse } from '../routing/endpoint.js';
import { reference } from '../../views/openapi/json-schema.js';
import { JSON_TYPE } from '../semantics/common-headers.js';

export const OPENAPI = endpoint({
  path: '/openapi.json',
  parameters: {},
  caching: 'rendered',
  dependsOn: 'base-url',
  operation: {
    id: 'getOpenApi',
    tag: 'Service',
    summary: 'This document',
    description:
      'OpenAPI 3.1, made from the table of routes that answers them, with examples from demonstration data.',
    content: [{ mediaType: 'application/json', schema: reference('OpenApi') }],
    refusals: ['host_unknown', 'busy'],
  },
  respond: (_values, { baseUrl }) =>
    baseUrl === undefined
      ? refuse('host_unknown')
      : {
          kind: 'rendered',
          job: {
            fields: [JSON_TYPE],
            variant: 'openapi',
            run: (pool, { gzip }) => pool.run('render-openapi', { gzip, baseUrl }),
          },
        },
});
