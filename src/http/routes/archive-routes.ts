/** The archive of data older than the retention window (docs/http-api/files.md, "Archive"). */
import { ARCHIVE_PATH } from '../../views/hvd/archive.js';
import type { ArchiveFiles } from '../answers/archive-files.js';
import type { FrontState } from '../answers/front-state.js';
import { json, text } from '../openapi/operation.js';
import { endpoint, refuse, type Endpoint } from '../routing/endpoint.js';
import type { Refusal } from '../routing/parameter.js';
import { pathText } from '../routing/parameters.js';
import { redirect } from '../semantics/error-answers.js';
import { baseUrlFields } from '../semantics/request-base-url.js';
import { periodSelection } from './days.js';

const NO_ARCHIVE = ['no_archive_resource', 'archive_unavailable'] as const;

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
    caching: 'none',
    parameters: periodSelection,
    resolve: (_values, { query }) => ({
      kind: 'answer',
      answer: redirect('/api/v1/daily.csv', query),
    }),
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
