/** OGC API - Features 1.0 and EDR 1.1 (docs/http-api/ogc.md): every query is a selection of the API. */
import type { SnapshotHeader } from '../../../snapshot/domain/model.js';
import { listItems, selectedCodes, type Selection } from '../../../snapshot/domain/selection.js';
import { HOUR_MS, hourFrom, retainedHours } from '../../../snapshot/domain/windows.js';
import { offered } from '../../../texts/texts.js';
import { OGC_API } from '../../../views/hvd/descriptor.js';
import { COVERAGEJSON, GEOJSON } from '../../../views/ogc/links.js';
import * as ogc from '../../../views/ogc/requests.js';
import { pageFields } from '../../../pages/declaration.js';
import { NAVIGATION } from '../../../pages/pages.js';
import type { JobAnswer } from '../../answers/rendered-answers.js';
import type { SnapshotAnswers } from '../../answers/snapshot-answers.js';
import {
  endpoint,
  linkVariation,
  refuse,
  type Endpoint,
  type RequestContext,
} from '../../routing/endpoint.js';
import { text } from '../../openapi/operation.js';
import type { Parameters, Refusal, Values } from '../../routing/parameter.js';
import {
  integer,
  oneOf,
  optional,
  pathText,
  quotedInput,
  refusedWith,
} from '../../routing/parameters.js';
import { CSV_TYPE } from '../../semantics/common-headers.js';
import { recordsJob } from '../observations.js';
import { ENVELOPE } from '../observations-csv.js';
import * as parameters from './parameters.js';

/** Media types by the names in `f`, the default first; clients such as edr4r ask for CoverageJSON as `json`. */
type Formats = Readonly<Record<string, string>>;

const DOCUMENT: Formats = { json: 'application/json' };
const FEATURES: Formats = { json: GEOJSON, GeoJSON: GEOJSON };
const VALUES: Formats = {
  CoverageJSON: COVERAGEJSON,
  json: COVERAGEJSON,
  GeoJSON: GEOJSON,
  CSV: CSV_TYPE,
};

const OBSERVATIONS = '/collections/observations';
const COLLECTION = '/collections/{collection_id}';

const { collection_id, station_id } = refusedWith('no_public_data', {
  station_id: integer('path', 28005002),
  collection_id: { ...oneOf(ogc.COLLECTIONS, 'stations'), in: 'path' as const },
});

export const OGC: readonly Endpoint[] = [
  ogcEndpoint(DOCUMENT, '', 'getOgcLandingPage', {}, () => document('landing')),
  ogcEndpoint(DOCUMENT, '/', undefined, {}, () => document('landing')),
  ogcEndpoint(DOCUMENT, '/conformance', 'getOgcConformance', {}, () => document('conformance')),
  ogcEndpoint(DOCUMENT, '/collections', 'listOgcCollections', {}, () => document('collections')),
  ogcEndpoint(DOCUMENT, COLLECTION, 'getOgcCollection', { collection_id }, (values) =>
    document(values.collection_id),
  ),
  ogcEndpoint(
    FEATURES,
    `${COLLECTION}/items`,
    'listOgcFeatures',
    { collection_id, ...parameters.features },
    ({ collection_id: collection, snapshot, ...page }, { query, state: { served, former } }) => {
      const from = [served, ...former].find((one) => one?.snapshot.snapshotId === snapshot);
      if (snapshot !== undefined && from === undefined) return refuse('snapshot_gone');
      const limit = Math.min(page.limit ?? parameters.LIMIT, parameters.LIMIT_MAX);
      return { kind: 'features', collection, ...page, limit, query, from };
    },
  ),
  ogcEndpoint(
    FEATURES,
    `${COLLECTION}/items/{feature_id}`,
    'getOgcFeature',
    { collection_id, feature_id: { ...pathText(), example: '28005002' } },
    ({ collection_id: collection, feature_id: featureId }, { query }) => {
      return { kind: 'features', collection, featureId, query };
    },
  ),
  ogcEndpoint(
    FEATURES,
    `${OBSERVATIONS}/locations`,
    'listOgcLocations',
    parameters.featureFilter,
    (values, { query }) => ({ kind: 'features', collection: 'locations', ...values, query }),
  ),
  ogcEndpoint(
    VALUES,
    `${OBSERVATIONS}/locations/{station_id}`,
    'getOgcLocation',
    { station_id, ...parameters.values },
    ({ station_id: id, ...values }, context) =>
      context.state.served?.stations.has(id) === true
        ? valuesOf(`locations/${id}`, { stationIds: [id] }, values, context)
        : refuse('no_public_data'),
  ),
  ogcEndpoint(
    VALUES,
    `${OBSERVATIONS}/position`,
    'getOgcPosition',
    { coords: parameters.point, ...parameters.values },
    ({ coords: nearestTo, ...values }, context) =>
      valuesOf('position', { nearestTo }, values, context),
  ),
  ogcEndpoint(
    VALUES,
    `${OBSERVATIONS}/radius`,
    'getOgcRadius',
    { ...parameters.circle, ...parameters.values },
    ({ coords, within, 'within-units': unit, ...values }, context) => {
      const circle = { ...coords, radiusM: within * parameters.METRES[unit] };
      return valuesOf('radius', { circle }, values, context);
    },
  ),
  ogcEndpoint(
    VALUES,
    `${OBSERVATIONS}/area`,
    'getOgcArea',
    { coords: parameters.polygon, bbox: parameters.featureFilter.bbox, ...parameters.values },
    ({ coords: polygon, bbox: box, ...values }, context) =>
      polygon === undefined && box === undefined
        ? { kind: 'error', code: 'invalid_ogc', found: '`coords` or `bbox` is missing.' }
        : valuesOf('area', { polygon, box }, values, context),
  ),
];

type Context = RequestContext & { readonly header: SnapshotHeader };

/** A request; `from` is the snapshot that answers it (default: the active one). */
type Wanted = ogc.Request & { readonly from?: SnapshotAnswers | undefined };

function document(name: ogc.DocumentRequest['name']): ogc.DocumentRequest {
  return { kind: 'document', name };
}

/**
 * @param formats of files; HTML is always added.
 * @param path below `/ogc`.
 * @param id undefined for an address that is not documented.
 */
function ogcEndpoint<P extends Parameters>(
  formats: Formats,
  path: string,
  id: string | undefined,
  own: P,
  requestOf: (values: Values<P>, context: Context) => Wanted | Refusal,
): Endpoint {
  const [usual = ''] = Object.keys(formats);
  const f = optional(parameters.choice('f', [...Object.keys(formats), 'html']));
  const content = [...new Set(Object.values(formats))].map((mediaType) =>
    mediaType === CSV_TYPE ? text('text/csv') : { mediaType, schema: { type: 'object' } },
  );
  return endpoint({
    path: `${OGC_API}${path}`,
    parameters: { ...own, f },
    refusesUnknown: true,
    dependsOn: ['base-url', 'html'],
    ...(id !== undefined && {
      operation: {
        id,
        tag: 'OGC API',
        content: [...content, text('text/html')],
        ...(formats !== DOCUMENT && { headers: ['X-Record-Count'] }),
        refusals: [
          ...(['invalid_ogc', 'host_unknown', 'busy'] as const),
          ...('snapshot' in own ? (['snapshot_gone'] as const) : []),
          ...(path.includes('{') ? (['no_public_data'] as const) : []),
        ],
      },
    }),
    resolve({ f: chosen, ...values }: Values<P> & { readonly f?: string | undefined }, context) {
      const { baseUrl, state } = context;
      if (baseUrl === undefined) return refuse('host_unknown');
      const wanted = requestOf(values as Values<P>, context);
      if (wanted.kind === 'error' || wanted.kind === 'invalid') return wanted;
      const { from, ...request } = wanted;
      const format = chosen ?? (context.prefersHtml ? 'html' : usual);
      const isPage = format === 'html';
      const inputs = isPage ? state.pages.digest : format.toLowerCase();
      const { variesBy = [], ...linked } = linkVariation(state, { baseUrl, variant: inputs });
      return {
        kind: 'rendered',
        ...(isPage ? pageOf(request, context) : fileOf(request, baseUrl, format, formats[format])),
        ...linked,
        variesBy: chosen === undefined ? [...variesBy, 'Accept'] : variesBy,
        ...(from && { from }),
      };
    },
  });
}

function pageOf(
  request: ogc.Request,
  { state, baseUrl }: Context,
): Pick<JobAnswer, 'job' | 'fields'> {
  const hasArchive = typeof state.archive === 'object';
  const task = {
    view: 'ogc/ogc-view',
    state: { language: offered('en'), theme: undefined, request },
    // The layout links to other languages and themes. Without ones of the OGC API, these links lead to the documentation.
    path: '/api-docs',
    section: '/api-docs',
    ageHours: 0,
    daily: undefined,
    baseUrl,
    site: { ...state.pages.site, hasArchive, navigation: NAVIGATION },
  };
  return { job: { kind: 'render-page', task }, fields: pageFields() };
}

function fileOf(
  request: ogc.Request,
  baseUrl: string,
  format: string,
  contentType = '',
): Pick<JobAnswer, 'job' | 'fields' | 'envelope'> {
  const fields = [['Content-Type', contentType]] as const;
  if (request.kind !== 'values') {
    return { job: { kind: 'plan-ogc', task: { request, baseUrl } }, fields };
  }
  const { selection, interval, address } = request;
  if (format === 'CSV') {
    return { job: recordsJob({ selection, interval, form: 'csv' }), fields, envelope: ENVELOPE };
  }
  const form = format === 'GeoJSON' ? { GeoJSON: address } : 'CoverageJSON';
  return { job: { kind: 'plan-table', task: { selection, interval, form } }, fields };
}

/** Values of stations in the hours that overlap `datetime`, whose ends are included. */
function valuesOf(
  name: string,
  stations: Selection,
  {
    datetime: { from, to } = { from: -Infinity, to: Infinity },
    parameter_names,
    'parameter-name': names = parameter_names ?? '',
  }: Values<typeof parameters.values>,
  { state, header, query, baseUrl = '' }: Context,
): Wanted | Refusal {
  const known = state.served?.parameterCodes ?? new Set<string>();
  const unknown = known.has(names) ? undefined : listItems(names).find((code) => !known.has(code));
  if (unknown !== undefined) {
    const found = `\`parameter-name\` has the unknown code ${quotedInput(unknown)}.`;
    return { kind: 'error', code: 'invalid_ogc', found };
  }
  const parameterCodes = names === '' ? undefined : selectedCodes([names], known);
  const retained = retainedHours(header);
  return {
    kind: 'values',
    selection: { ...stations, parameterCodes },
    interval: {
      // The first hour that ends after `from`.
      from: Math.max(hourFrom(from - HOUR_MS + 1, header), retained.from),
      to: Math.min(hourFrom(to + 1, header), retained.to),
    },
    address: { collection: baseUrl + OGC_API + OBSERVATIONS, name, query },
  };
}
