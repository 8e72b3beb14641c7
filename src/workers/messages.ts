/** Messages to and from the import process and the worker threads: plain data. */
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

/** The one message to the import process, mostly: the pointer whose snapshot it makes a local copy of. */
export interface ImportRequest {
  readonly store: StoreAccess;
  readonly pointer: Pointer;
  readonly expectedSchemaVersion: string;
  /** Which build the copy is made by. */
  readonly build: string;
  /** The directory of this namespace's local copies. */
  readonly directory: string;
  /** Threads that render and compress. */
  readonly threads: number;
}

/** An expected failure as data; the receiving side makes an error of it again. */
export interface JobFailure {
  readonly code: SnapshotErrorCode;
  readonly message: string;
}

/** Phases of an import, in order. The first two, reading and parsing, take turns. */
export const IMPORT_PHASES = ['fetch', 'parse', 'build', 'seal'] as const;
export type ImportPhase = (typeof IMPORT_PHASES)[number];

/** Resources that an import process has used, for metrics. */
export interface ImportUsage {
  /** Milliseconds of those that have come to their end. */
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

/** The one message to the process that keeps files of the archive. */
export interface KeepTask extends KeepRequest {
  readonly store: StoreAccess;
}

/** Messages of that process: what it keeps, as often as that changes, then its result. */
export type FromKeeper =
  | { readonly kind: 'state'; readonly state: ArchiveState }
  /** `dueMs`: when there is something to do again, though the index is the same; epoch milliseconds, UTC. */
  | { readonly kind: 'done'; readonly dueMs: number }
  | { readonly kind: 'failed'; readonly failure: JobFailure };

/** Many finished answers in one transferable chunk of memory. */
export interface JoinedAnswers {
  /** In the order of the bytes; `gzipBytes` is 0 where there is no compressed form. */
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

/** The jobs of a worker thread: each kind with its task and its result. */
export interface JobTypes {
  /** Renders every finished answer about some stations, at import. */
  'render-stations': JobType<RenderStationsTask, JoinedAnswers>;
  /** Renders the observations of some series, at import. */
  'render-observations': JobType<RenderObservationsTask, RenderedObservations>;
  /** Finds what an observations request is answered with. */
  'plan-observations': JobType<PlanObservationsTask, Plan>;
  /** Plans observations of many stations and hours, which may take long. */
  'plan-many-observations': JobType<PlanObservationsTask, Plan>;
  /** The HVD stations that a filter leaves. */
  'plan-stations': JobType<PlanStationsTask, Plan>;
  /** Observations as CSV with a column for each parameter. */
  'plan-wide': JobType<PlanWideTask, Plan>;
  /** The newest observation of every series that a filter leaves. */
  'plan-latest': JobType<PlanLatestTask, Plan>;
  /** The catalogue for one base URL. */
  'plan-catalog': JobType<PlanCatalogTask, Plan>;
  /** Lists the changes since a past snapshot. */
  'plan-changes': JobType<PlanChangesTask, Plan>;
  /** Daily values of the archive as CSV. */
  'plan-daily': JobType<PlanDailyTask, Plan>;
  /** How much has changed since a past snapshot, whatever a client selects. */
  'count-changes': JobType<ChangesTask, ChangeCounts>;
  /** The snapshots that a client may name. */
  'render-history': JobType<RenderHistoryTask, Plan>;
  /** A document that the build has made of the table of routes, for one base URL. */
  'render-site-document': JobType<RenderSiteDocumentTask, Plan>;
  /** One series of one window as CSV. */
  'plan-export': JobType<PlanExportTask, Plan>;
  /** Plans a spreadsheet, which takes many times as long. */
  'plan-spreadsheet': JobType<PlanExportTask, Plan>;
  /** One page in one state. */
  'render-page': JobType<RenderPageTask, Plan>;
  /** Renders one series by itself: a chart as SVG, or its days as CSV. */
  'render-series': JobType<RenderPageTask, Plan>;
  /** A chart as PNG, which takes many times as long. */
  'render-png': JobType<RenderPageTask, Plan>;
  /** A station as a workbook, with a chart as PNG. */
  'render-workbook': JobType<RenderPageTask, Plan>;
  /** The page of a station's years, from the archive. */
  'render-years': JobType<RenderPageTask, Plan>;
  /** Renders all observations as Parquet, at import. */
  'render-parquet': JobType<RenderParquetTask, RenderedParquet>;
  /** Reads every file of the bulk bundle and compares it with what the index says. */
  'verify-bundle': JobType<SnapshotLocation, BundleVerdict>;
}

export type JobKind = keyof JobTypes;

/** Kinds of jobs that make the bytes of one answer. */
type AnswerJobKind = {
  [K in JobKind]: JobTypes[K]['value'] extends Plan ? K : never;
}[JobKind];

/** One such job, without what its caller adds: the snapshot, and the content coding. */
export type AnswerJob<Kind extends AnswerJobKind = AnswerJobKind> = {
  [K in Kind]: {
    readonly kind: K;
    readonly task: Omit<JobTypes[K]['task'], 'location' | 'gzip'>;
  };
}[Kind];

/** Jobs that render a page, or a part or a file of one. */
export type PageJob =
  'render-page' | 'render-series' | 'render-png' | 'render-workbook' | 'render-years';

/** Jobs that need no snapshot. */
export type DocumentJob = AnswerJob<PageJob | 'render-site-document'>;

/** Classes of jobs, each with twice the share of the threads' time of the next one: rare jobs never wait for many. */
export const JOB_CLASSES = {
  /** The service's own work: before all else. */
  own: Infinity,
  /** Most frequent requests of programs, some milliseconds each. */
  quick: 4,
  page: 2,
  /** Pictures and exports. */
  file: 1,
  /** Long jobs: a thread works on several in turns, and where there are several threads, one takes no long job. */
  long: 1,
} as const satisfies Readonly<Record<string, number>>;

export type JobClass = keyof typeof JOB_CLASSES;

/** Where a job is done, and among which jobs it waits. */
interface JobEntry {
  /** Its module, from this folder: loaded by the first job of the kind, as others need other libraries. */
  readonly module: string;
  /** The module's function of one task. */
  readonly run: string;
  /** Jobs of one kind take about as long as each other, and those of one class do not take many times as long. */
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

/** Expected failures travel as data: an error loses its class and its code between threads. */
export type JobResult<K extends JobKind = JobKind> =
  | { readonly ok: true; readonly value: JobTypes[K]['value'] }
  | { readonly ok: false; readonly failure: JobFailure };

/** Stations with all their series, of the public part of a snapshot; columns are shared, not copied. */
export interface RenderStationsTask {
  readonly header: SnapshotHeader;
  readonly components: readonly Component[];
  readonly stations: readonly Station[];
  readonly observations: Observations;
}

/** Series in the order of the observations (`docs/http-api/values.md, "Order"`), of the public part of a snapshot. */
export interface RenderObservationsTask {
  readonly generatedAtMs: number;
  readonly components: readonly Component[];
  readonly observations: Observations;
}

/** A run without its offset in the files, which only the writer knows. */
export interface RenderedRun {
  readonly firstRecord: number;
  readonly deflate: Readonly<Record<Form, { readonly bytes: number; readonly crc32: number }>>;
}

/** The series of one task in their order, and their bytes one after the other. */
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
  /** In the form NDJSON. */
  readonly text: ArrayBuffer;
  readonly deflate: Readonly<Record<Form, ArrayBuffer>>;
  /** As lines of CSV, and these compressed. */
  readonly csv: { readonly text: ArrayBuffer; readonly deflated: DeflatedText };
}

/** A front's message to its threads that it no longer uses a copy: the copy's directory. */
export const RETIRED_CHANNEL = 'bura-retired-copies';

/** A local copy that a worker thread is to open: the front holds a lease on it meanwhile. */
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

/** Kept files with daily values, ascending by year, and whose rows are left out. */
export interface DailyFiles {
  readonly folder: string;
  readonly files: readonly KeptFile[];
  /** The list of the archive's stations; undefined while it is not kept. */
  readonly stations: KeptFile | undefined;
  readonly hidden: HiddenIds;
}

export interface PlanDailyTask extends PlanTask, DailyFiles {
  readonly stationIds: readonly number[];
  /** Undefined: all. */
  readonly parameterCodes: readonly string[] | undefined;
  /** Days since the epoch, UTC: the first, and the one after the last. Undefined: all. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export interface PlanCatalogTask extends PlanTask {
  readonly baseUrl: string;
}

/** Two snapshots that are kept. */
export interface ChangesTask {
  /** Folder of the files of past snapshots. */
  readonly folder: string;
  readonly since: DocumentName;
  /** The one that is served. */
  readonly current: DocumentName;
}

export interface PlanChangesTask extends ChangesTask, PlanTask {
  /** Generation time of the active snapshot: epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  readonly selection: StationSelection;
  /** As a client has written them: which codes they name depends on the snapshot. */
  readonly parameterCodes: readonly string[] | undefined;
}

export interface RenderHistoryTask extends PlanTask {
  /** Newest first. */
  readonly snapshots: readonly ListedSnapshot[];
}

/** Names of files beside the compiled code, and of what they are served as. */
export type SiteDocument = 'openapi.json' | 'llms.txt' | 'robots.txt' | 'sitemap.xml';

export interface RenderSiteDocumentTask {
  /** Undefined: there is no snapshot to take examples from. */
  readonly location: SnapshotLocation | undefined;
  readonly gzip: boolean;
  /** Whether the service has an archive, whose pages the sitemap then names. */
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
  /** Undefined: there is no snapshot to show. */
  readonly location: SnapshotLocation | undefined;
  readonly gzip: boolean;
  /** The module that renders it, from `pages/`, and the state that this gets. */
  readonly view: string;
  readonly state: PageState;
  /** Path of the page, empty when it can stand at any path; and the path that navigation marks as the current one. */
  readonly path: string;
  readonly section: string;
  /** Whole hours since the snapshot was made, at least 0; 0 without a snapshot, and where the page does not show it. */
  readonly ageHours: number;
  /** Base URL of absolute links, without a slash at its end; undefined when neither configured nor requested. */
  readonly baseUrl: string | undefined;
  readonly site: Site;
  /** Source of a page of the archive's values; undefined for any other page, and without an archive. */
  readonly daily: DailyFiles | undefined;
}

/** The first file that is not what the index says. */
export type BundleVerdict = { readonly ok: true } | { readonly ok: false; readonly detail: string };

/** The public part of a snapshot; columns are shared, not copied. */
export interface RenderParquetTask {
  readonly header: SnapshotHeader;
  readonly components: readonly Component[];
  readonly observations: Observations;
}

export interface RenderedParquet {
  /** The whole file. */
  readonly parquet: ArrayBuffer;
}
