/** The files of the bulk bundle, and their index (docs/http-api/files.md, "Bulk files"). */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { OBSERVATIONS_FILE, utcDateTime } from '../../snapshot/domain/windows.js';

export const BULK_FILES = [
  { name: 'stations.csv', format: 'csv', contentType: 'text/csv; charset=utf-8' },
  { name: 'stations.geojson', format: 'geojson', contentType: 'application/geo+json' },
  { name: 'parameters.csv', format: 'csv', contentType: 'text/csv; charset=utf-8' },
  { name: 'parameters.json', format: 'json', contentType: 'application/json' },
  { name: `${OBSERVATIONS_FILE}.csv`, format: 'csv', contentType: 'text/csv; charset=utf-8' },
  {
    name: `${OBSERVATIONS_FILE}.parquet`,
    format: 'parquet',
    contentType: 'application/vnd.apache.parquet',
  },
  { name: 'README.md', format: 'markdown', contentType: 'text/markdown; charset=utf-8' },
  { name: 'SHA256SUMS', format: 'sha256', contentType: 'text/plain; charset=utf-8' },
] as const;

export type BulkFileName = (typeof BULK_FILES)[number]['name'];
export type BulkFormat = (typeof BULK_FILES)[number]['format'];

export interface BulkResource {
  readonly name: BulkFileName;
  readonly sizeBytes: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

/** `GET /api/v1/bulk`: files in the order of `BULK_FILES`, without missing ones. */
export function viewBulkIndex(header: SnapshotHeader, resources: readonly BulkResource[]) {
  const finished = new Map(resources.map((resource) => [resource.name, resource]));
  return {
    snapshot_id: header.snapshotId,
    generated_at_utc: utcDateTime(header.generatedAtMs),
    resources: BULK_FILES.flatMap(({ name, format, contentType }) => {
      const resource = finished.get(name);
      if (resource === undefined) return [];
      return {
        name,
        format,
        content_type: contentType,
        size_bytes: resource.sizeBytes,
        sha256: resource.sha256,
        download_url: `/api/v1/bulk/${name}`,
      };
    }),
  };
}
