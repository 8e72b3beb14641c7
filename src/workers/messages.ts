/** Messages of the import process and the worker threads: plain data. */
import type { PageState, Site } from '../views/pages/page.js';
import type { ExportFormat } from '../views/export-table.js';
import type { ListedSnapshot } from '../views/history/snapshots.js';
import type { ArchiveState, KeptFile } from '../snapshot/archive/archive-state.js';
import type { KeepRequest } from '../snapshot/archive/keep-archive.js';
import type { HiddenIds } from '../snapshot/local/records.js';
import type { ChangeCounts } from '../snapshot/history/changes.js';
import type { SeriesWindow } from '../snapshot/local/keys.js';
import type { SnapshotErrorCode } from '../snapshot/domain/snapshot-error.js';
import type { HourInterval } from '../snapshot/domain/windows.js';
import type { DeflatedText } from '../snapshot/local/observations/gzip-member.js';
import type { Form, TextForm } from '../snapshot/local/observations/record-layout.js';
import type { Selection, StationSelection } from '../snapshot/domain/selection.js';
import type { DocumentName } from '../snapshot/domain/snapshot-id.js';
import type { Plan } from '../snapshot/local/plan.js';
import type {
  Component,
  Observations,
  SnapshotHeader,
  Station,
  Window,
} from '../snapshot/domain/model.js';
import type { StoreAccess } from '../snapshot/store/open.js';
import type { Pointer } from '../snapshot/store/pointer.js';

/** The message to the import process: the pointer of the snapshot to be imported. */
export interface ImportRequest {
  readonly store: StoreAccess;
  readonly pointer: Pointer;
  readonly expectedSchemaVersion: string;
  readonly build: string;
  readonly directory: string;
  /** Number of threads that render and compress. */
  readonly threads: number;
}

/** An expected failure as data, from which the receiver makes an error. */
export interface JobFailure {
  readonly code: SnapshotErrorCode;
  readonly message: string;
}

/** Phases of an import, in order. The first two, reading and parsing, take turns. */
export const IMPORT_PHASES = ['fetch', 'parse', 'build', 'seal'] as const;
export type ImportPhase = (typeof IMPORT_PHASES)[number];

/** Resources used by an import process, for metrics. */
export interface ImportUsage {
  /** Milliseconds of the completed phases. */
  readonly phases: Readonly<Partial<Record<ImportPhase, number>>>;
  /** User and system time of all its threads. */
  readonly cpuSeconds: number;
  readonly peakMemoryBytes: number;
}

/** The one message of the import process, before it exits. */
export type ImportResult = (
  | { readonly ok: true; readonly directory: string; readonly milliseconds: number }
  | { readonly ok: false; readonly failure: JobFailure }
) & { readonly usage: ImportUsage };

/** The one message to the process that caches the archive. */
export interface KeepTask extends KeepRequest {
  readonly store: StoreAccess;
}

/** Messages of that process: states, then the result. */
export type FromKeeper =
  | { readonly kind: 'state'; readonly state: ArchiveState }
  /** `dueMs`: time of the next action for the same index; epoch milliseconds, UTC. */
  | { readonly kind: 'done'; readonly dueMs: number }
  | { readonly kind: 'failed'; readonly failure: JobFailure };

/** Many prepared answers in one transferable buffer. */
export interface JoinedAnswers {
  /** In the order of the bytes; `gzipBytes` is 0 without a compressed form. */
  readonly index: readonly {
    readonly name: string;
    readonly identityBytes: number;
    readonly gzipBytes: number;
  }[];
  readonly bytes: ArrayBuffer;
}

interface JobType<Task, Value> {
  readonly task: Task;
  readonly value: Value;
}

/** The kinds of jobs, with tasks and results. */
export interface JobTypes {
  /** Renders all prepared answers of some stations, at import. */
  'render-stations': JobType<RenderStationsTask, JoinedAnswers>;
  /** Renders the observations of some series, at import. */
  'render-observations': JobType<RenderObservationsTask, RenderedObservations>;
  'plan-observations': JobType<PlanObservationsTask, Plan>;
  /** Plans observations of many stations and hours, which may take long. */
  'plan-many-observations': JobType<PlanObservationsTask, Plan>;
  'plan-stations': JobType<PlanStationsTask, Plan>;
  /** Observations as CSV with a column for each parameter. */
  'plan-wide': JobType<PlanWideTask, Plan>;
  /** The newest observation of every selected series. */
  'plan-latest': JobType<PlanLatestTask, Plan>;
  'plan-catalog': JobType<PlanCatalogTask, Plan>;
  'plan-changes': JobType<PlanChangesTask, Plan>;
  'plan-daily': JobType<PlanDailyTask, Plan>;
  /** Counts all changes since a past snapshot. */
  'count-changes': JobType<ChangesTask, ChangeCounts>;
  'render-history': JobType<RenderHistoryTask, Plan>;
  /** A document of the build, for one base URL. */
  'render-site-document': JobType<RenderSiteDocumentTask, Plan>;
  /** One series of one window as CSV. */
  'plan-export': JobType<PlanExportTask, Plan>;
  /** A spreadsheet, which takes many times as long. */
  'plan-spreadsheet': JobType<PlanExportTask, Plan>;
  'render-page': JobType<RenderPageTask, Plan>;
  /** One series: a chart as SVG, or days as CSV. */
  'render-series': JobType<RenderPageTask, Plan>;
  /** A chart as PNG, which takes many times as long. */
  'render-png': JobType<RenderPageTask, Plan>;
  /** A station as a workbook, with a chart as PNG. */
  'render-workbook': JobType<RenderPageTask, Plan>;
  'render-years': JobType<RenderPageTask, Plan>;
  /** All observations as Parquet, at import. */
  'render-parquet': JobType<RenderParquetTask, RenderedParquet>;
  /** Compares every file of the bulk bundle with its digest. */
  'verify-bundle': JobType<SnapshotLocation, BundleVerdict>;
}

export type JobKind = keyof JobTypes;

/** Kinds of jobs that render one answer. */
type AnswerJobKind = {
  [K in JobKind]: JobTypes[K]['value'] extends Plan ? K : never;
}[JobKind];

/** Such a job without snapshot and content coding. */
export type AnswerJob<Kind extends AnswerJobKind = AnswerJobKind> = {
  [K in Kind]: {
    readonly kind: K;
    readonly task: Omit<JobTypes[K]['task'], 'location' | 'gzip'>;
  };
}[Kind];

/** Jobs that render a page, a part or a file of one. */
export type PageJob =
  'render-page' | 'render-series' | 'render-png' | 'render-workbook' | 'render-years';

/** Jobs that need no snapshot. */
export type DocumentJob = AnswerJob<PageJob | 'render-site-document'>;

/**
 * Classes of jobs, each with its weight when classes share the threads' time, so that a few jobs of one class never
 * wait for the many of another.
 */
export const JOB_CLASSES = {
  /** The service's own work: before all others. */
  own: Infinity,
  /** Most requests of programs, some milliseconds each. */
  quick: 4,
  page: 2,
  /** Pictures and exports. */
  file: 1,
  /** Long jobs: a thread works on several in turns, and where there are several threads, one takes no long job. */
  long: 1,
} as const satisfies Readonly<Record<string, number>>;

export type JobClass = keyof typeof JOB_CLASSES;

/** The module, function and class of a kind of jobs. */
interface JobEntry {
  /** Path from this folder; the module is loaded at its first job, since kinds of jobs need different libraries. */
  readonly module: string;
  /** The module's function of one task. */
  readonly run: string;
  /** Jobs of one class take similar times. */
  readonly class: JobClass;
}

const inFolder =
  (folder: string) =>
  (name: string, run: string, jobClass: JobClass): JobEntry => ({
    module: `./jobs/${folder}/${name}.js`,
    run,
    class: jobClass,
  });
const answers = inFolder('answers');
const pages = inFolder('pages');
const imports = inFolder('import');

export const JOBS: Readonly<Record<JobKind, JobEntry>> = {
  'render-stations': imports('render-stations', 'renderStations', 'own'),
  'render-observations': imports('render-observations', 'renderObservations', 'own'),
  'render-parquet': imports('render-parquet', 'renderParquet', 'own'),
  'verify-bundle': answers('verify-bundle', 'verifyBundle', 'own'),
  'count-changes': answers('plan-changes', 'countAllChanges', 'own'),
  'plan-observations': answers('plan-observations', 'planObservations', 'quick'),
  'plan-stations': answers('plan-stations', 'planStations', 'quick'),
  'plan-latest': answers('plan-latest', 'planLatest', 'quick'),
  'plan-catalog': answers('render-site-document', 'planCatalog', 'quick'),
  'render-history': answers('render-history', 'renderHistory', 'quick'),
  'render-site-document': answers('render-site-document', 'renderSiteDocument', 'quick'),
  'render-series': pages('render-page', 'renderPage', 'quick'),
  'render-page': pages('render-page', 'renderPage', 'page'),
  'plan-export': answers('plan-export', 'planExport', 'file'),
  'plan-spreadsheet': answers('plan-export', 'planExport', 'file'),
  'render-png': pages('render-page', 'renderPage', 'file'),
  'render-workbook': pages('render-page', 'renderPage', 'file'),
  'plan-many-observations': answers('plan-observations', 'planManyObservations', 'long'),
  'plan-wide': answers('plan-wide', 'planWide', 'long'),
  'plan-daily': answers('plan-daily', 'planDaily', 'long'),
  'render-years': pages('render-page', 'renderPage', 'long'),
  'plan-changes': answers('plan-changes', 'planChanges', 'long'),
};

export type Job = {
  [K in JobKind]: { readonly kind: K; readonly task: JobTypes[K]['task'] };
}[JobKind];

/** Expected failures travel as data: errors lose class and code between threads. */
export type JobResult<K extends JobKind = JobKind> =
  | { readonly ok: true; readonly value: JobTypes[K]['value'] }
  | { readonly ok: false; readonly failure: JobFailure };

/** Stations with all public series; columns are shared memory. */
export interface RenderStationsTask {
  readonly header: SnapshotHeader;
  readonly components: readonly Component[];
  readonly stations: readonly Station[];
  readonly observations: Observations;
}

/** Public series in the order of the observations (`docs/http-api/values.md, "Order"`). */
export interface RenderObservationsTask {
  readonly generatedAtMs: number;
  readonly components: readonly Component[];
  readonly observations: Observations;
}

/** A run without its offset, which the writer adds. */
export interface RenderedRun {
  readonly firstRecord: number;
  readonly deflate: Readonly<Record<Form, { readonly bytes: number; readonly crc32: number }>>;
}

/** The series of one task in order, and their bytes. */
export interface RenderedObservations {
  readonly series: readonly {
    readonly stationId: number;
    readonly componentId: number;
    readonly parameterCode: string;
    /** `[start, end)` of the snapshot's columns. */
    readonly start: number;
    readonly end: number;
    readonly runs: readonly RenderedRun[];
  }[];
  /** `Uint32Array` of all records, two numbers for each: `SeriesColumns.ends`. */
  readonly ends: ArrayBuffer;
  /** As NDJSON. */
  readonly text: ArrayBuffer;
  readonly deflate: Readonly<Record<Form, ArrayBuffer>>;
  /** As lines of CSV, and these compressed. */
  readonly csv: { readonly text: ArrayBuffer; readonly deflated: DeflatedText };
}

/** Channel on which a front tells its threads that it no longer uses a copy's directory. */
export const RETIRED_CHANNEL = 'bura-retired-copies';

/** A local copy for a worker thread, on which the front holds a lease. */
export interface SnapshotLocation {
  readonly directory: string;
}

/** Input of every plan. */
interface PlanTask {
  readonly location: SnapshotLocation;
  readonly gzip: boolean;
}

export interface PlanObservationsTask extends PlanTask {
  readonly selection: Selection;
  readonly interval: HourInterval;
  readonly form: TextForm;
}

export interface PlanStationsTask extends PlanTask {
  readonly selection: StationSelection;
}

export interface PlanLatestTask extends PlanTask {
  readonly selection: Selection;
  readonly form: 'json' | 'csv' | 'wide' | 'geojson';
}

export interface PlanWideTask extends PlanTask {
  readonly selection: Selection;
  readonly interval: HourInterval;
}

/** Cached files of daily values, ascending by year, and the hidden parts. */
export interface DailyFiles {
  readonly folder: string;
  readonly files: readonly KeptFile[];
  /** The archive's list of stations, if cached. */
  readonly stations: KeptFile | undefined;
  readonly hidden: HiddenIds;
}

export interface PlanDailyTask extends PlanTask, DailyFiles {
  readonly stationIds: readonly number[];
  /** Undefined: all. */
  readonly parameterCodes: readonly string[] | undefined;
  /** Days since the epoch, UTC, half-open; undefined: all. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export interface PlanCatalogTask extends PlanTask {
  readonly baseUrl: string;
}

/** Two snapshots with stored rows. */
export interface ChangesTask {
  readonly folder: string;
  readonly since: DocumentName;
  /** The active one. */
  readonly current: DocumentName;
}

export interface PlanChangesTask extends ChangesTask, PlanTask {
  /** Generation time of the active snapshot: epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  readonly selection: StationSelection;
  /** As written by the client: their split depends on the snapshot. */
  readonly parameterCodes: readonly string[] | undefined;
}

export interface RenderHistoryTask extends PlanTask {
  readonly snapshots: readonly ListedSnapshot[];
}

/** Names of files beside the compiled code; clients request them under the same names. */
export type SiteDocument = 'openapi.json' | 'llms.txt' | 'robots.txt' | 'sitemap.xml';

export interface RenderSiteDocumentTask {
  /** Undefined without a snapshot for examples. */
  readonly location: SnapshotLocation | undefined;
  readonly gzip: boolean;
  /** Whether the sitemap lists pages of the archive. */
  readonly hasArchive: boolean;
  readonly name: SiteDocument;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

export interface ExportedSeries extends SeriesWindow {
  readonly window: Exclude<Window, '1h'>;
}

export interface PlanExportTask extends PlanTask, ExportedSeries {
  readonly format: ExportFormat;
}

export interface RenderPageTask {
  /** Undefined without a snapshot. */
  readonly location: SnapshotLocation | undefined;
  readonly gzip: boolean;
  /** The rendering module in `pages/`, and its state. */
  readonly view: string;
  readonly state: PageState;
  /**
   * `path`: path of the page, empty for a page at any path, whose links keep the requested one. `section`: the path
   * that the navigation marks as current.
   */
  readonly path: string;
  readonly section: string;
  /** Whole hours since the snapshot was generated, at least 0; 0 without a snapshot, and for pages without the age. */
  readonly ageHours: number;
  /** Base URL of absolute links, without a slash at its end; undefined when neither configured nor requested. */
  readonly baseUrl: string | undefined;
  readonly site: Site;
  /** Source of the archive's values, for pages that show them. */
  readonly daily: DailyFiles | undefined;
}

/** Whether the bundle is whole; `detail` describes the first faulty file. */
export type BundleVerdict = { readonly ok: true } | { readonly ok: false; readonly detail: string };

/** The public part of a snapshot; columns are shared memory. */
export interface RenderParquetTask {
  readonly header: SnapshotHeader;
  readonly components: readonly Component[];
  readonly observations: Observations;
}

export interface RenderedParquet {
  readonly parquet: ArrayBuffer;
}
