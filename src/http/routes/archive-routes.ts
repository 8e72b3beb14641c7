/** The archive of data older than the retention window: files and daily values (docs/http-api/files.md, "Archive"). */
import { listItems, selectedIds } from '../../snapshot/domain/selection.js';
import { ARCHIVE_PATH } from '../../views/hvd/archive.js';
import type { ArchiveFiles } from '../answers/archive-files.js';
import type { FrontState } from '../answers/front-state.js';
import { json, text } from '../openapi/operation.js';
import { endpoint, refuse, type Endpoint, type Source } from '../routing/endpoint.js';
import type { Refusal, Values } from '../routing/parameter.js';
import { optionalDateTime, optionalList, pathText } from '../routing/parameters.js';
import { CSV_TYPE, LINK } from '../semantics/common-headers.js';
import { baseUrlFields } from '../semantics/request-base-url.js';

/** Maximal number of stations, and of parameters, in a request for daily values. */
const DAILY_MAX = 50;

const DAY_MS = 86_400_000;

const NO_ARCHIVE = ['no_archive_resource', 'archive_unavailable'] as const;

const dailyFilter = {
  station_id: optionalList('station_id', ['28005002'], DAILY_MAX),
  parameter_code: optionalList('parameter_code', ['NO2'], DAILY_MAX),
  from: optionalDateTime('invalid_from', '2026-01-01'),
  to: optionalDateTime('invalid_to', '2027-01-01'),
};

export const ARCHIVE: readonly Endpoint[] = [
  endpoint({
    path: ARCHIVE_PATH,
    caching: 'archive',
    operation: {
      id: 'getArchiveIndex',
      tag: 'HVD files',
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
      content: [text('text/csv')],
      headers: ['X-Record-Count', 'Content-Disposition'],
      refusals: ['no_station_id', 'busy', ...NO_ARCHIVE],
    },
    resolve: (values, { state }) => withArchive(state, (archive) => daily(values, archive, state)),
  }),
  endpoint({
    path: `${ARCHIVE_PATH}/{+path}`,
    caching: 'archive-file',
    parameters: { path: pathText() },
    operation: {
      id: 'getArchiveFile',
      tag: 'HVD files',
      content: [{ mediaType: 'application/vnd.apache.parquet' }],
      refusals: ['precondition_failed', ...NO_ARCHIVE],
    },
    resolve: (values, { state }) =>
      withArchive(state, (archive) => ({ kind: 'archive-file', archive, path: values.path })),
  }),
];

/** Answers with the archive, or refuses: without a snapshot it is unknown which stations are hidden. */
export function withArchive<S>(
  { archive }: Readonly<FrontState>,
  answer: (archive: ArchiveFiles) => S | Refusal,
): S | Refusal {
  if (archive === undefined) return refuse('archive_unavailable');
  return archive === 'none' ? refuse('no_archive_resource') : answer(archive);
}

/** Daily values of a selection, from the files of the requested years. */
function daily(
  { from, to, station_id, parameter_code }: Values<typeof dailyFilter>,
  archive: ArchiveFiles,
  { served }: Readonly<FrontState>,
): Extract<Source, { kind: 'rendered' }> | Refusal {
  if (station_id === undefined) return refuse('no_station_id');
  const stationIds = selectedIds(station_id);
  // A text that the snapshot does not know is a list, or a code of the archive that contains commas: both are tried.
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
