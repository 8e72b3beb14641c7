/** The base map under the stations, and its towns. */
import { anyText } from '../../http/routing/lenient-parameters.js';
import { page, type Page } from '../declaration.js';
import { lenientStyle, pageStyle } from '../shown.js';

/** Digest of the bytes: an address with a digest always has the same bytes. */
const mapDigest = anyText(8);

export const MAP: readonly Page[] = [
  page({
    path: '/portal/map.svg',
    parameters: { theme: lenientStyle.theme, v: mapDigest },
    view: 'map/map-svg-view',
    digest: ({ v }) => (v === '' ? undefined : v),
    contentType: 'image/svg+xml; charset=utf-8',
    operationId: 'getMap',
    // An image has neither a language nor the system's theme.
    state: ({ theme = 'light' }, context) => ({ ...pageStyle({}, context), theme }),
  }),
  // A search loads this file, which is not part of the API.
  page({
    path: '/portal/towns.json',
    parameters: { language: lenientStyle.language, v: mapDigest },
    view: 'map/towns-view',
    digest: ({ v }) => (v === '' ? undefined : v),
    contentType: 'application/json',
    state: ({ language }, context) => pageStyle({ language }, context),
  }),
];
