/**
 * A running service with years of its stations in the archive: gaps, ties, amounts, and values that are hard to format.
 */
import type { Test } from 'tap';
import { objectsOf, snapshotDocument } from '../documents/documents.js';
import { serveArchive } from './serve-archive.js';

/** Components of the snapshot; the archive has all but the last one. */
export const COMPONENTS = { no2: 1, ozone: 8, xylene: 12, rain: 20, direction: 30, lead: 40 };

const components = [
  { component_id: 1, short_name: 'NO2', unit: 'ug/m3' },
  { component_id: 8, short_name: 'O3', unit: 'ug/m3' },
  { component_id: 12, short_name: 'm,p-Xylene', unit: 'ug/m3' },
  { component_id: 20, short_name: 'RAIN', unit: 'mm' },
  { component_id: 30, short_name: 'WD', unit: 'deg' },
  { component_id: 40, short_name: 'Pb', unit: 'ng/m3' },
  { component_id: 4, short_name: 'TEST', unit: 'V', public: false },
];

const OF_2025 = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}`);

/**
 * In 2026 station 1 has NO2 of one day, and station 2 hours without a value. Xylene was in ppb until noon of 1 February
 * 2025, then in two notations of one unit; two days are nearly the highest, and two nearly the lowest.
 */
const CHANGES = `
  UPDATE observations SET value = round(60 + 50 * cos(2 * pi() * dayofyear(time_start_utc) / 365) + value / 20, 1)
    WHERE parameter_code = 'NO2' AND year(time_start_utc) = 2025;
  UPDATE observations SET value = NULL WHERE parameter_code = 'NO2' AND month(time_start_utc) = 8;
  DELETE FROM observations WHERE parameter_code = 'NO2' AND time_start_utc >= '2025-09-10 05:00:00+00'
    AND time_start_utc < '2025-09-14 00:00:00+00';
  UPDATE observations SET value = 500 WHERE parameter_code = 'NO2' AND time_start_utc >= '2025-09-10 00:00:00+00'
    AND time_start_utc < '2025-09-11 00:00:00+00';
  UPDATE observations SET value = 250 WHERE parameter_code = 'NO2' AND CAST(time_start_utc AS DATE) IN ('2025-03-01', '2025-05-31');
  UPDATE observations SET value = (value - 200) / 1e6 WHERE parameter_code = 'O3';
  INSERT INTO observations SELECT * REPLACE ('RAIN' AS parameter_code, 'mm' AS unit,
      CASE WHEN hash(time_start_utc) % 9 = 0 THEN 0.3 ELSE 0 END AS value)
    FROM observations WHERE parameter_code = 'O3';
  INSERT INTO observations SELECT * REPLACE ('WD' AS parameter_code, 'deg' AS unit) FROM observations
    WHERE parameter_code = 'O3';
  UPDATE observations SET unit = CASE WHEN time_start_utc < '2025-02-01 12:00:00+00' THEN 'ppb'
      WHEN month(time_start_utc) < 6 THEN 'ug/m3' ELSE 'µg m-3' END,
    value = CASE strftime(time_start_utc, '%m-%d') WHEN '03-03' THEN 10.04 WHEN '04-02' THEN 10.01
      WHEN '05-01' THEN 30.01 WHEN '06-01' THEN 30.04
      ELSE CASE WHEN time_start_utc < '2025-02-01 12:00:00+00' THEN 900 ELSE 20 END END
    WHERE parameter_code = 'm,p-Xylene' AND year(time_start_utc) = 2025;
  DELETE FROM observations WHERE parameter_code = 'NO2' AND year(time_start_utc) = 2026 AND day(time_start_utc) <> 5;
  UPDATE observations SET value = NULL WHERE parameter_code = 'NO2' AND year(time_start_utc) = 2026 AND station_id = '2'`;

/** Serves stations 1, 2 and 7, of which the archive lacks the last; station 9 is not public. */
export async function serveYears(t: Test, options: Parameters<typeof serveArchive>[1] = {}) {
  const stations = objectsOf(snapshotDocument(), 'stations');
  const document = snapshotDocument({
    components,
    stations: stations.map((one) => ({ ...one, component_ids: Object.values(COMPONENTS) })),
  });
  const archive = { months: ['2024-02', ...OF_2025, '2026-01'], stations: 3, changes: CHANGES };
  return await serveArchive(t, options, archive, document);
}
