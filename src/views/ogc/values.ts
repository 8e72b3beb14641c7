/** Values as CoverageJSON (OGC 21-069r2), one coverage for a station, and as GeoJSON, one feature for a station and hour. */
import type { Component, SnapshotHeader } from '../../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { isSummed } from '../../snapshot/domain/units.js';
import type { HourTable, Place } from '../hour-table.js';
import { createDateTimeText } from '../hvd/observation.js';
import { COVERAGEJSON, GEOJSON, hrefWith, linkTo, pageLink } from './links.js';
import type { Address } from './requests.js';

interface ValuesOptions {
  /** Codes of the parameters with values, as the cells of each row are ordered. */
  readonly codes: readonly string[];
  readonly components: readonly Component[];
  readonly header: Pick<SnapshotHeader, 'generatedAtMs'>;
  readonly address: Address;
}

export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** Reference systems of longitude and latitude, and of time. */
const REFERENCING = [
  { coordinates: ['x', 'y'], system: { type: 'GeographicCRS', id: CRS84 } },
  { coordinates: ['t'], system: { type: 'TemporalRS', calendar: 'Gregorian' } },
];

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

/** A `PointSeries` for each station; those without values or coordinates are left out, since the domain needs both. */
export function viewCoverages({
  codes,
  components,
}: Pick<ValuesOptions, 'codes' | 'components'>): HourTable {
  const timeText = createDateTimeText();
  const members = {
    type: 'CoverageCollection',
    domainType: 'PointSeries',
    parameters: viewParameters(components, (text) => ({ en: text })),
    referencing: REFERENCING,
  };
  return {
    head: `${JSON.stringify(members).slice(0, -1)},"coverages":[`,
    itemsOf({ id, latitude, longitude }, rows) {
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
    },
    separator: ',',
    tail: () => ']}',
  };
}

/** A feature for each hour of a station: a property for each parameter, and the properties that EDR GeoJSON demands. */
export function viewValueFeatures({
  codes,
  components,
  header,
  address: { collection, name: path, query },
}: ValuesOptions): HourTable {
  const timeText = createDateTimeText();
  const names = codes.map((code) => `${JSON.stringify(code)}:`);
  const here = `${collection}/${path}`;
  const inFormat = (f: string): string => hrefWith(here, query, { f });
  const members = {
    type: 'FeatureCollection',
    parameters: Object.values(viewParameters(components, (text) => ({ en: text }))),
    timeStamp: utcDateTime(header.generatedAtMs),
    links: [
      linkTo(inFormat('GeoJSON'), 'self', 'GeoJSON', GEOJSON),
      pageLink(here, query),
      linkTo(inFormat('CoverageJSON'), 'alternate', 'CoverageJSON', COVERAGEJSON),
      linkTo(inFormat('CSV'), 'alternate', 'CSV', 'text/csv'),
    ],
  };
  return {
    head: `${JSON.stringify(members).slice(0, -1)},"features":[`,
    itemsOf(place, rows) {
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
    },
    separator: ',',
    tail: (count) => `],"numberMatched":${count},"numberReturned":${count}}`,
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
