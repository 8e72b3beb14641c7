/** Landing page, conformance and collections of OGC API - Features 1.0 and EDR 1.1 (OGC 17-069r4, OGC 19-086r6). */
import type { Component, SnapshotHeader } from '../../snapshot/domain/model.js';
import type { BoundingBox } from '../../snapshot/domain/selection.js';
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { messagesOf } from '../../texts/texts.js';
import { clipWindow } from '../hvd/window.js';
import { DESCRIPTOR_LINKS, OGC_API } from '../hvd/descriptor.js';
import { GEOJSON, linkTo, pageLink, type Link } from './links.js';
import { COLLECTIONS, type Collection, type DocumentRequest } from './requests.js';
import { CRS84, viewParameters } from './values.js';

export interface OgcInput {
  readonly header: SnapshotHeader;
  readonly components: readonly Component[];
  /** The box around the stations; undefined if no station has coordinates. */
  readonly box: BoundingBox | undefined;
  /** Base URL without a slash at its end. */
  readonly base: string;
}

export const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.0';

const edrClass = (name: string): string => `edr-1/1.1/conf/${name}`;

const CONFORMANCE = [
  ...['common-1/1.0/conf/core', 'common-2/1.0/conf/collections'],
  ...['core', 'oas30', 'html', 'geojson'].map((one) => `features-1/1.0/conf/${one}`),
  ...['core', 'collections', 'queries', 'oas30', 'html', 'json'].map(edrClass),
  ...['geojson', 'edr-geojson', 'covjson'].map(edrClass),
].map((one) => `http://www.opengis.net/spec/ogcapi-${one}`);

const CRS84_WKT =
  'GEOGCRS["WGS 84 (CRS84)",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],AXIS["longitude",east],AXIS["latitude",north],UNIT["degree",0.0174532925199433]]';

/** Formats of values, the default first. */
const VALUE_FORMATS = ['CoverageJSON', 'GeoJSON', 'CSV'];

/** Queries of EDR: their titles, and members of one query alone. */
const QUERIES = {
  position: { title: 'The nearest station that has a value of the parameter' },
  radius: { title: 'Stations within a distance', within_units: ['km', 'm', 'mi'] },
  area: { title: 'Stations in a polygon or a box' },
  locations: { title: 'Stations, or the values of one station' },
  items: { title: 'Stations, in pages' },
};

const TITLES: Readonly<Record<Collection, string>> = {
  observations: 'Hourly values of the last 30 days, preliminary',
  stations: 'Stations',
  latest: 'Newest value of each parameter at each station',
};

export function viewDocument({ name }: DocumentRequest, input: OgcInput): object {
  const { base } = input;
  switch (name) {
    case 'landing':
      return viewLanding(base);
    case 'conformance':
      return { conformsTo: CONFORMANCE };
    case 'collections':
      return {
        links: linksTo(`${base}${OGC_API}/collections`),
        collections: COLLECTIONS.map((collection) => viewCollection(collection, input)),
      };
    default:
      return viewCollection(name, input);
  }
}

function viewLanding(base: string) {
  const messages = messagesOf('en', 'catalog');
  const root = base + OGC_API;
  const links = [
    ...linksTo(root),
    linkTo(`${root}/api`, 'service-desc', 'OpenAPI', OPENAPI_TYPE),
    linkTo(`${base}/api-docs`, 'service-doc', 'Documentation', 'text/html'),
    linkTo(`${root}/conformance`, 'conformance', 'Conformance'),
    linkTo(`${root}/collections`, 'data', 'Collections'),
    licenseLink(base),
  ];
  return { title: messages('title'), description: messages('service-description'), links };
}

function viewCollection(id: Collection, { base, header, components, box }: OgcInput) {
  const here = `${base}${OGC_API}/collections/${id}`;
  const isEdr = id === 'observations';
  const { from, to } = clipWindow({}, header.generatedAtMs);
  const { west = -180, south = -90, east = 180, north = 90 } = box ?? {};
  const temporal = {
    interval: [[utcDateTime(from), utcDateTime(to)]],
    values: [`R${Math.floor((to - from) / HOUR_MS)}/${utcDateTime(from)}/PT1H`],
    trs: 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian',
  };
  const title = TITLES[id];
  return {
    ...{ id, title, itemType: 'feature', crs: [CRS84] },
    links: [
      ...linksTo(here),
      linkTo(`${here}/items`, 'items', title, GEOJSON),
      linkTo(`${here}/items?f=html`, 'items', title, 'text/html'),
      linkTo(`${here}/${isEdr ? 'locations' : 'items'}`, 'data', title, GEOJSON),
      licenseLink(base),
    ],
    extent: {
      spatial: { bbox: [[west, south, east, north]], crs: CRS84 },
      ...(id !== 'stations' && { temporal }),
    },
    // EDR demands these of every collection (/req/edr/rc-collection-info).
    data_queries: viewQueries(here, isEdr ? QUERIES : { items: { title } }),
    output_formats: isEdr ? VALUE_FORMATS : ['GeoJSON'],
    parameter_names: viewParameters(id === 'stations' ? [] : components, (text) => text),
  };
}

function viewQueries(here: string, offered: Readonly<Record<string, { title: string }>>): object {
  const crs_details = [{ crs: 'CRS84', wkt: CRS84_WKT }];
  const queries = Object.entries(offered).map(([query_type, own]) => {
    const output_formats = query_type === 'items' ? ['GeoJSON'] : VALUE_FORMATS;
    const formats = { output_formats, default_output_format: output_formats[0], crs_details };
    const variables = { ...own, query_type, ...formats };
    return [
      query_type,
      { link: { href: `${here}/${query_type}`, rel: 'data', title: own.title, variables } },
    ] as const;
  });
  return Object.fromEntries(queries);
}

function linksTo(href: string): readonly Link[] {
  return [linkTo(href, 'self', 'This document'), pageLink(href)];
}

function licenseLink(base: string): Link {
  return linkTo(base + DESCRIPTOR_LINKS.license, 'license', 'Licence', 'text/html');
}
