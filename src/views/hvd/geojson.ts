/** Stations as a GeoJSON feature collection (RFC 7946). */
import { boundingBox } from './bounding-box.js';
import type { FieldValue, StationRecord } from './fields.js';

/**
 * Features in the order of `stations`; a station without coordinates has a null geometry. Elevation is a property, not
 * a third coordinate: that is a height above the ellipsoid (RFC 7946 §4), but networks state it above sea level.
 *
 * @param members further members of the collection.
 * @param propertiesOf properties of a feature; default: the record.
 */
export function renderGeoJson(
  stations: readonly StationRecord[],
  members: Readonly<Record<string, unknown>> = {},
  propertiesOf = (station: StationRecord): Readonly<Record<string, FieldValue>> => station,
): string {
  const box = boundingBox(stations);
  return JSON.stringify({
    type: 'FeatureCollection',
    ...(box && { bbox: [box.west, box.south, box.east, box.north] }),
    ...members,
    features: stations.map((station) => ({
      type: 'Feature',
      id: station.station_id,
      geometry: viewPoint(station),
      properties: propertiesOf(station),
    })),
  });
}

/** Longitude before latitude (RFC 7946 §3.1.1). */
function viewPoint({ longitude, latitude }: StationRecord): unknown {
  return longitude === null || latitude === null
    ? null
    : { type: 'Point', coordinates: [longitude, latitude] };
}
