/** The archive: what the retention window forgets, as files and as daily values (docs/http-api/files.md, "Archive"). */
import { listItems, selectedIds } from '../../snapshot/domain/selection.js';
import { ARCHIVE_PATH } from '../../views/hvd/archive.js';
import type { ArchiveFiles } from '../answers/archive-files.js';
import type { FrontState } from '../answers/front-state.js';
import { json, text } from '../openapi/operation.js';
import { endpoint, refuse, type Endpoint, type Source } from '../routing/endpoint.js';
import {
  optionalDateTime,
  optionalList,
  pathText,
  type Refusal,
  type Values,
} from '../routing/parameters.js';
import { CSV_TYPE, LINK } from '../semantics/common-headers.js';
import { baseUrlFields } from '../semantics/request-base-url.js';

/** Stations, and parameters, whose daily values one request may have. */
const DAILY_MAX = 50;

const DAY_MS = 86_400_000;

const NO_ARCHIVE = ['no_archive_resource', 'archive_unavailable'] as const;

const dailyFilter = {
  station_id: optionalList(
    'station_id',
    {
      description: 'These stations, from 1 to 50; a value may be a list with commas.',
      example: ['28005002'],
    },
    DAILY_MAX,
  ),
  parameter_code: optionalList(
    'parameter_code',
    { description: 'Only these parameters, 50 at the most; default: all.', example: ['NO2'] },
    DAILY_MAX,
  ),
  from: optionalDateTime('invalid_from', {
    description: 'The first day, in UTC; default: the first that there is.',
    example: '2026-01-01',
  }),
  to: optionalDateTime('invalid_to', {
    description: 'The day after the last one, in UTC; default: none.',
    example: '2027-01-01',
  }),
};

export const ARCHIVE: readonly Endpoint[] = [
  endpoint({
    path: ARCHIVE_PATH,
    caching: 'archive',
    operation: {
      id: 'getArchiveIndex',
      tag: 'HVD files',
      summary: 'The index of the archive',
      description:
        'Observations beyond the last 30 days, as Parquet: a file for each month, daily values for each year, and the ' +
        'stations and parameters that they are of. A file never changes; a new one has another path. It is 404, as is ' +
        'all below it, where the operator keeps no archive.',
      content: json('ArchiveIndex'),
      refusals: NO_ARCHIVE,
    },
    resolve: (_values, { state }) =>
      withArchive(state, (archive) => ({ kind: 'static', resource: archive.index() })),
  }),
  endpoint({
    path: `${ARCHIVE_PATH}.sql`,
    caching: 'archive',
    dependsOn: ['base-url'],
    operation: {
      id: 'getArchiveSql',
      tag: 'HVD files',
      summary: 'The archive as views for DuckDB',
      description:
        'SQL that makes a view of each kind of file by its addresses: `observations`, `daily`, `stations`, `parameters`.',
      content: [text('application/sql')],
      refusals: ['host_unknown', ...NO_ARCHIVE],
    },
    resolve: (_values, { state, baseUrl }) =>
      baseUrl === undefined
        ? refuse('host_unknown')
        : withArchive(state, (archive) => {
            const resource = archive.sql(baseUrl, baseUrlFields(state.baseUrl));
            return { kind: 'static', resource };
          }),
  }),
  endpoint({
    path: `${ARCHIVE_PATH}/daily.csv`,
    dependsOn: ['archive'],
    parameters: dailyFilter,
    operation: {
      id: 'listDailyValuesAsCsv',
      tag: 'HVD files',
      summary: 'Daily values of stations as CSV',
      description:
        'Mean, minimum and maximum of each UTC day, and how many hours have a value, from the archive: by station, ' +
        'parameter and day, `from` <= day < `to`. They are as preliminary as the hourly values.',
      content: [text('text/csv')],
      headers: ['X-Record-Count', 'Content-Disposition'],
      refusals: ['no_station_id', 'busy', ...NO_ARCHIVE],
    },
    resolve: (values, { state }) => withArchive(state, (archive) => daily(values, archive, state)),
  }),
  endpoint({
    path: `${ARCHIVE_PATH}/{+path}`,
    caching: 'archive-file',
    parameters: {
      path: pathText(undefined, {
        description: 'A `path` of the index; its slashes need no escapes.',
      }),
    },
    operation: {
      id: 'getArchiveFile',
      tag: 'HVD files',
      summary: 'One file of the archive',
      description:
        'With `Range`, `If-Range` and `If-Match` as a bulk file: readers of remote Parquet files read only what they ' +
        'need of rows that are sorted by station, parameter and time.',
      content: [{ mediaType: 'application/vnd.apache.parquet' }],
      refusals: ['precondition_failed', ...NO_ARCHIVE],
    },
    resolve: (values, { state }) =>
      withArchive(state, (archive) => ({ kind: 'archive-file', archive, path: values.path })),
  }),
];

/** The answer, or why there is none. Without a snapshot it is not known what is hidden. */
export function withArchive<S>(
  { archive }: Readonly<FrontState>,
  answer: (archive: ArchiveFiles) => S | Refusal,
): S | Refusal {
  if (archive === undefined) return refuse('archive_unavailable');
  return archive === 'none' ? refuse('no_archive_resource') : answer(archive);
}

/** Of the years that may have the days. */
function daily(
  { from, to, station_id, parameter_code }: Values<typeof dailyFilter>,
  archive: ArchiveFiles,
  { served }: Readonly<FrontState>,
): Extract<Source, { kind: 'rendered' }> | Refusal {
  if (station_id === undefined) return refuse('no_station_id');
  const stationIds = selectedIds(station_id);
  // A code that the snapshot has not may be one of the archive, with its commas.
  const codes = parameter_code?.flatMap((one) =>
    served?.parameterCodes.has(one) === true ? one : [one, ...listItems(one)],
  );
  const parameterCodes = codes && [...new Set(codes)].sort();
  const days = { from: from && Math.ceil(from / DAY_MS), to: to && Math.ceil(to / DAY_MS) };
  const files = archive.daily(yearOf(days.from), yearOf(days.to && days.to - 1));
  if (files === undefined) return refuse('archive_unavailable');
  const task = { ...files, stationIds, parameterCodes, ...days };
  return {
    kind: 'rendered',
    job: { kind: 'plan-daily', task },
    key: JSON.stringify([archive.digest, stationIds, parameterCodes, days]),
    fields: [
      ['Content-Type', CSV_TYPE],
      ['Content-Disposition', 'attachment; filename="daily.csv"'],
      LINK,
    ],
    variant: archive.digest.slice(0, 16),
    isOfSnapshot: false,
    onFailure: (error) => {
      archive.onFailure(error, files);
    },
  };
}

function yearOf(day: number | undefined): number | undefined {
  return day === undefined ? undefined : new Date(day * DAY_MS).getUTCFullYear();
}
