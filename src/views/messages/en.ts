/** Messages in English. */
import type {
  CatalogTexts,
  ComponentTexts,
  DictionaryTexts,
  Messages,
  ReadmeTexts,
} from './message-catalogue.js';
import { documentationEnglish } from './pages/en/documentation.js';
import { legalEnglish } from './pages/en/legal.js';
import { ENGLISH_LAYOUT, ENGLISH_PORTAL } from './pages/en/portal.js';
import { recipesEnglish } from './pages/en/recipes.js';

const STATIONS: ComponentTexts<'stations'> = {
  title: 'Monitoring stations',
  description:
    'Stations of the air-quality monitoring network: where they stand, what kind of site each one is, and who ' +
    'operates it. One record for every public station in the active snapshot.',
  standardSection: 'Component A: stations',
  fields: {
    station_id:
      'Unique and stable key of the station: the internal identifier, written as text. observations.station_id refers to it.',
    station_name: 'Name of the station.',
    station_code:
      'Code that the network operator gave to the station, stated so that the data can be linked to other sources.',
    latitude:
      'Latitude of the station in decimal degrees, WGS84; null if its position is not known.',
    longitude:
      'Longitude of the station in decimal degrees, WGS84; null if its position is not known.',
    municipality:
      'Municipality or city in which the station stands. The field is always present and is null if that is not known.',
    station_type:
      'Type of the station by its surroundings and the prevailing sources of pollution: traffic, urban, background, ' +
      'industrial, rural or other; null if that is not known.',
    operator:
      'Organization that is responsible for the station; currently the name of the organization that publishes the data.',
    active:
      'true if the station is in the active snapshot and in operation; false if it has been closed or is out of operation for the time being.',
    last_updated_utc:
      'When the data about the station were last updated, UTC, ISO 8601; currently the time at which the snapshot was made.',
    elevation_m: 'Height of the station above sea level in metres; null if it is not available.',
    address: 'Address or description of the location; null if it is not available.',
    start_date:
      'Date on which the station went into operation, YYYY-MM-DD; null if it is not available.',
    end_date:
      'Date on which the station went out of operation, YYYY-MM-DD; null if the station is still in operation.',
    notes: 'Remarks on the station, free text; null if there are none.',
    network_id: 'Identifier of the monitoring network that the station belongs to.',
    network_code: 'Code of the monitoring network that the station belongs to.',
  },
};

const PARAMETERS: ComponentTexts<'parameters'> = {
  title: 'Measured parameters',
  description:
    'Pollutants and meteorological parameters whose hourly means are published, with their units of measurement. ' +
    'One record for every parameter.',
  standardSection: 'Component B: parameters',
  fields: {
    parameter_code:
      'Unique and stable code of the parameter, for example PM10, PM2.5, NO2, O3 or SO2. observations.parameter_code refers to it.',
    parameter_name: 'Name of the parameter; where none is stated, the same as parameter_code.',
    unit: 'Unit of measurement in a notation that follows UCUM; the same as in the observations of the parameter.',
    averaging_period: 'Averaging period; always 1h, that is one hour.',
    cas_number:
      'CAS Registry Number of the substance; null if it is not available or the parameter is not a chemical substance.',
    description: 'Short description of the parameter, free text; null if it is not available.',
  },
};

const OBSERVATIONS: ComponentTexts<'observations'> = {
  title: 'Hourly observations',
  description:
    'Hourly means for each station and parameter over the last 30 days. The data are preliminary: they have not been ' +
    'verified and may be changed later.',
  standardSection: 'Component C: observations',
  fields: {
    station_id: 'Station at which the value was measured; the same as stations.station_id.',
    parameter_code: 'Parameter that was measured; the same as parameters.parameter_code.',
    time_start_utc:
      'Start of the averaging interval, UTC, ISO 8601 with the suffix Z; this instant belongs to the interval.',
    time_end_utc:
      'End of the averaging interval, UTC, always exactly one hour after its start; this instant does not belong to the interval.',
    value:
      'Hourly mean in the unit that the field unit states; null if no measurement is available for the interval.',
    unit: 'Unit of measurement; the same as parameters.unit for the same parameter.',
    data_status: 'Status of the value; always preliminary: it may later be changed or withdrawn.',
    aggregation_type: 'Kind of aggregation; always hourly_mean: the mean of one hour.',
    published_at_utc:
      'When the value was published, UTC; where no time is stated for the single value, the time at which the snapshot was made.',
    updated_at_utc:
      'When the value was last changed, UTC; the same as published_at_utc if it has never been changed.',
    coverage:
      'Data capture: the part of the averaging interval for which measurements are available, from 0 to 1; null in version 1.0.',
  },
};

const DICTIONARY: DictionaryTexts = {
  standardReference:
    'Commission Implementing Regulation (EU) 2023/138 laying down a list of specific high-value datasets, Annex, ' +
    'thematic category “Earth observation and environment” (http://data.europa.eu/eli/reg_impl/2023/138/oj). ' +
    'The regulation prescribes no record layout: components A, B and C and their fields follow the description of ' +
    'the air-quality dataset, HVD schema version 1.0.',
  components: { stations: STATIONS, parameters: PARAMETERS, observations: OBSERVATIONS },
};

const CATALOG: CatalogTexts = {
  title: 'Catalogue of open air-quality data',
  description:
    'High-value datasets on air quality and meteorological parameters: monitoring stations, measured parameters ' +
    'and hourly observations of the last 30 days.',
  datasets: {
    stations: { title: 'Air-quality monitoring stations', description: STATIONS.description },
    parameters: {
      title: 'Parameters of the air-quality network',
      description: PARAMETERS.description,
    },
    observations: {
      title: 'Hourly air-quality observations of the last 30 days, preliminary data',
      description: OBSERVATIONS.description,
    },
  },
  service: {
    title: 'Air-quality data API',
    description:
      'Public API without registration or access keys: monitoring stations, measured parameters, hourly observations and files for download.',
  },
  distributions: {
    api: { title: 'API', description: 'Current records as JSON, over the API.' },
    csv: {
      title: 'CSV',
      description:
        'All records in one CSV file: UTF-8, values separated by commas, column names in the first row.',
    },
    geojson: {
      title: 'GeoJSON',
      description: 'All stations as GeoJSON points (WGS84, longitude before latitude).',
    },
    json: { title: 'JSON', description: 'All records as one JSON array.' },
    parquet: {
      title: 'Parquet',
      description:
        'All records in one Apache Parquet file with typed columns, ordered by station, parameter and time.',
    },
  },
  keywords: [
    'air quality',
    'air pollution',
    'monitoring stations',
    'pollutants',
    'meteorology',
    'environment',
    'high-value datasets',
  ],
  license: 'Open data under the Electronic Administration Act (CC BY-equivalent)',
  dictionary: 'Data dictionary',
  documents: {
    documentation: 'API documentation',
    terms: 'Terms of use',
    qos: 'Quality of service',
    dataset: 'About the dataset',
  },
};

const README: ReadmeTexts = {
  title: 'Air quality: hourly observations of the last 30 days',
  introduction:
    'Monitoring stations, measured parameters and hourly means, as they stood when the snapshot was made.',
  snapshotLabel: 'Snapshot',
  generatedLabel: 'Made',
  publisherLabel: 'Publisher',
  filesHeading: 'Files',
  files: {
    'stations.csv': 'Monitoring stations.',
    'stations.geojson': 'The same stations as GeoJSON points (RFC 7946, WGS84).',
    'parameters.csv': 'Measured parameters and their units.',
    'parameters.json': 'The same parameters as a JSON array.',
    'observations_hourly_preliminary_last30days.csv':
      'Hourly observations, ordered by station, parameter and time.',
    'observations_hourly_preliminary_last30days.parquet':
      'The same observations as Apache Parquet: UTC timestamps, numbers as doubles.',
    'README.md': 'This text.',
    SHA256SUMS: 'SHA-256 checksums of the other files.',
  },
  csvNote:
    'CSV files follow RFC 4180: UTF-8, commas, CRLF line ends, column names in the first row, a point as decimal ' +
    'separator. An empty cell is a value that is not known.',
  licenseHeading: 'Licence',
  license:
    'Open data under Article 26 of the Electronic Administration Act of the Republic of Serbia: free reuse for any ' +
    'purpose, with attribution; in effect the same as CC BY. The full text is on the page `/legal/license` of the ' +
    'service that this bundle was downloaded from.',
  attributionHeading: 'Attribution',
  attribution: 'Name the publisher and the time at which the snapshot was made, for example:',
  attributionExample: 'preliminary hourly air-quality data, snapshot of',
  preliminaryHeading: 'Preliminary data',
  preliminary:
    'The data are published automatically and have not been verified. They may later be changed or withdrawn, and ' +
    'they are not meant for regulatory use.',
  retentionHeading: 'Period and time',
  retention:
    'The bundle covers the 30 days before the snapshot was made; older data are not kept. All times are UTC. Each ' +
    'interval lasts exactly one hour; its start belongs to it, its end does not.',
  checkHeading: 'Checking the files',
  check:
    'Put the files and `SHA256SUMS` into one directory and run the first command on Linux, the second on macOS. ' +
    'If you have not downloaded all of them, add `--ignore-missing`.',
  dictionaryHeading: 'Data dictionary',
  columns: { field: 'Field', type: 'Type', required: 'Required', definition: 'Definition' },
  yes: 'yes',
  no: 'no',
};

export const english: Messages = {
  dictionary: DICTIONARY,
  catalog: CATALOG,
  readme: README,
  legal: legalEnglish(README.files),
  documentation: documentationEnglish,
  layout: ENGLISH_LAYOUT,
  portal: ENGLISH_PORTAL,
  recipes: recipesEnglish,
};
