/** The archive as HTTP answers: index, files, and SQL views of them for DuckDB (docs/http-api/files.md, "Archive"). */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { ArchiveState, FileContent, KeptFile } from '../../snapshot/archive/archive-state.js';
import { keptBytes, keptPath } from '../../snapshot/archive/kept-file.js';
import type { HiddenIds } from '../../snapshot/local/records.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { decodeArchiveIndex, type ArchiveIndex } from '../../snapshot/store/archive-index.js';
import {
  ARCHIVE_PATH,
  viewArchiveIndex,
  viewArchiveSql,
  type Period,
} from '../../views/hvd/archive.js';
import type { DailyFiles } from '../../workers/messages.js';
import type { Answer } from '../semantics/answer.js';
import { FOR_A_MINUTE, IMMUTABLE, JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { errorAnswer } from '../semantics/error-answers.js';
import type { HeaderField } from '../semantics/header-block.js';
import { fileAnswer, fileVariant, type BulkRequest } from './file-answer.js';
import { KeptFileBody } from './kept-file-body.js';
import { StaticResource, type StaticResourceOptions } from './static-resource.js';

export interface ArchiveFilesOptions {
  readonly folder: string;
  readonly hidden: HiddenIds;
  /** Called with the SHA-256 of a damaged file. */
  readonly onDamage: (sha256: string) => void;
}

/** The public files of one state of the archive and one snapshot. */
export class ArchiveFiles {
  readonly digest: string;
  readonly #options: ArchiveFilesOptions;
  /** The index, reduced to cached files without hidden rows. */
  readonly #listed: ArchiveIndex;
  /** Files of hourly, daily and monthly values. */
  readonly #daily: readonly KeptFile[];
  /** The file with the list of stations, if it is cached. */
  readonly #stations: KeptFile | undefined;
  /** Public files by path, including replaced files for clients that have read an earlier index. */
  readonly #served: ReadonlyMap<string, KeptFile>;
  readonly #awaited: ReadonlySet<string>;
  #index: StaticResource | undefined;
  #sql: { readonly baseUrl: string; readonly resource: StaticResource } | undefined;

  constructor(
    { index: text, kept, leftOut }: Extract<ArchiveState, { readonly kind: 'there' }>,
    options: ArchiveFilesOptions,
  ) {
    const index = decodeArchiveIndex(Buffer.from(text));
    const { hidden } = options;
    const publicFiles = kept.filter((file) => !holdsHidden(file, hidden));
    const served = new Map(publicFiles.map((file) => [file.path, file]));
    const keptPaths = new Set(kept.map(({ path }) => path));
    const awaited = index.files.filter(
      ({ path, sha256 }) => !keptPaths.has(path) && !leftOut.includes(sha256),
    );
    const named = new Set(index.files.map(({ path }) => path));
    this.#options = options;
    this.#served = served;
    this.#awaited = new Set(awaited.map(({ path }) => path));
    this.#listed = { ...index, files: index.files.filter(({ path }) => served.has(path)) };
    this.#daily = kept
      .filter(({ path }) => /^(?:observations|daily|monthly)\//.test(path) && named.has(path))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#stations = kept.find(({ path }) => path.startsWith('stations/') && named.has(path));
    const made = JSON.stringify([this.#listed, this.#daily.map(({ path }) => path), hidden]);
    this.digest = createHash('sha256').update(made).digest('hex').slice(0, 32);
  }

  /**
   * Files of daily values of the years `first` to `last`, of hourly ones of months since year 0, by default all, or the
   * file of monthly ones; undefined while one of them is being fetched.
   */
  periods(
    kind: Period | 'observations',
    first = -Infinity,
    last = Infinity,
  ): DailyFiles | undefined {
    const { folder, hidden } = this.#options;
    const isWanted = (path: string): boolean => {
      const [, year, month] = /^\w+\/year=(\d+)\/(?:month=(\d+))?/.exec(path) ?? [];
      const at = month === undefined ? Number(year) : 12 * Number(year) + Number(month) - 1;
      return path.startsWith(`${kind}/`) && (kind === 'monthly' || (at >= first && at <= last));
    };
    if ([...this.#awaited].some(isWanted)) return undefined;
    const files = this.#daily.filter(({ path }) => isWanted(path));
    return { folder, files, stations: this.#stations, hidden };
  }

  hasYear(year: number): boolean {
    return this.#daily.some(({ path }) => path.startsWith(`daily/year=${year}/`));
  }

  /** Whether the archive has this station and it is public; the snapshot may lack it. */
  hasStation(id: number): boolean {
    const text = String(id);
    const isHidden = this.#options.hidden.stationIds.includes(text);
    return !isHidden && this.#stations?.stationIds.includes(text) === true;
  }

  /** Whether days of the archive have this parameter and it is public; the snapshot may lack it. */
  hasParameter(code: string): boolean {
    const isHidden = this.#options.hidden.parameterCodes.includes(code);
    return !isHidden && this.#daily.some(({ parameterCodes }) => parameterCodes.includes(code));
  }

  /** Called when a job that reads these files has failed: one of them may be damaged. */
  onFailure(error: unknown, { files }: DailyFiles): void {
    if (!(error instanceof SnapshotError) || error.code !== 'archive_damaged') return;
    for (const { sha256 } of files) this.#options.onDamage(sha256);
  }

  index(): StaticResource {
    if (this.#index === undefined) {
      const bytes = Buffer.from(JSON.stringify(viewArchiveIndex(this.#listed)));
      this.#index = describing({ bytes, gzip: gzipSync(bytes), fields: [JSON_TYPE, LINK] });
    }
    return this.#index;
  }

  /** @param variesBy request fields that shape the base URL. */
  sql(baseUrl: string, variesBy: readonly string[]): StaticResource {
    if (this.#sql?.baseUrl !== baseUrl) {
      const bytes = Buffer.from(viewArchiveSql(this.#listed, baseUrl));
      const type: HeaderField = ['Content-Type', 'application/sql; charset=utf-8'];
      this.#sql = { baseUrl, resource: describing({ bytes, fields: [type, LINK], variesBy }) };
    }
    return this.#sql.resource;
  }

  file(name: string, request: BulkRequest): Answer {
    const file = this.#served.get(name);
    if (file === undefined) {
      return errorAnswer(this.#awaited.has(name) ? 'archive_unavailable' : 'no_archive_resource');
    }
    const { sha256, sizeBytes } = file;
    const path = keptPath(this.#options.folder, file);
    const onDamage = (): void => {
      this.#options.onDamage(sha256);
    };
    if (statSync(path, { throwIfNoEntry: false })?.size !== keptBytes(file)) {
      onDamage();
      return errorAnswer('archive_unavailable');
    }
    const variant = fileVariant(file, {
      sha256,
      lastModified: undefined,
      list: ARCHIVE_PATH,
      fields: [
        ['Content-Type', 'application/vnd.apache.parquet'],
        // A proxy that compresses would break ranges and the digest.
        ['Cache-Control', `${IMMUTABLE}, no-transform`],
      ],
    });
    const source = { sha256, sizeBytes, path, onDamage };
    return fileAnswer(variant, request, (part) => new KeptFileBody(source, part));
  }
}

function holdsHidden({ stationIds, parameterCodes }: FileContent, hidden: HiddenIds): boolean {
  return (
    hidden.stationIds.some((id) => stationIds.includes(id)) ||
    hidden.parameterCodes.some((code) => parameterCodes.includes(code))
  );
}

function describing(options: Omit<StaticResourceOptions, 'cacheControl'>): StaticResource {
  return new StaticResource({ ...options, cacheControl: FOR_A_MINUTE });
}
