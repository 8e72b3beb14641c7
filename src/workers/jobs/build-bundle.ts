/**
 * The files of the bulk bundle (contract §6, "Bulk files"), each hashed as it is written.
 *
 * The two large ones are a job each, so that two threads can make them side by side; `finishBundle` adds the small
 * ones, whose texts it is given, and the checksums of all. The same snapshot gives the same bytes.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { inObservationOrder } from '../../snapshot/observation-order.js';
import { utcDateTime } from '../../snapshot/windows.js';
import { writeHashedFile } from '../formats/hashed-file.js';
import { observationsCsv } from '../formats/observations-csv.js';
import { observationsParquet } from '../formats/observations-parquet.js';
import type { BundleEntry, ObservationsFileTask, ObservationsFormat } from '../messages.js';

type FileKind = Pick<BundleEntry, 'name' | 'format' | 'content_type'>;

const OBSERVATIONS = 'observations_hourly_preliminary_last30days';
const CSV = { format: 'csv', content_type: 'text/csv; charset=utf-8' } as const;

/** The two that take a job. */
const OBSERVATION_FILES = {
  csv: { name: `${OBSERVATIONS}.csv`, ...CSV },
  parquet: {
    name: `${OBSERVATIONS}.parquet`,
    format: 'parquet',
    content_type: 'application/vnd.apache.parquet',
  },
} as const satisfies Record<ObservationsFormat, FileKind>;

/** Before and after those in the index. */
const TABLE_FILES = [
  { name: 'stations.csv', ...CSV },
  { name: 'stations.geojson', format: 'geojson', content_type: 'application/geo+json' },
  { name: 'parameters.csv', ...CSV },
  { name: 'parameters.json', format: 'json', content_type: 'application/json' },
] as const satisfies readonly FileKind[];
const README = {
  name: 'README.md',
  format: 'markdown',
  content_type: 'text/markdown; charset=utf-8',
} as const satisfies FileKind;
const CHECKSUMS = {
  name: 'SHA256SUMS',
  format: 'text',
  content_type: 'text/plain; charset=utf-8',
} as const satisfies FileKind;

/** The texts of the small files, finished, by name. */
export type BundleTexts = Readonly<
  Record<(typeof TABLE_FILES)[number]['name'] | (typeof README)['name'], string>
>;

/**
 * Writes the observations in one format into the bundle's directory.
 *
 * @throws {SnapshotError} `disk_full`.
 */
export function buildObservationsFile(task: ObservationsFileTask): BundleEntry {
  const { directory, format, header, observations } = task;
  const series = inObservationOrder(observations.series, task.components);
  const content = { header, observations, series };
  switch (format) {
    case 'csv':
      return writeEntry(directory, OBSERVATION_FILES.csv, observationsCsv(content));
    case 'parquet': {
      const metadata = {
        snapshot_id: header.snapshotId,
        generated_at_utc: utcDateTime(header.generatedAtMs),
        license: task.license,
      };
      const pieces = observationsParquet({ ...content, metadata });
      return writeEntry(directory, OBSERVATION_FILES.parquet, pieces);
    }
  }
}

/**
 * Writes the small files beside those of observations, then `SHA256SUMS`; answers the index of all eight, in its order.
 *
 * @param bundle.observations what `buildObservationsFile` answered for each format.
 * @throws {SnapshotError} `disk_full`.
 */
export function finishBundle(bundle: {
  readonly directory: string;
  readonly observations: Readonly<Record<ObservationsFormat, BundleEntry>>;
  readonly texts: BundleTexts;
}): readonly BundleEntry[] {
  const { directory, observations, texts } = bundle;
  const writeText = (file: FileKind, text: string): BundleEntry =>
    writeEntry(directory, file, [Buffer.from(text)]);
  const entries = [
    ...TABLE_FILES.map((file) => writeText(file, texts[file.name])),
    observations.csv,
    observations.parquet,
    writeText(README, texts[README.name]),
  ];
  // Two blanks before the name, as `sha256sum -c` wants it.
  const sums = entries.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
  entries.push(writeText(CHECKSUMS, sums));
  syncDirectory(directory);
  return entries;
}

function writeEntry(directory: string, file: FileKind, pieces: Iterable<Uint8Array>): BundleEntry {
  const { sizeBytes, sha256 } = writeHashedFile(join(directory, file.name), pieces);
  return { ...file, size_bytes: sizeBytes, sha256 };
}

/** Has the names on the disk too. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
