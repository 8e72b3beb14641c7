/** A document for the portal: hostile names, stations that lack hours, and current data. */
import { readFileSync } from 'node:fs';
import { hourOf, snapshotDocument, type PlainDocument } from './documents.js';

const HOUR_MS = 3_600_000;

/** The current hour, so that no value is old. */
const GENERATED_AT_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

/** Names of the stations, whose ids are 1, 2 and so on. */
export const NAMES = JSON.parse(
  readFileSync('test/fixtures/cases/station-names.json', 'utf8'),
) as readonly string[];

/**
 * A week of twelve stations in the north of Serbia; each lacks some hours, the last one all. The second station has no
 * temperature in the last 30 hours.
 */
export function portalDocument(): PlainDocument {
  const stations = NAMES.map((name, index) => ({
    station_id: index + 1,
    station_name: name,
    station_code: `RS${index + 1}`,
    organization_id: 1,
    network_id: 1,
    municipality: index % 2 === 0 ? 'Novi Sad' : 'Вршац',
    longitude: 19.2 + (index % 4) * 0.6,
    latitude: 44.3 + Math.floor(index / 4) * 0.7,
    station_type: 'urban',
    component_ids: [1, 2, 3],
  }));
  const measurements = stations.slice(0, -1).flatMap(({ station_id: id }) =>
    Array.from({ length: 168 }, (_, age) => age + 1)
      .filter((age) => age % 29 !== id)
      .flatMap((age) => {
        const at = { station_id: id, ...hourOf(GENERATED_AT_MS - age * HOUR_MS) };
        const wave = Math.sin(age / 6);
        return [
          { ...at, component_id: 1, value: Math.round(30 + 20 * wave + 5 * id) },
          { ...at, component_id: 2, value: Number((10 + 8 * wave + id / 2).toFixed(1)) },
          ...(id === 2 && age <= 30
            ? []
            : [{ ...at, component_id: 3, value: Number((5 * wave - 2).toFixed(1)) }]),
        ];
      }),
  );
  return snapshotDocument({
    generated_at: new Date(GENERATED_AT_MS).toISOString(),
    components: [
      { component_id: 1, short_name: 'PM10', unit: 'ug.m-3' },
      { component_id: 2, short_name: 'NO2', unit: 'ug/m3' },
      { component_id: 3, short_name: 'TEMP', unit: 'Cel' },
    ],
    stations,
    measurements,
  });
}
