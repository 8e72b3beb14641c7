/** Stores the bulk bundle at import (`docs/http-api/files.md, "Bulk files"`); equal snapshots give equal bytes. */
import type { Snapshot } from '../../../snapshot/domain/model.js';
import { OBSERVATIONS_FILE } from '../../../snapshot/domain/windows.js';
import type { CopyWriter } from '../../../snapshot/local/writer.js';
import { renderCsv } from '../../../views/csv.js';
import { BULK_FILES } from '../../../views/hvd/bulk.js';
import { renderBundleReadme } from '../../../views/hvd/bundle-readme.js';
import { fieldsOf } from '../../../views/hvd/fields.js';
import { renderGeoJson } from '../../../views/hvd/geojson.js';
import { viewHvdParameters, viewHvdStations } from '../../../views/hvd/station-records.js';
import type { RenderedParquet } from '../../messages.js';
import { writeBinary, writeText, type WrittenFile } from './bulk-file-writer.js';
import { NOBODY } from '../../../views/organization-contact.js';
import { publisherOf } from './render-hvd.js';

/**
 * Adds the files except `observations.csv`, and the index.
 *
 * @param snapshot its public part only.
 * @returns all eight files in the order of the index.
 */
export function storeBundle(
  writer: CopyWriter,
  snapshot: Snapshot,
  observations: { readonly csv: WrittenFile; readonly parquet: RenderedParquet },
): readonly WrittenFile[] {
  const { header } = snapshot;
  const stations = viewHvdStations(snapshot.stations, snapshot);
  const parameters = viewHvdParameters(snapshot.components);
  const publisher = publisherOf(snapshot) ?? NOBODY;
  const parquet = new Uint8Array(observations.parquet.parquet);
  const files = [
    writeText(writer, 'stations.csv', renderCsv(fieldsOf('stations'), stations)),
    writeText(writer, 'stations.geojson', renderGeoJson(stations)),
    writeText(writer, 'parameters.csv', renderCsv(fieldsOf('parameters'), parameters)),
    writeText(writer, 'parameters.json', JSON.stringify(parameters)),
    observations.csv,
    writeBinary(writer, `${OBSERVATIONS_FILE}.parquet`, parquet),
    writeText(writer, 'README.md', renderBundleReadme({ header, publisher })),
  ];
  // Two blanks before the name, for `sha256sum -c`.
  const checksums = files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');
  files.push(writeText(writer, 'SHA256SUMS', checksums));
  writer.putRecord(
    'bundle',
    files.map((file) => {
      const known = BULK_FILES.find(({ name }) => name === file.name);
      return { ...file, contentType: known?.contentType ?? 'application/octet-stream' };
    }),
  );
  return files;
}
