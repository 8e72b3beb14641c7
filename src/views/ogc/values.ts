/** Values as CoverageJSON (OGC 21-069r2) and as GeoJSON: a coverage a station, a feature a station and hour. */
import type { Component, SnapshotHeader } from '../../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { isSummed } from '../../snapshot/domain/units.js';
import { createDateTimeText } from '../hvd/observation.js';
import { GEOJSON, hrefWith, pageLink, type Link } from './links.js';
import type { Values } from './requests.js';

/** A station of a snapshot; coordinates are WGS84 decimal degrees. */
export interface Place {
  readonly id: number;
  readonly name: string;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

/** An hour since the epoch, and the value of each parameter; NaN without one. */
type Row = readonly [hour: number, cells: Float64Array];
type Address = Pick<Values, 'collection' | 'name' | 'query'>;
type TextsOf = (place: Place, rows: readonly Row[]) => readonly string[];

export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** Reference systems of longitude and latitude, and of time. */
const REFERENCING = [
  { coordinates: ['x', 'y'], system: { type: 'GeographicCRS', id: CRS84 } },
  { coordinates: ['t'], system: { type: 'TemporalRS', calendar: 'Gregorian' } },
];

/** The text around coverages or features. @param components those with values. */
export function viewEnvelope(
  form: 'CoverageJSON' | 'GeoJSON',
  components: readonly Component[],
  { generatedAtMs, ...address }: Pick<SnapshotHeader, 'generatedAtMs'> & Address,
) {
  const parameters = viewParameters(components, (text) => ({ en: text }));
  const isCoverage = form === 'CoverageJSON';
  const members = isCoverage
    ? {
        type: 'CoverageCollection',
        domainType: 'PointSeries',
        parameters,
        referencing: REFERENCING,
      }
    : {
        type: 'FeatureCollection',
        parameters: Object.values(parameters),
        timeStamp: utcDateTime(generatedAtMs),
        links: viewLinks(address),
      };
  const counted = (count: number) => `"numberMatched":${count},"numberReturned":${count}`;
  return {
    head: `${JSON.stringify(members).slice(0, -1)},"${isCoverage ? 'coverages' : 'features'}":[`,
    tail: (count: number) => (isCoverage ? ']}' : `],${counted(count)}}`),
  };
}

/** The answer itself, and the same values in other formats. */
function viewLinks({ collection, name, query }: Address): readonly Link[] {
  const here = `${collection}/${name}`;
  const linkTo = (f: string, type: string, rel = 'alternate'): Link => {
    return { href: hrefWith(here, query, { f }), rel, type, title: f };
  };
  return [
    linkTo('GeoJSON', GEOJSON, 'self'),
    pageLink(here, query),
    linkTo('CoverageJSON', 'application/prs.coverage+json'),
    linkTo('CSV', 'text/csv'),
  ];
}

/** Parameters by code, for a collection or a coverage. @param text writes a text, in one language. */
export function viewParameters(
  components: readonly Component[],
  text: (english: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    components.map(({ shortName, parameterName, description, unit }) => [
      shortName,
      {
        type: 'Parameter',
        id: shortName,
        description: text(description ?? parameterName ?? shortName),
        unit: { label: text(unit), symbol: unit },
        observedProperty: { id: shortName, label: text(parameterName ?? shortName) },
        measurementType: { method: isSummed({ unit }) ? 'sum' : 'mean', duration: 'PT1H' },
      },
    ]),
  );
}

export function createValueTexts(
  form: 'CoverageJSON' | 'GeoJSON',
  codes: readonly string[],
  address: Address,
): TextsOf {
  return form === 'CoverageJSON' ? createCoverage(codes) : createFeatures(codes, address);
}

/** Makes a `PointSeries` of a station; none without values, or without coordinates, which its domain needs. */
function createCoverage(codes: readonly string[]): TextsOf {
  const timeText = createDateTimeText();
  return ({ id, latitude, longitude }, rows) => {
    if (latitude === undefined || longitude === undefined) return [];
    const times = rows.map(([hour]) => `"${timeText(hour * HOUR_MS)}"`).join(',');
    const head = `{"type":"NdArray","dataType":"float","axisNames":["t"],"shape":[${rows.length}],"values":[`;
    const ranges = codes.flatMap((code, at) => {
      const values = rows.map(([, cells]) => cells[at] ?? NaN);
      if (values.every(Number.isNaN)) return [];
      return `${JSON.stringify(code)}:${head}${values.map(numberText).join(',')}]}`;
    });
    if (ranges.length === 0) return [];
    const axes = `{"x":{"values":[${longitude}]},"y":{"values":[${latitude}]},"t":{"values":[${times}]}}`;
    const domain = `{"type":"Domain","domainType":"PointSeries","axes":${axes}}`;
    return [`{"type":"Coverage","id":"${id}","domain":${domain},"ranges":{${ranges.join(',')}}}`];
  };
}

/** Makes a feature of each hour of a station, with a property for each parameter, and those of EDR GeoJSON. */
function createFeatures(codes: readonly string[], { collection }: Address): TextsOf {
  const timeText = createDateTimeText();
  const names = codes.map((code) => `${JSON.stringify(code)}:`);
  return (place, rows) => {
    const { id, name } = place;
    const geometry = geometryText(place);
    const own = `"station_id":"${id}","station_name":${JSON.stringify(name)}`;
    const isMeasured = (_: string, at: number) =>
      rows.some(([, cells]) => !Number.isNaN(cells[at]));
    const described = JSON.stringify({
      label: name,
      'parameter-name': codes.filter(isMeasured),
      edrqueryendpoint: `${collection}/locations/${id}`,
    });
    return rows.map(([hour, cells]) => {
      const time = timeText(hour * HOUR_MS);
      const values = names.map((member, at) => member + numberText(cells[at] ?? NaN)).join(',');
      const properties = `{${own},"datetime":"${time}",${values},${described.slice(1)}`;
      return `{"type":"Feature","id":"${id}:${time}","geometry":${geometry},"properties":${properties}}`;
    });
  };
}

function numberText(value: number): string {
  return Number.isNaN(value) ? 'null' : `${value}`;
}

/** A point, longitude before latitude (RFC 7946 §3.1.1); null without coordinates. */
export function geometryText(place: Place | undefined): string {
  if (place?.longitude === undefined || place.latitude === undefined) return 'null';
  return `{"type":"Point","coordinates":[${place.longitude},${place.latitude}]}`;
}
