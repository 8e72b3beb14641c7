/** Entry point of a worker thread: runs the function of each job, and returns what it throws as data. */
import { getPriority, setPriority } from 'node:os';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { isShortage } from '../snapshot/local/read-failure.js';
import type * as Answers from './formats/answers.js';
import type * as PlanChanges from './jobs/answers/plan-changes.js';
import type * as PlanDaily from './jobs/answers/plan-daily.js';
import type * as PlanExport from './jobs/answers/plan-export.js';
import type * as PlanLatest from './jobs/answers/plan-latest.js';
import type * as PlanObservations from './jobs/answers/plan-observations.js';
import type * as PlanStations from './jobs/answers/plan-stations.js';
import type * as PlanWide from './jobs/answers/plan-wide.js';
import type * as RenderHistory from './jobs/answers/render-history.js';
import type * as RenderSiteDocument from './jobs/answers/render-site-document.js';
import type * as VerifyBundle from './jobs/answers/verify-bundle.js';
import type * as RenderObservations from './jobs/import/render-observations.js';
import type * as RenderParquet from './jobs/import/render-parquet.js';
import type * as RenderStations from './jobs/import/render-stations.js';
import type * as RenderPage from './jobs/pages/render-page.js';
import type * as RenderPng from './jobs/pages/render-png.js';
import type * as RenderWorkbook from './jobs/pages/render-workbook.js';
import {
  CLASS_OF_KIND,
  type Failure,
  type Job,
  type JobKind,
  type JobResult,
  type JobTypes,
} from './messages.js';
import { loaderFrom } from './load-module.js';
import { asShortJob } from './short-jobs.js';

type ValueOf<K extends JobKind> = JobTypes[K]['value'];

type Perform<K extends JobKind> = (task: JobTypes[K]['task']) => ValueOf<K> | Promise<ValueOf<K>>;

const load = loaderFrom(import.meta.url);

/**
 * What does each kind of job: loaded by the first one, because an import needs other libraries than a page does, and
 * all of them together take a thread half a second.
 */
const JOBS: { readonly [K in JobKind]: () => Perform<K> } = {
  'render-stations': () => {
    const { renderStations } = load('./jobs/import/render-stations.js') as typeof RenderStations;
    const { joinAnswers } = load('./formats/answers.js') as typeof Answers;
    return (task) => joinAnswers(renderStations(task));
  },
  'render-observations': () =>
    (load('./jobs/import/render-observations.js') as typeof RenderObservations).renderObservations,
  'plan-observations': () =>
    (load('./jobs/answers/plan-observations.js') as typeof PlanObservations).planObservations,
  'plan-many-observations': () => {
    const module = load('./jobs/answers/plan-observations.js') as typeof PlanObservations;
    return (task) => module.planObservations(task, true);
  },
  'plan-stations': () =>
    (load('./jobs/answers/plan-stations.js') as typeof PlanStations).planStations,
  'plan-wide': () => (load('./jobs/answers/plan-wide.js') as typeof PlanWide).planWide,
  'plan-daily': () => (load('./jobs/answers/plan-daily.js') as typeof PlanDaily).planDaily,
  'plan-latest': () => (load('./jobs/answers/plan-latest.js') as typeof PlanLatest).planLatest,
  'plan-catalog': () =>
    (load('./jobs/answers/render-site-document.js') as typeof RenderSiteDocument).planCatalog,
  'plan-changes': () => (load('./jobs/answers/plan-changes.js') as typeof PlanChanges).planChanges,
  'count-changes': () =>
    (load('./jobs/answers/plan-changes.js') as typeof PlanChanges).countAllChanges,
  'render-history': () =>
    (load('./jobs/answers/render-history.js') as typeof RenderHistory).renderHistory,
  'render-site-document': () =>
    (load('./jobs/answers/render-site-document.js') as typeof RenderSiteDocument)
      .renderSiteDocument,
  'plan-export': () => (load('./jobs/answers/plan-export.js') as typeof PlanExport).planExport,
  'plan-spreadsheet': () => (load('./jobs/answers/plan-export.js') as typeof PlanExport).planExport,
  'render-page': () => (load('./jobs/pages/render-page.js') as typeof RenderPage).renderPage,
  'render-series': () => (load('./jobs/pages/render-page.js') as typeof RenderPage).renderPage,
  'render-png': () => (load('./jobs/pages/render-png.js') as typeof RenderPng).renderPng,
  'render-workbook': () =>
    (load('./jobs/pages/render-workbook.js') as typeof RenderWorkbook).renderWorkbook,
  'render-parquet': () =>
    (load('./jobs/import/render-parquet.js') as typeof RenderParquet).renderParquet,
  'verify-bundle': () =>
    (load('./jobs/answers/verify-bundle.js') as typeof VerifyBundle).verifyBundle,
};

/** Whoever has an answer in memory does not wait for one that is being made. */
const NICENESS = 10;

// To Linux a priority is a thread's own, and 0 the one that asks; elsewhere it would be that of the whole process.
if (process.platform === 'linux' && getPriority(0) < NICENESS) setPriority(0, NICENESS);

/** Piscina calls this in a worker thread. */
export default async function runJob(job: Job): Promise<unknown> {
  try {
    const value = await perform(job.kind, job.task);
    const result: JobResult = { ok: true, value };
    return move({ [transferableSymbol]: partsOf(value), [valueSymbol]: result });
  } catch (error) {
    const failure = failureOf(error);
    // What no one expects is a bug, and travels as it is.
    if (failure === undefined) throw error;
    const result: JobResult = { ok: false, failure };
    return result;
  }
}

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof SnapshotError) return { code: error.code, message: error.message };
  return isShortage(error) ? { code: 'copy_unreadable', message: String(error) } : undefined;
}

async function perform<K extends JobKind>(kind: K, task: JobTypes[K]['task']): Promise<ValueOf<K>> {
  const run = JOBS[kind]();
  return CLASS_OF_KIND[kind] === 'long' ? await run(task) : await asShortJob(() => run(task));
}

/** The large buffers of a result, which are transferred instead of copied. */
function partsOf(value: ValueOf<JobKind>): readonly ArrayBuffer[] {
  if ('index' in value) return [value.bytes];
  if ('parquet' in value) return [value.parquet];
  if (!('ends' in value)) return [];
  const { ends, text, deflate, csv } = value;
  return [ends, text, deflate.json, deflate.ndjson, csv.text];
}
