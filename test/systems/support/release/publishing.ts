/** An export with `bura.sql`, and the commands that make an archive of it, for tests of publishers' installations. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SCRIPT = `
CREATE VIEW stations AS SELECT 'A' AS station_code, 'Alpha' AS station_name, 44.8 AS latitude, 20.4 AS longitude;
CREATE VIEW components AS SELECT 'NO2' AS short_name, 'µg/m³' AS unit;
CREATE VIEW measurements AS
SELECT 'A' AS station_code, 'NO2' AS short_name, hour AS time_start_utc, no2 AS value
FROM read_csv('values.csv', header = true, columns = {'hour': 'TIMESTAMP', 'no2': 'DOUBLE'});
`;

/** Rows of the export. */
export const ROWS = 24;

/** Writes the export into a new folder. */
export async function writeExport(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'bura.sql'), SCRIPT);
  const rows = Array.from({ length: ROWS }, (_, hour) => `2026-03-01 ${hour}:00:00,${hour / 4}\n`);
  await writeFile(join(folder, 'values.csv'), ['hour,no2\n', ...rows]);
}

/** Parameters of each command, in the order of the commands; the document is written to `work`. */
export function publishingCommands({
  from,
  work,
}: {
  readonly from: string;
  readonly work: string;
}): readonly (readonly string[])[] {
  const out = join(work, 'snapshot.json.gz');
  const names = ['--organization-name', 'Agency', '--organization-short-name', 'AG'];
  return [
    ['build', '--from', from, '--out', out, '--snapshot-id', 'exported', ...names],
    ['publish', out],
    ['archive', 'exported'],
    ['publish', out, '--archive'],
  ];
}
