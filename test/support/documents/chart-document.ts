/** A document for charts: a hostile name, gaps, a clock change, and wind directions. */
import { hourOf, snapshotDocument, type PlainDocument } from './documents.js';

const HOUR_MS = 3_600_000;
const GENERATED_AT_MS = Date.UTC(2026, 3, 5);
export const HOSTILE = `<script>alert(1)</script> "O'Hara" & ]]> =1+1 \u0001 😀`;

/** Ten days with a clock change. The first station lacks some hours, and the third has no component 1 and no rows. */
export function chartDocument(): PlainDocument {
  const stations = [HOSTILE, 'Шабац', 'Kikinda'].map((name, index) => ({
    station_id: index + 1,
    station_name: name,
    station_code: `RS${index + 1}`,
    organization_id: 1,
    network_id: 1,
    longitude: 19.2 + index,
    latitude: 44.3,
    component_ids: index === 2 ? [2] : [1, 2],
  }));
  const measurements = [1, 2].flatMap((id) =>
    Array.from({ length: 240 }, (_, index) => index + 1)
      .filter((age) => id === 2 || age < 5 || age > 8)
      .flatMap((age) => {
        const at = { station_id: id, ...hourOf(GENERATED_AT_MS - age * HOUR_MS) };
        return [
          { ...at, component_id: 1, value: Math.round(30 + 20 * Math.sin(age / 6) + 5 * id) },
          { ...at, component_id: 2, value: (age * 7 * id) % 360 },
        ];
      }),
  );
  return snapshotDocument({
    snapshot_id: 'charts',
    generated_at: new Date(GENERATED_AT_MS).toISOString(),
    components: [
      { component_id: 1, short_name: 'PM10', unit: 'ug/m3' },
      { component_id: 2, short_name: 'WD', unit: 'deg' },
    ],
    stations,
    measurements,
  });
}
