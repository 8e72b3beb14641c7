/** Endpoints of further forms, and clocks. */
const BULK = '/api/v1/bulk';

/** Paths of the same data in further forms: tables and points of newest values, files, catalogue, local days. */
export const FORM_PATHS = {
  'latest-wide': '/api/v1/observations/latest.csv',
  'latest-geojson': '/api/v1/observations/latest.geojson',
  'bulk-stations-csv': `${BULK}/stations.csv`,
  'bulk-stations-geojson': `${BULK}/stations.geojson`,
  'bulk-parameters-csv': `${BULK}/parameters.csv`,
  'bulk-parameters-json': `${BULK}/parameters.json`,
  'bulk-readme': `${BULK}/README.md`,
  'bulk-sums': `${BULK}/SHA256SUMS`,
  index: BULK,
  catalogue: '/api/v1/dcat',
  descriptor: '/api/v1/metadata',
  'export-xlsx': '/portal/export',
  'export-ods': '/portal/export',
  days: '/portal/days.csv',
  week: '/portal/episode.csv',
  workbook: '/portal/station.xlsx',
} as const;

type FormEndpoint = keyof typeof FORM_PATHS;

export const FORM_ENDPOINTS = Object.keys(FORM_PATHS).filter(isForm);

export function isForm(endpoint: string): endpoint is FormEndpoint {
  return endpoint in FORM_PATHS;
}

/** Clocks that change at different hours, by half an hour, at midnight, in the southern spring, or never. */
export const TIME_ZONES = [
  'Europe/Belgrade',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'Pacific/Chatham',
  'Asia/Kathmandu',
  'UTC',
] as const;
