/** The parameters that the table of routes declares: how each is read, and what clients are told of it. */
import { LANGUAGES, STATION_TYPES, WINDOWS } from '../../snapshot/domain/model.js';
import { BULK_FILES } from '../../views/hvd/bulk.js';
import { EXPORT_FORMATS, EXPORT_WINDOWS } from '../../views/export-table.js';
import { SEARCH_LENGTH_MAX, STATION_SORTS, THEMES } from '../../views/pages/page.js';
import {
  anyId,
  anyOf,
  anyText,
  flag,
  integer,
  oneOf,
  optionalBoundingBox,
  optionalDateTime,
  optionalFlag,
  optionalOneOf,
  optionalText,
  pathText,
  refusedWith,
} from './parameters.js';

const DIGITS = 'Plain decimal digits: `^(0|-?[1-9]\\d*)$`.';

const organization = {
  description: `Identifier of an organization, as in \`/organizations\`. ${DIGITS}`,
  example: 'organizationId',
} as const;

const station = {
  description: `Identifier of a station of that organization, as in \`/stations\`. ${DIGITS}`,
  example: 'stationId',
} as const;

const component = {
  description: `Identifier of a component, as in \`/components\`. ${DIGITS}`,
  example: 'componentId',
} as const;

export const organizationPath = { organization_id: integer('path', organization) };

export const stationPath = {
  ...organizationPath,
  station_id: integer('path', station),
};

export const seriesQuery = {
  organization_id: refusedWith('bad_request', integer('query', organization)),
  station_id: refusedWith('bad_request', integer('query', station)),
  component_id: refusedWith('bad_request', integer('query', component)),
  window: refusedWith(
    'bad_request',
    oneOf('query', WINDOWS, {
      description:
        'How far back from `generated_at`: the last hour with data, or so many days. ' +
        '`supported_windows` of `/meta` lists those that the snapshot has.',
      example: 'window',
    }),
  ),
};

export const exportQuery = {
  organization_id: seriesQuery.organization_id,
  station_id: seriesQuery.station_id,
  component_id: seriesQuery.component_id,
  window: refusedWith(
    'bad_request',
    oneOf('query', EXPORT_WINDOWS, {
      description:
        'How many days back from `generated_at`; `supported_windows` of `/meta` lists those that the snapshot has.',
      example: 'exportWindow',
    }),
  ),
  format: refusedWith(
    'bad_request',
    oneOf('query', EXPORT_FORMATS, {
      description: 'Comma-separated text, Excel or OpenDocument.',
    }),
  ),
};

export const stationsFilter = {
  active: optionalFlag({
    description: 'Only stations that are in operation, or only those that are not.',
  }),
  municipality: optionalText({
    description: 'Only stations in this municipality: its whole name, in any case.',
    example: 'municipality',
  }),
  station_type: optionalOneOf(STATION_TYPES, {
    description: 'Only stations of this type.',
    example: 'stationType',
  }),
  bbox: optionalBoundingBox({
    description:
      'Only stations in this box, edges included: `min_lon,min_lat,max_lon,max_lat`, WGS84 decimal degrees, ' +
      'longitudes in [-180, 180], latitudes in [-90, 90], no minimum above its maximum. ' +
      'A station without a position is outside every box.',
    example: 'boundingBox',
  }),
};

/** Both ends of a window are read alike. */
const DATE_TIME_FORMS =
  'ISO 8601: a date (its midnight), or a date-time to minutes, seconds or fractions, with `Z`, an offset ' +
  '(its `+` escaped or not) or none, which means UTC.';

export const seriesFilter = {
  station_id: optionalText({
    description: 'Only this station; one that is not known gives an empty list.',
    example: 'hvdStationId',
  }),
  parameter_code: optionalText({
    description: 'Only this parameter; a code that is not known gives an empty list.',
    example: 'parameterCode',
  }),
};

export const observationsFilter = {
  from: optionalDateTime('invalid_from', {
    description:
      'Only hours that start at this time or after it; by default, and at the earliest, 30 days before ' +
      `\`generated_at\`. ${DATE_TIME_FORMS}`,
    example: 'from',
  }),
  to: optionalDateTime('invalid_to', {
    description:
      'Only hours that start before this time; by default, and at the latest, `generated_at`. ' +
      DATE_TIME_FORMS,
    example: 'to',
  }),
  ...seriesFilter,
};

export const bulkFile = {
  filename: pathText(
    BULK_FILES.map(({ name }) => name),
    { description: 'A name that the index lists.' },
  ),
};

export const dictionaryLanguage = {
  language: optionalOneOf(LANGUAGES, {
    description: 'Language of titles, descriptions and definitions; `sr-Latn` if none is given.',
  }),
};

const themeAbout = {
  description: '`light` or `dark`; without it, what the browser prefers.',
} as const;

const languageAbout = {
  description:
    '`sr-Latn`, `sr-Cyrl` or `en`; without it, the language that the operator has chosen.',
} as const;

/** Pages that never refuse a value: an unknown one counts as nothing (spec, "Portal pages" 4). */
export const looseStyle = {
  language: anyOf(LANGUAGES, languageAbout),
  theme: anyOf(THEMES, themeAbout),
};

/** An image has no language. */
export const mapStyle = { theme: anyOf(THEMES, themeAbout) };

/** Pages that do (contract §9). */
export const strictStyle = {
  language: optionalOneOf(LANGUAGES, languageAbout),
  theme: optionalOneOf(THEMES, themeAbout),
};

export const portalQuery = {
  ...looseStyle,
  station_id: anyId({ description: 'Opens the panel of this station.', example: 'stationId' }),
  component_id: anyId({
    description: 'Shows values of this component.',
    example: 'componentId',
  }),
  window: anyOf(WINDOWS, {
    description: 'How far back the charts go; `1d` if none is given.',
    example: 'window',
  }),
  sort: anyOf(STATION_SORTS, { description: 'What the table of stations is ordered by.' }),
  q: anyText(SEARCH_LENGTH_MAX, {
    description: 'Only stations whose name, code or place has this text.',
  }),
};

export const assetName = {
  name: pathText([], { description: 'The name of a file that a page refers to.' }),
};

export const readinessDepth = {
  deep: flag(false, {
    description:
      'Also read every file of the bulk bundle and compare it with what the index says of it.',
  }),
};
