/** `GET /assets/{name}` and `/favicon.ico`: files for browsers, not part of the API. */
import { ASSETS, FAVICON as ICON } from '../answers/asset-files.js';
import { endpoint, refuse } from '../routing/endpoint.js';
import { pathText } from '../routing/parameters.js';

export const ASSET = endpoint({
  path: '/assets/{name}',
  parameters: { name: pathText([]) },
  caching: 'static',
  resolve: ({ name }) => {
    const resource = ASSETS.get(name);
    return resource === undefined ? refuse('not_found') : { kind: 'static', resource };
  },
});

export const FAVICON = endpoint({
  path: '/favicon.ico',
  caching: 'static',
  resolve: () => ({ kind: 'static', resource: ICON }),
});
