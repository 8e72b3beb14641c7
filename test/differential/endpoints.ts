/** Paths of all endpoints of data, with words in braces for ids; `EARLIER` is the id of the snapshot before. */
const BULK = '/api/v1/bulk';
const OBSERVATIONS = '/api/v1/observations';
const BULK_OBSERVATIONS = `${BULK}/observations_hourly_preliminary_last30days`;
const STATION = '/{organizationId}/stations/{stationId}';
const PLACE = 'station_id={stationId}&component_id={componentId}';
const SERIES = `organization_id={organizationId}&${PLACE}&window={window}`;

/** Further forms of the data: tables and points of newest values, files, catalogue, spreadsheets, local days. */
const FORM_PATHS = {
  'latest-wide': `${OBSERVATIONS}/latest.csv?layout=wide`,
  'latest-geojson': `${OBSERVATIONS}/latest.geojson`,
  'bulk-stations-csv': `${BULK}/stations.csv`,
  'bulk-stations-geojson': `${BULK}/stations.geojson`,
  'bulk-parameters-csv': `${BULK}/parameters.csv`,
  'bulk-parameters-json': `${BULK}/parameters.json`,
  'bulk-readme': `${BULK}/README.md`,
  'bulk-sums': `${BULK}/SHA256SUMS`,
  index: BULK,
  catalogue: '/api/v1/dcat',
  descriptor: '/api/v1/metadata',
  'export-xlsx': `/portal/export?${SERIES}&format=xlsx`,
  'export-ods': `/portal/export?${SERIES}&format=ods`,
  days: `/portal/days.csv?${PLACE}`,
  week: '/portal/episode.csv?component_id={componentId}',
  workbook: `/portal/station.xlsx?${PLACE}`,
} as const;

export const PATHS = {
  observations: OBSERVATIONS,
  stream: `${OBSERVATIONS}/stream`,
  csv: `${OBSERVATIONS}.csv`,
  wide: `${OBSERVATIONS}.csv?layout=wide`,
  latest: `${OBSERVATIONS}/latest`,
  'latest-csv': `${OBSERVATIONS}/latest.csv`,
  'hvd-stations': '/api/v1/stations',
  'hvd-parameters': '/api/v1/parameters',
  'bulk-csv': `${BULK_OBSERVATIONS}.csv`,
  'bulk-parquet': `${BULK_OBSERVATIONS}.parquet`,
  meta: '/meta',
  organizations: '/organizations',
  networks: '/networks',
  stations: '/stations',
  components: '/components',
  'organization-stations': '/{organizationId}/stations',
  'station-meta': `${STATION}/meta`,
  'last-hour': `${STATION}/measurements/last_hour`,
  'last-24h': `${STATION}/measurements/last_24h`,
  measurements: `/measurements?${SERIES}`,
  export: `/portal/export?${SERIES}&format=csv`,
  changes: '/api/v1/changes?since=EARLIER',
  daily: '/api/v1/daily.csv',
  'daily-json': '/api/v1/daily.csv?format=json',
  monthly: '/api/v1/monthly.csv',
  'monthly-json': '/api/v1/monthly.csv?format=json',
  ...FORM_PATHS,
} as const;

export type Endpoint = keyof typeof PATHS;

export const ENDPOINTS = Object.keys(PATHS).filter((name): name is Endpoint => name in PATHS);

export const BY_PERIOD: readonly Endpoint[] = ['daily', 'daily-json', 'monthly', 'monthly-json'];

export const PERIODIC: readonly Endpoint[] = [
  'observations',
  'stream',
  'csv',
  'wide',
  ...BY_PERIOD,
];

const LATEST: readonly Endpoint[] = ['latest', 'latest-csv', 'latest-wide', 'latest-geojson'];

export const COUNTED: readonly Endpoint[] = [...PERIODIC, ...LATEST];

export const SELECTIVE: readonly Endpoint[] = [...COUNTED, 'hvd-stations', 'changes'];

/** Whether an endpoint has a further form, whose header fields are not predicted. */
export function isForm(endpoint: Endpoint): boolean {
  return endpoint in FORM_PATHS;
}
