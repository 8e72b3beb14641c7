/**
 * The files of the bulk bundle (`docs/http-api.md, "Bulk files"`), each hashed as it is written.
 *
 * The two large ones are a job each, so that two threads can make them side by side; `finishBundle` adds the small
 * ones and the checksums of all. The same snapshot gives the same bytes.
 */
import { join } from 'node:path';
import type { Snapshot } from '../../../snapshot/domain/model.js';
import { utcDateTime } from '../../../snapshot/domain/windows.js';
import { renderCsv } from '../../../views/csv.js';
import type { BulkFileName, BulkResource } from '../../../views/hvd/bulk.js';
import { LICENSE } from '../../../views/hvd/descriptor.js';
import { fieldNames } from '../../../views/hvd/fields.js';
import { renderGeoJson } from '../../../views/hvd/geojson.js';
import { viewHvdParameters } from '../../../views/hvd/parameter.js';
import { viewHvdStations } from '../../../views/hvd/station.js';
import { writeHashedFile } from '../../formats/hashed-file.js';
import { observationsCsv } from '../../formats/observations-csv.js';
import { observationsParquet } from '../../formats/parquet/observations-parquet.js';
import { inObservationOrder } from '../../../snapshot/domain/observation-order.js';
import type { ObservationsFileTask } from '../../messages.js';

/**
 * Writes the observations in one format into the bundle's directory.
 *
 * @throws {SnapshotError} `disk_full`.
 */
export function buildObservationsFile(task: ObservationsFileTask): BulkResource {
  const { header, observations } = task;
  const series = inObservationOrder(observations.series, task.components);
  const content = { header, observations, series };
  const name = `observations_hourly_preliminary_last30days.${task.format}` as const;
  switch (task.format) {
    case 'csv':
      return writeResource(task.directory, name, observationsCsv(content));
    case 'parquet': {
      const metadata = {
        snapshot_id: header.snapshotId,
        generated_at_utc: utcDateTime(header.generatedAtMs),
        license: LICENSE.name,
      };
      return writeResource(task.directory, name, observationsParquet({ ...content, metadata }));
    }
  }
}

/**
 * Writes the small files beside those of observations, then `SHA256SUMS`; answers all eight, in the order of the index.
 *
 * @param bundle.snapshot the public part of one.
 * @param bundle.observations what `buildObservationsFile` answered, CSV before Parquet.
 * @param bundle.readme the text of `README.md`.
 * @throws {SnapshotError} `disk_full`.
 */
export function finishBundle(bundle: {
  readonly directory: string;
  readonly snapshot: Snapshot;
  readonly observations: readonly BulkResource[];
  readonly readme: string;
}): readonly BulkResource[] {
  const { directory, snapshot, observations, readme } = bundle;
  const stations = viewHvdStations(snapshot.stations, snapshot);
  const parameters = viewHvdParameters(snapshot.components);
  const write = (name: BulkFileName, text: string): BulkResource =>
    writeResource(directory, name, [Buffer.from(text)]);
  const resources = [
    write('stations.csv', renderCsv(fieldNames('stations'), stations)),
    write('stations.geojson', renderGeoJson(stations)),
    write('parameters.csv', renderCsv(fieldNames('parameters'), parameters)),
    write('parameters.json', JSON.stringify(parameters)),
    ...observations,
    write('README.md', readme),
  ];
  resources.push(write('SHA256SUMS', renderChecksums(resources)));
  return resources;
}

/** Two blanks before the name, as `sha256sum -c` wants it. */
function renderChecksums(resources: readonly BulkResource[]): string {
  return resources.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
}

function writeResource(
  directory: string,
  name: BulkFileName,
  chunks: Iterable<Uint8Array>,
): BulkResource {
  return { name, ...writeHashedFile(join(directory, name), chunks) };
}
