/** A document of whole months: every hour of thirty days at three stations, with values derived from hours. */
import { hourOf, snapshotDocument, type PlainDocument } from './documents.js';

const HOUR_MS = 3_600_000;
const MONTH_HOURS = 720;

/** The end of a month of 2026 in which Belgrade's clocks go forward, on 29 March. */
export const MONTH_END_MS = Date.UTC(2026, 3, 5);

/** The value of component 1 (PM10); component 2 (NO2) has 200 more. */
export function valueAt(hour: number, stationId: number): number {
  return (hour % 100) + stationId / 10;
}

export function monthDocument(snapshotId: string, endMs: number = MONTH_END_MS): PlainDocument {
  const ids = [1, 2, 3];
  const end = endMs / HOUR_MS;
  return snapshotDocument({
    snapshot_id: snapshotId,
    generated_at: new Date(endMs).toISOString(),
    components: [
      { component_id: 1, short_name: 'PM10', unit: 'ug/m3' },
      { component_id: 2, short_name: 'NO2', unit: 'ug/m3' },
    ],
    stations: ids.map((id) => ({
      station_id: id,
      station_name: `Station ${id}`,
      station_code: `RS${id}`,
      organization_id: 1,
      network_id: 1,
      longitude: 19 + id,
      latitude: 44.3,
      component_ids: [1, 2],
    })),
    measurements: ids.flatMap((id) =>
      Array.from({ length: MONTH_HOURS }, (_, age) => end - 1 - age).flatMap((hour) => {
        const at = { station_id: id, ...hourOf(hour * HOUR_MS) };
        const value = valueAt(hour, id);
        return [
          { ...at, component_id: 1, value },
          { ...at, component_id: 2, value: value + 200 },
        ];
      }),
    ),
  });
}
