/** Entry point of a worker thread: runs jobs, and returns their failures as data. */
import assert from 'node:assert/strict';
import { getPriority, setPriority } from 'node:os';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { SnapshotError, type Failure } from '../snapshot/domain/snapshot-error.js';
import { isShortage } from '../snapshot/local/read-failure.js';
import { JOBS, type Job, type JobKind, type JobResult, type JobTypes } from './messages.js';
import { loaderFrom } from './load-module.js';
import { asShortJob } from './short-jobs.js';

type ValueOf<K extends JobKind> = JobTypes[K]['value'];

type Perform<K extends JobKind> = (task: JobTypes[K]['task']) => ValueOf<K> | Promise<ValueOf<K>>;

const load = loaderFrom(import.meta.url);

/** Nice value of worker threads: fronts have priority, so that cached answers do not wait for rendered ones. */
const NICENESS = 10;

// On Linux a priority belongs to a thread (0: the calling thread), elsewhere to the process.
if (process.platform === 'linux' && getPriority(0) < NICENESS) setPriority(0, NICENESS);

/** Called by Piscina in a worker thread. */
export default async function runJob(job: Job): Promise<unknown> {
  try {
    const value = await perform(job.kind, job.task);
    const result: JobResult = { ok: true, value };
    return move({ [transferableSymbol]: partsOf(value), [valueSymbol]: result });
  } catch (error) {
    const failure = expectedFailure(error);
    // Other errors are bugs, and are thrown.
    if (failure === undefined) throw error;
    const result: JobResult = { ok: false, failure };
    return result;
  }
}

function expectedFailure(error: unknown): Failure | undefined {
  if (error instanceof SnapshotError) return { code: error.code, message: error.message };
  return isShortage(error) ? { code: 'copy_unreadable', message: String(error) } : undefined;
}

async function perform<K extends JobKind>(kind: K, task: JobTypes[K]['task']): Promise<ValueOf<K>> {
  const { module, run: name, class: jobClass } = JOBS[kind];
  const run = (load(module) as Readonly<Record<string, Perform<K>>>)[name];
  assert(run, `${module} has no ${name}`);
  return jobClass === 'long' ? await run(task) : await asShortJob(() => run(task));
}

/** Large buffers of a result, which are transferred to the other thread instead of copied. */
function partsOf(value: ValueOf<JobKind>): readonly ArrayBuffer[] {
  if ('index' in value) return [value.bytes];
  if ('parquet' in value) return [value.parquet];
  if (!('ends' in value)) return [];
  const { ends, text, deflate, csv } = value;
  return [ends, text, deflate.json, deflate.ndjson, csv.text];
}
