/** Messages of the import process, the archive process and the worker threads: plain data. */
import type { Period, PeriodFormat } from '../views/hvd/archive.js';
import type { Address, Request, ValuesRequest } from '../views/ogc/requests.js';
import type { PageState, Site } from '../views/pages/page.js';
import type { ExportFormat } from '../views/export-table.js';
import type { ListedSnapshot } from '../views/history/snapshots.js';
import type { ArchiveState, KeptFile } from '../snapshot/archive/archive-state.js';
import type { KeepRequest } from '../snapshot/archive/keep-archive.js';
import type { HiddenIds } from '../snapshot/local/records.js';
import type { ChangeCounts } from '../snapshot/history/changes.js';
import type { SeriesWindow } from '../snapshot/local/keys.js';
import type { Failure } from '../snapshot/domain/snapshot-error.js';
import type { DeflatedText } from '../snapshot/local/observations/gzip-member.js';
import type { Form } from '../snapshot/local/observations/record-layout.js';
import type { RecordsQuery } from '../snapshot/local/observations/records-plan.js';
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

/** Phases of an import, in order. `fetch` and `parse` alternate. */
export const IMPORT_PHASES = ['fetch', 'parse', 'build', 'seal'] as const;
export type ImportPhase = (typeof IMPORT_PHASES)[number];

/** Resources used by an import process, for metrics. */
export interface ImportUsage {
  /** Milliseconds of the completed phases. */
  readonly phases: Readonly<Partial<Record<ImportPhase, number>>>;
  /** User and system time of all threads of the process. */
  readonly cpuSeconds: number;
  readonly peakMemoryBytes: number;
}

/** The only message of the import process, sent before it exits. */
export type ImportResult = (
  | { readonly ok: true; readonly directory: string }
  | { readonly ok: false; readonly failure: Failure }
) & { readonly usage: ImportUsage };

/** The only message to the process that caches the archive. */
export interface KeepTask extends KeepRequest {
  readonly store: StoreAccess;
}

/** Messages of the process that caches the archive: states, then the result. */
export type FromKeeper =
  | { readonly kind: 'state'; readonly state: ArchiveState }
  /** `dueMs`: time of the next action for the same index; epoch milliseconds, UTC. */
  | { readonly kind: 'done'; readonly dueMs: number }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Many prepared answers in one transferable buffer. */
export interface JoinedAnswers {
  /** Answers in the order of their bytes; `gzipBytes` is 0 without a compressed form. */
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
  /** Renders some series in the order of the observations (`docs/http-api/values.md, "Order"`), at import. */
  'render-observations': JobType<RenderSeriesTask, RenderedObservations>;
  'plan-observations': JobType<PlanObservationsTask, Plan>;
  /** Plans observations of many stations and hours, which may take long. */
  'plan-many-observations': JobType<PlanObservationsTask, Plan>;
  'plan-stations': JobType<PlanStationsTask, Plan>;
  /** Values by station and hour: wide CSV, and CoverageJSON and GeoJSON of the OGC API. */
  'plan-table': JobType<PlanTableTask, Plan>;
  /** The newest observation of every selected series. */
  'plan-latest': JobType<PlanLatestTask, Plan>;
  /** A document or features of the OGC API. */
  'plan-ogc': JobType<PlanOgcTask, Plan>;
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
  /** One series of one window as a spreadsheet, which takes many times as long as CSV. */
  'plan-spreadsheet': JobType<PlanExportTask, Plan>;
  'render-page': JobType<RenderPageTask, Plan>;
  /** A chart as SVG, or daily values as CSV. */
  'render-series': JobType<RenderPageTask, Plan>;
  /** A chart as PNG, which takes many times as long as SVG. */
  'render-png': JobType<RenderPageTask, Plan>;
  /** A station as a workbook, with a chart as PNG. */
  'render-workbook': JobType<RenderPageTask, Plan>;
  'render-years': JobType<RenderPageTask, Plan>;
  /** All observations as Parquet, at import. */
  'render-parquet': JobType<RenderSeriesTask, RenderedParquet>;
  /** Compares every file of the bulk bundle with its digest. */
  'verify-bundle': JobType<SnapshotLocation, BundleVerdict>;
}

export type JobKind = keyof JobTypes;

/** Kinds of jobs that render one answer. */
type AnswerJobKind = {
  [K in JobKind]: JobTypes[K]['value'] extends Plan ? K : never;
}[JobKind];

/** A job that renders one answer, without snapshot and content coding, which the front adds. */
export type AnswerJob<Kind extends AnswerJobKind = AnswerJobKind> = {
  [K in Kind]: {
    readonly kind: K;
    readonly task: Omit<JobTypes[K]['task'], 'location' | 'gzip'>;
  };
}[Kind];

/** Jobs that render a page, a part of a page, or a file for a page. */
export type PageJob =
  'render-page' | 'render-series' | 'render-png' | 'render-workbook' | 'render-years';

/** Jobs that can run without a snapshot. */
export type DocumentJob = AnswerJob<PageJob | 'render-site-document'>;

/** Weights by which classes of jobs share the threads' time: few jobs of one class never wait for many of another. */
export const JOB_CLASSES = {
  /** The service's own work: before all others. */
  own: Infinity,
  /** Most requests of programs, some milliseconds each. */
  quick: 4,
  page: 2,
  /** Pictures and exports. */
  file: 1,
  /** Long jobs: a thread runs several of them in turns; if there are several threads, one of them takes none. */
  long: 1,
} as const satisfies Readonly<Record<string, number>>;

export type JobClass = keyof typeof JOB_CLASSES;

/** The module, function and class of a kind of jobs. */
interface JobEntry {
  /** Path from this folder; the module is loaded at its first job, since kinds of jobs need different libraries. */
  readonly module: string;
  /** Name of the module's function that runs a task. */
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
  'plan-ogc': answers('plan-ogc', 'planOgc', 'quick'),
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
  'plan-table': answers('plan-table', 'planTable', 'long'),
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
  | { readonly ok: false; readonly failure: Failure };

/** Public series of a snapshot; columns are in shared memory. */
export interface RenderSeriesTask {
  readonly header: SnapshotHeader;
  readonly components: readonly Component[];
  readonly observations: Observations;
}

/** Stations with all public series. */
export interface RenderStationsTask extends RenderSeriesTask {
  readonly stations: readonly Station[];
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
    /** Rows `[start, end)` of the snapshot's columns. */
    readonly start: number;
    readonly end: number;
    readonly runs: readonly RenderedRun[];
  }[];
  /** `Uint32Array` of all records, two numbers for each: `SeriesColumns.ends`. */
  readonly ends: ArrayBuffer;
  /** The records as NDJSON. */
  readonly text: ArrayBuffer;
  readonly deflate: Readonly<Record<Form, ArrayBuffer>>;
  /** The records as lines of CSV, plain and compressed. */
  readonly csv: { readonly text: ArrayBuffer; readonly deflated: DeflatedText };
}

/** Channel on which a front tells its threads that it no longer uses a copy's directory. */
export const RETIRED_CHANNEL = 'bura-retired-copies';

/** A local copy for a worker thread, on which the front holds a lease. */
export interface SnapshotLocation {
  readonly directory: string;
}

interface DocumentTask {
  /** Undefined without a snapshot. */
  readonly location: SnapshotLocation | undefined;
  readonly gzip: boolean;
}

interface PlanTask extends DocumentTask {
  readonly location: SnapshotLocation;
}

export interface PlanObservationsTask extends PlanTask, RecordsQuery {}

export interface PlanStationsTask extends PlanTask {
  readonly selection: StationSelection;
}

export interface PlanLatestTask extends PlanTask {
  readonly selection: Selection;
  readonly form: 'json' | 'csv' | 'wide' | 'geojson';
  /** Whether JSON has only the nearest value of each parameter; the selection then has a circle. */
  readonly isNearest?: boolean;
}

export interface PlanTableTask extends PlanTask, Pick<RecordsQuery, 'selection' | 'interval'> {
  readonly form: 'wide' | 'CoverageJSON' | { readonly GeoJSON: Address };
}

export interface PlanOgcTask extends PlanTask {
  readonly request: Exclude<Request, ValuesRequest>;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

/** Cached files of daily values, ascending by year, or the file of monthly ones, and the ids that answers leave out. */
export interface DailyFiles {
  readonly folder: string;
  readonly files: readonly KeptFile[];
  /** The archive's list of stations, if cached. */
  readonly stations: KeptFile | undefined;
  readonly hidden: HiddenIds;
}

export interface PlanDailyTask extends PlanTask {
  readonly period: Period;
  readonly format: PeriodFormat;
  readonly selection: Selection;
  /** Number of known parameters. */
  readonly parameters: number;
  /** Local days since the epoch, half-open; first days of months. */
  readonly from: number;
  readonly to: number;
  /** The first day from the snapshot; earlier ones are from the archive. */
  readonly recentFrom: number;
  /** IANA name. */
  readonly timeZone: string;
  /** Undefined without an archive, and if no day is older than the snapshot's. */
  readonly archive: DailyFiles | undefined;
}

export interface PlanCatalogTask
  extends PlanTask, Pick<RenderSiteDocumentTask, 'baseUrl' | 'hasArchive'> {
  readonly form: 'dcat' | 'croissant';
}

/** Two snapshots whose rows are stored in `folder`. */
export interface ChangesTask {
  readonly folder: string;
  readonly since: DocumentName;
  /** The active snapshot. */
  readonly current: DocumentName;
}

export interface PlanChangesTask extends ChangesTask, PlanTask {
  /** Generation time of the active snapshot: epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  readonly selection: StationSelection;
  /** Values as the client wrote them: the codes of each snapshot decide how they are split. */
  readonly parameterCodes: readonly string[] | undefined;
}

export interface RenderHistoryTask extends PlanTask {
  readonly snapshots: readonly ListedSnapshot[];
}

/** Names of files beside the compiled code; clients request them under the same names. */
export type SiteDocument = 'openapi.json' | 'ogc/api' | 'llms.txt' | 'robots.txt' | 'sitemap.xml';

export interface RenderSiteDocumentTask extends DocumentTask {
  /** Whether the document describes the archive. */
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

export interface RenderPageTask extends DocumentTask {
  /** Path in `pages/` of the module that renders the state, without its extension. */
  readonly view: string;
  readonly state: PageState;
  /** Path of the page; empty for a page at any path, whose links keep the requested path. */
  readonly path: string;
  /** Path of the page that the navigation marks as current. */
  readonly section: string;
  /**
   * Age of the snapshot in whole hours; 0 without a snapshot, and for pages that do not depend on it. Pages that show
   * only whether the data are old get 0 or `OLD_HOURS`.
   */
  readonly ageHours: number;
  /** Base URL of absolute links, without a slash at its end; undefined if unused, or if the request names no host. */
  readonly baseUrl: string | undefined;
  readonly site: Site;
  /** Source of the archive's values, for pages that show them. */
  readonly daily: DailyFiles | undefined;
}

/** Whether the bundle is intact; `detail` describes the first faulty file. */
export type BundleVerdict = { readonly ok: true } | { readonly ok: false; readonly detail: string };

export interface RenderedParquet {
  readonly parquet: ArrayBuffer;
}
