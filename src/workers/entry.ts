/** The doing side of the worker threads: from job to function. A throw leaves as data. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { SnapshotError } from '../snapshot/errors.js';
import { packAnswers } from './formats/answers.js';
import { buildObservationsFile } from './jobs/build-bundle.js';
import { planCatalog } from './jobs/plan-catalog.js';
import { planExport } from './jobs/plan-export.js';
import { planLatest } from './jobs/plan-latest.js';
import { planOpenApi } from './jobs/plan-openapi.js';
import { planObservations } from './jobs/plan-observations.js';
import { planStations } from './jobs/plan-stations.js';
import { renderPage } from './jobs/render-page.js';
import { renderObservations } from './jobs/render-observations.js';
import { renderStations } from './jobs/render-stations.js';
import { verifyBundle } from './jobs/verify-bundle.js';
import type { Job, JobKind, JobResult, JobTypes } from './messages.js';

/** Piscina calls this in a worker thread. */
export default function runJob(job: Job): unknown {
  try {
    const result = perform(job);
    return result instanceof Promise ? result.catch(failed) : result;
  } catch (error) {
    return failed(error);
  }
}

/** @throws what no one expects: a bug. */
function failed(error: unknown): JobResult {
  if (!(error instanceof SnapshotError)) throw error;
  return { ok: false, failure: { code: error.code, message: error.message } };
}

function perform(job: Job): unknown {
  switch (job.kind) {
    case 'render-stations': {
      const value: ValueOf<'render-stations'> = packAnswers(renderStations(job.task));
      return done(value, [value.bytes]);
    }
    case 'render-observations': {
      const value: ValueOf<'render-observations'> = renderObservations(job.task);
      const { json, ndjson } = value;
      return done(value, [json.text, json.deflate, ndjson.text, ndjson.deflate]);
    }
    case 'plan-observations':
      return done(planObservations(job.task));
    case 'plan-stations':
      return done(planStations(job.task));
    case 'plan-latest':
      return done(planLatest(job.task));
    case 'plan-catalog':
      return done(planCatalog(job.task));
    case 'plan-openapi':
      return done(planOpenApi(job.task));
    case 'plan-export':
      return planExport(job.task).then((plan) => done(plan));
    case 'render-page':
      return done(renderPage(job.task));
    case 'write-observations-file':
      return done(buildObservationsFile(job.task));
    case 'verify-bundle':
      return done(verifyBundle(job.task));
  }
}

type ValueOf<K extends JobKind> = JobTypes[K]['value'];

/** @param parts that change hands instead of being copied. */
function done(value: ValueOf<JobKind>, parts: readonly ArrayBuffer[] = []): unknown {
  const result: JobResult = { ok: true, value };
  return move({ [transferableSymbol]: parts, [valueSymbol]: result });
}
