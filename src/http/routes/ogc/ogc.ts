/** OGC API - Features 1.0 and EDR 1.1 (docs/http-api/ogc.md): every query is a selection of the API. */
import type { SnapshotHeader } from '../../../snapshot/domain/model.js';
import {
  listItems,
  selectedCodes,
  type StationSelection,
} from '../../../snapshot/domain/selection.js';
import { HOUR_MS, hourFrom, retainedHours } from '../../../snapshot/domain/windows.js';
import { offered } from '../../../texts/texts.js';
import { csvLine } from '../../../views/csv.js';
import { OGC_API } from '../../../views/hvd/descriptor.js';
import { fieldNames } from '../../../views/hvd/fields.js';
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
import type { Parameter, Parameters, Refusal, Values } from '../../routing/parameter.js';
import { integer, oneOf, pathText, refusedWith } from '../../routing/parameters.js';
import { CSV_TYPE } from '../../semantics/common-headers.js';
import * as given from './parameters.js';

/** Media types by the names in `f`, the default first. */
type Formats = Readonly<Record<string, string>>;

const DOCUMENT: Formats = { json: 'application/json' };
const FEATURES: Formats = { json: 'application/geo+json', GeoJSON: 'application/geo+json' };
const VALUES: Formats = {
  CoverageJSON: 'application/prs.coverage+json',
  json: 'application/prs.coverage+json',
  GeoJSON: 'application/geo+json',
  CSV: CSV_TYPE,
};

const OBSERVATIONS = `${OGC_API}/collections/observations` as const;
const ITEMS = `${OGC_API}/collections/{collection_id}/items` as const;

/** All features of a collection, as one page. */
const ALL = {
  kind: 'features',
  box: undefined,
  times: undefined,
  limit: Number.MAX_SAFE_INTEGER,
  offset: 0,
} as const;

const { f } = given;
const { collection_id, station_id } = refusedWith('no_public_data', {
  station_id: integer('path', 28005002),
  collection_id: { ...oneOf(ogc.COLLECTIONS, 'stations'), in: 'path' as const },
});

export const OGC: readonly Endpoint[] = [
  declared(OGC_API, 'getOgcLandingPage', DOCUMENT, { f }, () => ({ kind: 'landing' })),
  declared(`${OGC_API}/`, undefined, DOCUMENT, { f }, () => ({ kind: 'landing' })),
  declared(`${OGC_API}/conformance`, 'getOgcConformance', DOCUMENT, { f }, () => ({
    kind: 'conformance',
  })),
  declared(`${OGC_API}/collections`, 'listOgcCollections', DOCUMENT, { f }, () => ({
    kind: 'collections',
  })),
  declared(
    `${OGC_API}/collections/{collection_id}`,
    'getOgcCollection',
    DOCUMENT,
    { collection_id, f },
    ({ collection_id: collection }) => ({ kind: 'collection', collection }),
  ),
  declared(
    ITEMS,
    'listOgcFeatures',
    FEATURES,
    { collection_id, ...given.features, f: given.featuresF },
    (values, { query, state: { served, former } }) => {
      const { collection_id: collection, snapshot, bbox: box, datetime: times } = values;
      const limit = Math.min(values.limit ?? given.LIMIT, given.LIMIT_MAX);
      const from = [served, ...former].find((one) => one?.snapshot.snapshotId === snapshot);
      if (snapshot !== undefined && from === undefined) return refuse('snapshot_gone');
      const page = { box, times, limit, offset: values.offset ?? 0 };
      return { kind: 'features', collection, ...page, query, from };
    },
  ),
  declared(
    `${ITEMS}/{feature_id}`,
    'getOgcFeature',
    FEATURES,
    { collection_id, feature_id: { ...pathText(), example: '28005002' }, f: given.featuresF },
    ({ collection_id: collection, feature_id: featureId }, { query }) => ({
      ...ALL,
      collection,
      featureId,
      query,
    }),
  ),
  declared(
    `${OBSERVATIONS}/locations`,
    'listOgcLocations',
    FEATURES,
    { bbox: given.bbox, datetime: given.datetime, f: given.featuresF },
    ({ bbox: box, datetime: times }, { query }) => ({
      ...ALL,
      collection: 'locations',
      box,
      times,
      query,
    }),
  ),
  declared(
    `${OBSERVATIONS}/locations/{station_id}`,
    'getOgcLocation',
    VALUES,
    { station_id, ...given.values },
    ({ station_id: id, ...values }, context) =>
      context.state.served?.stations.has(id) === true
        ? valuesOf(`locations/${id}`, values, context, { stationIds: [id] })
        : refuse('no_public_data'),
  ),
  declared(
    `${OBSERVATIONS}/position`,
    'getOgcPosition',
    VALUES,
    { coords: given.point, ...given.values },
    ({ coords, ...values }, context) => valuesOf('position', values, context, {}, coords),
  ),
  declared(
    `${OBSERVATIONS}/radius`,
    'getOgcRadius',
    VALUES,
    { ...given.circle, ...given.values },
    ({ coords, within, 'within-units': unit, ...values }, context) => {
      const circle = { ...coords, radiusM: within * given.METRES[unit] };
      return valuesOf('radius', values, context, { circle });
    },
  ),
  declared(
    `${OBSERVATIONS}/area`,
    'getOgcArea',
    VALUES,
    { coords: given.polygon, bbox: given.bbox, ...given.values },
    ({ coords: polygon, bbox: box, ...values }, context) =>
      polygon === undefined && box === undefined
        ? { kind: 'error', code: 'invalid_ogc', found: '`coords` is missing.' }
        : valuesOf('area', values, context, { polygon, box }),
  ),
];

type Context = RequestContext & { readonly header: SnapshotHeader };
type WithFormat = Parameters & { readonly f: Parameter<string | undefined> };

/** A request, and its snapshot; default: the active one. */
type Wanted = ogc.Request & { readonly from?: SnapshotAnswers | undefined };

/** @param id undefined for an address that is not documented. */
function declared<P extends WithFormat>(
  path: `/${string}`,
  id: string | undefined,
  formats: Formats,
  parameters: P,
  requestOf: (values: Values<P>, context: Context) => Wanted | Refusal,
): Endpoint {
  const [usual = ''] = Object.keys(formats);
  const content = [...new Set(Object.values(formats))].map((mediaType) =>
    mediaType === CSV_TYPE ? text('text/csv') : { mediaType, schema: { type: 'object' } },
  );
  return endpoint({
    path,
    parameters,
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
          ...('snapshot' in parameters ? (['snapshot_gone'] as const) : []),
          ...(path.includes('{') ? (['no_public_data'] as const) : []),
        ],
      },
    }),
    resolve(values: Values<P> & { readonly f?: string | undefined }, context: Context) {
      const { baseUrl, state } = context;
      if (baseUrl === undefined) return refuse('host_unknown');
      const wanted = requestOf(values, context);
      if (wanted.kind === 'error' || wanted.kind === 'invalid') return wanted;
      const { from, ...request } = wanted;
      const format = values.f ?? (context.prefersHtml ? 'html' : usual);
      const isPage = format === 'html';
      const inputs = isPage ? state.pages.digest : format.toLowerCase();
      const { variesBy = [], ...linked } = linkVariation(state, { baseUrl, variant: inputs });
      const contentType = formats[format] ?? '';
      return {
        kind: 'rendered',
        ...(isPage ? pageOf(request, context) : fileOf(request, { format, contentType, baseUrl })),
        ...linked,
        variesBy: values.f === undefined ? [...variesBy, 'Accept'] : variesBy,
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
    // Links to other languages and themes, which the pages of the OGC API lack, lead to the documentation.
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
  of: { readonly format: string; readonly contentType: string; readonly baseUrl: string },
): Pick<JobAnswer, 'job' | 'fields' | 'envelope'> {
  const { format, contentType, baseUrl } = of;
  const fields = [['Content-Type', contentType]] as const;
  if (request.kind !== 'values')
    return { job: { kind: 'plan-ogc', task: { request, baseUrl } }, fields };
  const { kind: _, ...values } = request;
  const form = ogc.VALUE_FORMATS.find((one) => one === format) ?? 'CoverageJSON';
  const job = { kind: 'plan-coverage', task: { ...values, form } } as const;
  if (form !== 'CSV') return { job, fields };
  return { job, fields, envelope: { head: csvLine(fieldNames('observations')), tail: () => '' } };
}

const ANY_STATION: StationSelection = {
  stationIds: undefined,
  active: undefined,
  municipality: undefined,
  stationType: undefined,
  box: undefined,
  circle: undefined,
};

/** The values of some stations; of each parameter the nearest station's, if there is a position. */
function valuesOf(
  name: string,
  {
    datetime,
    parameter_names,
    'parameter-name': names = parameter_names,
  }: Values<typeof given.values>,
  { state, header, query, baseUrl = '' }: Context,
  stations: Partial<StationSelection>,
  position?: ogc.Position,
): Wanted | Refusal {
  const known = state.served?.parameterCodes ?? new Set<string>();
  const parameterCodes = names === undefined ? undefined : selectedCodes([names], known);
  const isKnown = (name: string): boolean => known.has(name);
  if (names !== undefined && !isKnown(names) && !listItems(names).every(isKnown)) {
    return { kind: 'error', code: 'invalid_ogc', found: '`parameter-name` is not known.' };
  }
  const selection = { ...ANY_STATION, ...stations, parameterCodes };
  const retained = retainedHours(header);
  const { from, to } = datetime ?? { from: -Infinity, to: Infinity };
  // The hours that share a moment with the interval, whose ends are inside.
  const interval = {
    from: Math.max(hourFrom(from - HOUR_MS + 1, header), retained.from),
    to: Math.min(hourFrom(to + 1, header), retained.to),
  };
  const address = { collection: baseUrl + OBSERVATIONS, name, query };
  return { kind: 'values', selection, interval, position, ...address };
}
