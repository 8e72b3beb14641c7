/** Random valid documents (`validDocument`) with rows around the edges of all windows. */
import fc from 'fast-check';
import { validDocument, wholeDocument } from './arbitrary-documents.js';
import type { PlainDocument } from './documents.js';

const HOUR_MS = 3_600_000;

const GENERATED_AT_MS = Date.parse('2026-03-29T00:00:00Z');

const EDGES = [0, 1, 7, 14, 30].flatMap((days) => [days * 24 - 1, days * 24, days * 24 + 1]);

const hoursBefore = fc.oneof(
  fc.integer({ min: -30, max: 30 }),
  fc.integer({ min: -30, max: 760 }),
  fc.constantFrom(...EDGES),
);

const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -50, max: 500, noNaN: true }),
  fc.integer({ min: -10, max: 400 }),
);

/** A document of schema version 1.2.0, with up to four elements in each list and at least ten rows. */
export function anyDocument(): fc.Arbitrary<PlainDocument> {
  return validDocument.chain((drawn) => {
    const row = fc
      .record({
        station_id: fc.constantFrom(...drawn.stations.map((one) => Number(one['station_id']))),
        component_id: fc.constantFrom(
          ...drawn.components.map((one) => Number(one['component_id'])),
        ),
        hours: hoursBefore,
        value: fc.option(value, { freq: 4 }),
      })
      .map(({ hours, ...rest }) => {
        const at = new Date(GENERATED_AT_MS - hours * HOUR_MS).toISOString();
        return { ...rest, date: at.slice(0, 10), time: at.slice(11, 16) };
      });
    return fc
      .record({
        late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: HOUR_MS - 1 })),
        supported_windows: fc.shuffledSubarray(['1h', '1d', '7d', '14d', '30d'], { minLength: 1 }),
        measurements: fc.uniqueArray(row, {
          minLength: 10,
          maxLength: 150,
          size: 'max',
          selector: ({ station_id, component_id, date, time }) =>
            [station_id, component_id, date, time].join(),
        }),
      })
      .map(({ late, supported_windows, measurements }) =>
        wholeDocument({
          ...drawn,
          header: {
            schema_version: '1.2.0',
            snapshot_id: 'drawn',
            supported_windows,
            generated_at: new Date(GENERATED_AT_MS + late).toISOString(),
          },
          stations: drawn.stations.map(closeToZero),
          measurements,
        }),
      );
  });
}

/** The station with coordinates near zero, as a map of half the Earth takes seconds. */
function closeToZero<T extends PlainDocument>(station: T): T {
  const { latitude, longitude } = station;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return station;
  return { ...station, latitude: latitude / 90, longitude: longitude / 180 };
}
