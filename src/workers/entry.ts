/** The doing side of the worker threads: from job to function. A throw leaves as data. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { SnapshotError } from '../snapshot/errors.js';
import { packAnswers } from './formats/answers.js';
import { renderStations } from './jobs/render-stations.js';
import type { Job, JobResult } from './messages.js';

/** Piscina calls this in a worker thread. */
export default function runJob(job: Job): unknown {
  try {
    return perform(job);
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    return { ok: false, failure: { code: error.code, message: error.message } } satisfies JobResult;
  }
}

function perform(job: Job): unknown {
  // One kind so far; the types ask for a switch as soon as there are two.
  const value = packAnswers(renderStations(job.task));
  return moved({ ok: true, value }, value.bytes);
}

/** A result whose large part changes hands instead of being copied. */
function moved(result: JobResult, part: ArrayBuffer): unknown {
  return move({ [transferableSymbol]: [part], [valueSymbol]: result });
}
