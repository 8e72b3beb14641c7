/**
 * The files of the bulk bundle (`docs/http-api/files.md, "Bulk files"`), each hashed as it is written; beside a text, its gzip form.
 *
 * The two large ones are a job each, so that two threads can make them side by side; `finishBundle` adds the small
 * ones and the checksums of all. The same snapshot gives the same bytes.
 */
import { join } from 'node:path';
import type { Snapshot } from '../../../snapshot/domain/model.js';
import { utcDateTime } from '../../../snapshot/domain/windows.js';
import { storedName } from '../../../snapshot/local/keys.js';
import { renderCsv } from '../../../views/csv.js';
import type { BulkFileName } from '../../../views/hvd/bulk.js';
import { fieldsOf } from '../../../views/hvd/fields.js';
import { renderGeoJson } from '../../../views/hvd/geojson.js';
import { viewHvdParameters, viewHvdStations } from '../../../views/hvd/records.js';
import { licenseOf } from '../../../views/operator.js';
import { MIN_GZIP_BYTES } from '../../formats/answers.js';
import { GzipCopy } from '../../formats/gzip-copy.js';
import { writeHashedFile } from '../../formats/hashed-file.js';
import { observationsCsv } from '../../formats/observations-csv.js';
import { observationsParquet } from '../../formats/parquet/observations-parquet.js';
import { inObservationOrder } from '../../../snapshot/domain/observation-order.js';
import type { ObservationsFileTask, WrittenFile } from '../../messages.js';

/**
 * Writes the observations in one format into the bundle's directory.
 *
 * @throws {SnapshotError} `disk_full`.
 */
export function buildObservationsFile(task: ObservationsFileTask): WrittenFile {
  const { header, observations } = task;
  const series = inObservationOrder(observations.series, task.components);
  const content = { header, observations, series };
  const name = `observations_hourly_preliminary_last30days.${task.format}` as const;
  switch (task.format) {
    case 'csv':
      return writeText(task.directory, name, observationsCsv(content));
    case 'parquet': {
      const metadata = {
        snapshot_id: header.snapshotId,
        generated_at_utc: utcDateTime(header.generatedAtMs),
        license: licenseOf().name,
      };
      const chunks = observationsParquet({ ...content, metadata });
      return { name, ...writeHashedFile(join(task.directory, name), chunks), gzip: undefined };
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
  readonly observations: readonly WrittenFile[];
  readonly readme: string;
}): readonly WrittenFile[] {
  const { directory, snapshot, observations, readme } = bundle;
  const stations = viewHvdStations(snapshot.stations, snapshot);
  const parameters = viewHvdParameters(snapshot.components);
  const write = (name: BulkFileName, text: string): WrittenFile =>
    writeText(directory, name, [Buffer.from(text)]);
  const resources = [
    write('stations.csv', renderCsv(fieldsOf('stations'), stations)),
    write('stations.geojson', renderGeoJson(stations)),
    write('parameters.csv', renderCsv(fieldsOf('parameters'), parameters)),
    write('parameters.json', JSON.stringify(parameters)),
    ...observations,
    write('README.md', readme),
  ];
  resources.push(write('SHA256SUMS', renderChecksums(resources)));
  return resources;
}

/** Two blanks before the name, as `sha256sum -c` wants it. */
function renderChecksums(resources: readonly WrittenFile[]): string {
  return resources.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
}

/** A text, and beside it its gzip form where that is smaller: under `storedName(name, 'gzip')`. */
function writeText(
  directory: string,
  name: BulkFileName,
  chunks: Iterable<Uint8Array>,
): WrittenFile {
  const copy = new GzipCopy();
  const identity = writeHashedFile(join(directory, name), copy.passing(chunks));
  const compressed = copy.finish();
  const gzipBytes = compressed.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const gains = identity.sizeBytes >= MIN_GZIP_BYTES && gzipBytes < identity.sizeBytes;
  const gzip = gains
    ? writeHashedFile(join(directory, storedName(name, 'gzip')), compressed)
    : undefined;
  return { name, ...identity, gzip };
}
