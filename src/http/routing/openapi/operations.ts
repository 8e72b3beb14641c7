/** What the OpenAPI document says of each operation, in words; the rest of it is in the table of routes. */
import type { AnswerExample } from '../../../views/openapi/places.js';

export const TAGS = {
  Metadata: 'What the snapshot holds: organizations, networks, stations, components.',
  Measurements:
    'Hourly means of single stations, in fixed windows that end when the snapshot was made.',
  'HVD data':
    'The high-value dataset: stations, parameters and preliminary hourly observations of the last 30 days.',
  'HVD files': 'The same dataset as files, each with its checksum.',
  'HVD catalogue': 'What the dataset is, for harvesters and for people.',
  Pages: 'For people: HTML in Serbian (both scripts) and English, light and dark.',
  Service: 'The state of the service, and this document.',
} as const;

export type OperationId =
  | AnswerExample
  | PageOperation
  | 'exportSeries'
  | 'getBulkFile'
  | 'redirectToCatalog'
  | 'getOpenApi';

/** Pages for people: no example of them would be short. */
export type PageOperation =
  | 'getPortal'
  | 'getStationModal'
  | 'getMap'
  | 'getApiDocumentation'
  | 'getSwaggerUi'
  | 'getRedoc'
  | 'getLicense'
  | 'getTermsOfUse'
  | 'getQualityOfService'
  | 'getContact'
  | 'getDatasetDescription';

interface Operation {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** CommonMark. */
  readonly description: string;
}

export const OPERATIONS = {
  getManifest: {
    tag: 'Metadata',
    summary: 'The active snapshot',
    description:
      'Its identifier, when it was made, which windows it has and how much it holds. Small: ask for it first, ' +
      'and for the data when it has changed.',
  },
  listOrganizations: {
    tag: 'Metadata',
    summary: 'All organizations',
    description: 'Ascending by `organization_id`. The operator may add members.',
  },
  listNetworks: {
    tag: 'Metadata',
    summary: 'All networks',
    description: 'Ascending by `network_id`. The operator may add members.',
  },
  listStations: {
    tag: 'Metadata',
    summary: 'All public stations',
    description: 'Of all organizations and networks, ascending by `station_id`.',
  },
  listComponents: {
    tag: 'Metadata',
    summary: 'All public components',
    description: 'Pollutants and meteorological quantities, ascending by `component_id`.',
  },
  listOrganizationStations: {
    tag: 'Metadata',
    summary: "One organization's stations",
    description: 'Its public stations, ascending by `station_id`; 404 if it has none.',
  },
  getStationMetadata: {
    tag: 'Metadata',
    summary: 'One station with its components',
    description: 'Its public components ascend by `component_id`, whether or not they have values.',
  },
  getLastHour: {
    tag: 'Measurements',
    summary: "A station's most recent hour",
    description:
      'The newest of the 24 hours before `generated_at` that has a value, with every public component that has ' +
      'one; 404 if there is no such hour.',
  },
  getLast24Hours: {
    tag: 'Measurements',
    summary: "A station's last 24 hours",
    description:
      'The hours from 24 hours before `generated_at` up to, but not including, it that have a value, ascending; ' +
      '404 if there are none.',
  },
  getMeasurements: {
    tag: 'Measurements',
    summary: 'One series in one window',
    description:
      'Points of one component of one station, ascending by time. A window ends before `generated_at`; `1h` is ' +
      "the station's most recent hour. Hours without a value are left out; without any point the answer is 404.",
  },
  exportSeries: {
    tag: 'Measurements',
    summary: 'One series as a file',
    description:
      'The points of `/measurements` for people who work with spreadsheets: one row each, ascending by time, with the ' +
      'names of station, network and organization beside their identifiers. `value` has two decimal places. CSV is UTF-8 ' +
      'with CRLF line ends (RFC 4180); in the other two, numbers are numbers and all else is text.',
  },
  getDatasetDescriptor: {
    tag: 'HVD catalogue',
    summary: 'The dataset in brief',
    description: 'Versions, status, retention, licence, legislation, and where to read more.',
  },
  listHvdStations: {
    tag: 'HVD data',
    summary: 'Stations',
    description:
      'Public stations, ascending by the number in `station_id`, that pass all given filters. Every field is ' +
      'always present, null where it is not known.',
  },
  listHvdParameters: {
    tag: 'HVD data',
    summary: 'Parameters',
    description:
      'Ascending by `parameter_code`. Every field is always present, null where it is not known.',
  },
  listObservations: {
    tag: 'HVD data',
    summary: 'Observations',
    description:
      'Hourly means that pass all given filters, ordered by the number in `station_id`, then by `parameter_code` ' +
      'and time; without a filter all of them, some 33 MB for a small network: ask for gzip. The window is ' +
      'half-open, `from` <= `time_start_utc` < `to`, and clipped to the retention window, the 30 days before ' +
      '`generated_at`; `meta` says what was asked for and what was answered. A window of which nothing is left ' +
      'gives an empty list with `out_of_retention_window` true. `value` is null where the measurement is ' +
      'unavailable for the hour.',
  },
  streamObservations: {
    tag: 'HVD data',
    summary: 'Observations, line by line',
    description:
      'The records of `/api/v1/observations` as newline-delimited JSON: the first line is `{"meta": {...}}`, each ' +
      'later line one record, in the order that `record_order` names. With an empty result only the first line. ' +
      'The length is stated beforehand and a failure resets the connection, so a stream that ends cleanly is whole.',
  },
  listLatestObservations: {
    tag: 'HVD data',
    summary: 'The newest value of every series',
    description:
      'For each station and parameter the newest observation in the retention window whose value is not null, in ' +
      'the order and the form of `/api/v1/observations`.',
  },
  getBulkIndex: {
    tag: 'HVD files',
    summary: 'The index of files',
    description: 'Every file of the bundle with its size, checksum and path.',
  },
  getBulkFile: {
    tag: 'HVD files',
    summary: 'One file',
    description:
      'Stations, parameters or all observations; `README.md` holds the data dictionary, `SHA256SUMS` is for ' +
      '`sha256sum -c`. CSV is UTF-8 with CRLF line ends and empty cells for null (RFC 4180). A part is had with ' +
      '`Range` (one range; several give the whole file), safely with `If-Range`: readers of remote Parquet files ' +
      'read only what they need. Files are never compressed on the way.',
  },
  getCatalog: {
    tag: 'HVD catalogue',
    summary: 'The DCAT-AP catalogue',
    description:
      'JSON-LD by the profile DCAT-AP HVD 2.2.0, for harvesters. All links are absolute.',
  },
  redirectToCatalog: {
    tag: 'HVD catalogue',
    summary: 'Where harvesters look for a catalogue',
    description: 'Leads to `/api/v1/dcat`, for good.',
  },
  getDataDictionary: {
    tag: 'HVD catalogue',
    summary: 'The data dictionary',
    description:
      'Every field of the three components, explained in one of three languages. Needs no snapshot.',
  },
  getPortal: {
    tag: 'Pages',
    summary: 'The portal',
    description:
      'A map and a table of the stations with the latest values of one component, and the panel of one station. Never an ' +
      'error: a value that is not known counts as none.',
  },
  getStationModal: {
    tag: 'Pages',
    summary: "One station's panel",
    description:
      'The part of the portal that a script opens in a dialog; empty and closed without a station.',
  },
  getMap: {
    tag: 'Pages',
    summary: 'The map under the stations',
    description:
      'Land, borders and water around the stations of the network, as an image in the colours of one theme.',
  },
  getApiDocumentation: {
    tag: 'Pages',
    summary: 'Documentation of the API',
    description: 'This document, to be read and tried, with an introduction.',
  },
  getSwaggerUi: {
    tag: 'Pages',
    summary: 'This document in Swagger UI',
    description: 'To be read and tried.',
  },
  getRedoc: { tag: 'Pages', summary: 'This document in Redoc', description: 'To be read.' },
  getLicense: {
    tag: 'Pages',
    summary: 'Licence',
    description: 'Under which law the data may be reused, and how their source is named.',
  },
  getTermsOfUse: {
    tag: 'Pages',
    summary: 'Terms of use',
    description: 'What the data are, and what they are not meant for.',
  },
  getQualityOfService: {
    tag: 'Pages',
    summary: 'Quality of service',
    description: 'Availability, maintenance, how often data are refreshed.',
  },
  getContact: { tag: 'Pages', summary: 'Contact', description: 'Who answers questions.' },
  getDatasetDescription: {
    tag: 'Pages',
    summary: 'About the dataset',
    description: 'What it holds, for how long, and where it is had.',
  },
  getLiveness: {
    tag: 'Service',
    summary: 'Is the process alive?',
    description: 'Always 200 while it runs.',
  },
  getReadiness: {
    tag: 'Service',
    summary: 'Are data served?',
    description:
      '503 without a snapshot that can be served, with the reason. While a local copy is served and the store ' +
      'cannot be reached, it is 200 and `store` says so.',
  },
  getOpenApi: {
    tag: 'Service',
    summary: 'This document',
    description:
      'OpenAPI 3.1, made from the table of routes that answers them, with examples from the active snapshot; ' +
      'without a snapshot the same without examples.',
  },
} as const satisfies Readonly<Record<OperationId, Operation>>;

export const INTRODUCTION = `
Hourly means of air quality and weather, and the EU high-value dataset made from them. Open data: no registration, no keys,
no cookies, any origin.

**Snapshots.** All data come from one immutable snapshot; a new one takes its place at once, daily or more often. Every
answer is wholly made from one snapshot, which \`X-Snapshot-Id\` names. Windows end at its \`generated_at\`, not at the
time of the request. Data are preliminary and kept for 30 days.

**Methods.** \`HEAD\` is answered wherever \`GET\` is, with the same header fields and no body. \`OPTIONS\` is answered with
204, \`Allow\` and the fields of CORS. Any other method gets 405.

**Caching.** Answers have an \`ETag\` and mostly \`Last-Modified\`: send them back in \`If-None-Match\` or
\`If-Modified-Since\` and get 304 while nothing has changed. Answers are compressed with gzip where \`Accept-Encoding\` allows it.

**Parameters.** Unknown ones are ignored, of a repeated one the last counts, and a blank optional one is as good as none.
Text is trimmed. Integers are plain decimal digits, \`^(0|-?[1-9]\\d*)$\`: no sign but \`-\`, no leading zero, no exponent.
Booleans are \`true\`, \`false\`, \`1\` or \`0\`, in any case.

**Values.** Date-times are \`YYYY-MM-DDTHH:MM:SSZ\`. Hours are UTC and named by their start. Numbers keep every digit that
they came with, units and codes are served as the operator writes them. A field of the high-value dataset that is not known
is null; a member of the first API is left out.

**Errors** are JSON with a \`detail\`: a text, or for 422 a list of problems. None may be cached. A request that is not proper
HTTP gets 400, 431 or 505 whatever its path.
`.trim();
