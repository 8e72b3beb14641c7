/** The dataset descriptor, `GET /api/v1/metadata` (docs/http-api/catalogue.md, "Descriptor"). */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { RETENTION_DAYS, utcDateTime } from '../../snapshot/domain/windows.js';
import { licenseOf } from '../operator-links.js';
import { ARCHIVE_PATH } from './archive.js';
import {
  AGGREGATION_TYPE,
  AVERAGING_PERIOD,
  DATA_STATUS,
  DATASET_VERSION,
  HVD_SCHEMA_VERSION,
} from './fields.js';

/** The Implementing Regulation on high-value datasets, by its European Legislation Identifier. */
export const APPLICABLE_LEGISLATION = 'http://data.europa.eu/eli/reg_impl/2023/138/oj';

export const DESCRIPTOR_LINKS = {
  license: '/legal/license',
  terms: '/legal/terms',
  qos: '/legal/qos',
  contact: '/legal/contact',
  dataset: '/legal/dataset',
  docs: '/docs',
  redoc: '/redoc',
  openapi: '/openapi.json',
} as const;

/** A link by its relation in IANA's registry (RFC 8288), with the media type of its target. */
export type Link = readonly [relation: string, path: string, mediaType?: string];

/** Links between the descriptions of the dataset, and from the pages about it. */
export const DATASET_LINKS: readonly Link[] = [
  ['describedby', '/api/v1/metadata', 'application/json'],
  ['describedby', '/api/v1/dcat', 'application/ld+json'],
  ['describedby', '/api/v1/croissant.json', 'application/ld+json'],
  ['item', '/api/v1/bulk', 'application/json'],
  ['monitor', '/api/v1/events', 'text/event-stream'],
];

/** Links to the archive, which may be empty. */
export const DESCRIPTOR_ARCHIVE = {
  description:
    'Hourly and daily values beyond the retention window, as Parquet, as views for DuckDB and as CSV; 404 where the operator keeps no archive.',
  index: ARCHIVE_PATH,
  sql: `${ARCHIVE_PATH}.sql`,
  daily_csv: '/api/v1/daily.csv',
} as const;

/** Landing page of OGC API - Features and EDR. */
export const OGC_API = '/ogc';

export function viewDescriptor(header: SnapshotHeader): Readonly<Record<string, unknown>> {
  return {
    snapshot_schema_version: header.schemaVersion,
    hvd_schema_version: HVD_SCHEMA_VERSION,
    schema_version: HVD_SCHEMA_VERSION,
    dataset_version: DATASET_VERSION,
    snapshot_id: header.snapshotId,
    generated_at_utc: utcDateTime(header.generatedAtMs),
    retention_days: RETENTION_DAYS,
    data_status: DATA_STATUS,
    aggregation_type: AGGREGATION_TYPE,
    averaging_period: AVERAGING_PERIOD,
    supported_windows: header.supportedWindows,
    counts: header.counts,
    applicable_legislation: APPLICABLE_LEGISLATION,
    license: licenseOf(),
    links: DESCRIPTOR_LINKS,
    archive: DESCRIPTOR_ARCHIVE,
    ogc_api: OGC_API,
  };
}
