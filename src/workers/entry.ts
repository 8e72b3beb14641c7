/** Entry point of a worker thread: runs the function of each job, and returns what it throws as data. */
import { getPriority, setPriority } from 'node:os';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { LONG_KINDS, type Job, type JobKind, type JobResult, type JobTypes } from './messages.js';
import { asShortJob } from './short-jobs.js';

type ValueOf<K extends JobKind> = JobTypes[K]['value'];

type Perform<K extends JobKind> = (task: JobTypes[K]['task']) => ValueOf<K> | Promise<ValueOf<K>>;

/**
 * What does each kind of job: loaded by the first one, because an import needs other libraries than a page does, and
 * all of them together take a thread half a second.
 */
const JOBS: { readonly [K in JobKind]: () => Promise<Perform<K>> } = {
  'render-stations': async () => {
    const { renderStations } = await import('./jobs/import/render-stations.js');
    const { joinAnswers } = await import('./formats/answers.js');
    return (task) => joinAnswers(renderStations(task));
  },
  'render-observations': async () =>
    (await import('./jobs/import/render-observations.js')).renderObservations,
  'plan-observations': async () =>
    (await import('./jobs/answers/plan-observations.js')).planObservations,
  'plan-many-observations': async () => {
    const { planObservations } = await import('./jobs/answers/plan-observations.js');
    return (task) => planObservations(task, true);
  },
  'plan-stations': async () => (await import('./jobs/answers/plan-stations.js')).planStations,
  'plan-wide': async () => (await import('./jobs/answers/plan-wide.js')).planWide,
  'plan-latest': async () => (await import('./jobs/answers/plan-latest.js')).planLatest,
  'plan-catalog': async () => (await import('./jobs/answers/render-site-document.js')).planCatalog,
  'plan-changes': async () => (await import('./jobs/answers/plan-changes.js')).planChanges,
  'count-changes': async () => (await import('./jobs/answers/plan-changes.js')).countAllChanges,
  'read-part': async () => {
    const { readMadePart } = await import('./formats/long-text.js');
    return (task) => ({ part: readMadePart(task) });
  },
  'render-history': async () => (await import('./jobs/answers/render-history.js')).renderHistory,
  'render-site-document': async () =>
    (await import('./jobs/answers/render-site-document.js')).renderSiteDocument,
  'plan-export': async () => (await import('./jobs/answers/plan-export.js')).planExport,
  'render-page': async () => (await import('./jobs/pages/render-page.js')).renderPage,
  'render-png': async () => (await import('./jobs/pages/render-png.js')).renderPng,
  'write-observations-file': async () =>
    (await import('./jobs/import/build-bundle.js')).buildObservationsFile,
  'verify-bundle': async () => (await import('./jobs/answers/verify-bundle.js')).verifyBundle,
};

/** Whoever has an answer in memory does not wait for one that is being made. */
const NICENESS = 10;

// To Linux a priority is a thread's own, and 0 the one that asks; elsewhere it would be that of the whole process.
if (process.platform === 'linux' && getPriority(0) < NICENESS) setPriority(0, NICENESS);

const loaded = new Map<JobKind, unknown>();

/** What could not be loaded is tried again: files may have been too many for a moment. */
async function load(kind: JobKind): Promise<unknown> {
  const job = loaded.get(kind) ?? (await JOBS[kind]());
  loaded.set(kind, job);
  return job;
}

/** Piscina calls this in a worker thread. */
export default async function runJob(job: Job): Promise<unknown> {
  try {
    const value = await perform(job.kind, job.task);
    const result: JobResult = { ok: true, value };
    return move({ [transferableSymbol]: partsOf(value), [valueSymbol]: result });
  } catch (error) {
    // What no one expects is a bug, and travels as it is.
    if (!(error instanceof SnapshotError)) throw error;
    const result: JobResult = {
      ok: false,
      failure: { code: error.code, message: error.message },
    };
    return result;
  }
}

async function perform<K extends JobKind>(kind: K, task: JobTypes[K]['task']): Promise<ValueOf<K>> {
  // Loaded under its own kind, which a map of all kinds cannot say.
  const run = (await load(kind)) as Perform<K>;
  return LONG_KINDS.has(kind) ? await run(task) : await asShortJob(() => run(task));
}

/** The large buffers of a result, which are transferred instead of copied. */
function partsOf(value: ValueOf<JobKind>): readonly ArrayBuffer[] {
  if ('index' in value) return [value.bytes];
  if ('part' in value) return [value.part.buffer];
  if (!('ends' in value)) return [];
  const { ends, text, deflate } = value;
  return [ends, text, deflate.json, deflate.ndjson];
}
