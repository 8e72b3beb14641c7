/** The worker pool with real threads and real jobs: results, errors made again, limits, and a thread that dies. */
import { cp, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import t from 'tap';
import { SnapshotError } from '../../src/snapshot/domain/snapshot-error.js';
import type {
  JoinedAnswers,
  PlanExportTask,
  RenderStationsTask,
} from '../../src/workers/messages.js';
import { PoolBusyError, WorkerPool } from '../../src/workers/pool.js';
import {
  component,
  HEADER,
  LAST_HOUR,
  observationColumns,
} from '../support/expected/observation-columns.js';

/** One station with one series of `hours` hours. */
function stationTask(stationId: number, hours = 24): RenderStationsTask {
  const rows = Array.from({ length: hours }, (_, at) => [LAST_HOUR - hours + 1 + at, at] as const);
  const names = { id: stationId, name: `S${stationId}`, code: 'S', networkCode: 'N' };
  const owner = { organizationId: 1, networkId: 1, active: true, public: true };
  return {
    header: HEADER,
    components: [component(1, 'PM10')],
    stations: [{ ...names, ...owner, componentIds: [1], additional: {} }],
    observations: observationColumns([{ stationId, componentId: 1, rows }]),
  };
}

/** A task for a local copy that is missing. */
const LOST: PlanExportTask = {
  location: { directory: '/nowhere' },
  gzip: false,
  format: 'csv',
  organizationId: 1,
  stationId: 1,
  componentId: 1,
  window: '1d',
};

function counting() {
  const counts: Record<string, number> = {};
  const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
  return { counts, count };
}

const namesOf = ({ index }: JoinedAnswers): readonly string[] => index.map(({ name }) => name);

void t.test('makes an expected failure again, and passes on a bug as it is', async (t) => {
  const pool = new WorkerPool({ threads: 1 });
  const failure = await pool.run('plan-export', LOST).catch((error: unknown) => error);
  t.ok(failure instanceof SnapshotError);
  t.match(failure, { code: 'copy_damaged', message: /\/nowhere/ });
  const { observations } = stationTask(1);
  const bug = pool.run('render-observations', { header: HEADER, components: [], observations });
  await t.rejects(bug, { name: 'RangeError', message: 'no component 1' });
  t.ok(await pool.run('render-stations', stationTask(1)), 'the thread works on');
});

void t.test('refuses a job when too much work waits, but none of its own', async (t) => {
  const { counts, count } = counting();
  // Half a job of an unknown kind.
  const pool = new WorkerPool({ threads: 1, waitingMs: 10, count });
  const run = (client: string, stationId: number): Promise<JoinedAnswers> =>
    pool.share(client).run('render-stations', stationTask(stationId));
  const underWay = run('one', 1);
  const waiting = run('one', 2);
  await t.rejects(run('one', 3), PoolBusyError);
  await t.rejects(run('other', 3), PoolBusyError);
  const own = pool.run('render-stations', stationTask(4));
  t.ok(await underWay);
  t.ok(await own);
  t.ok(await waiting);
  t.ok(await run('other', 3));
  t.same(counts, { jobsStarted: 4, jobsRefused: 2 });
});

void t.test('goes by what jobs of a kind have taken', async (t) => {
  // As long as nothing is known, one job of a client may wait.
  const pool = new WorkerPool({ threads: 1, waitingMs: 40 });
  const refused = async (): Promise<number> => {
    const runs = Array.from({ length: 4 }, () => pool.share('one').run('plan-export', LOST));
    const results = await Promise.allSettled(runs);
    return results.filter(
      ({ status, ...result }) =>
        status === 'rejected' && 'reason' in result && result.reason instanceof PoolBusyError,
    ).length;
  };
  t.equal(await refused(), 2);
  for (let at = 0; at < 80; at += 1) await t.rejects(pool.run('plan-export', LOST));
  t.equal(await refused(), 0);
});

void t.test('runs no job that nobody waits for, but finishes a begun one', async (t) => {
  const { counts, count } = counting();
  const pool = new WorkerPool({ threads: 1, count });
  const begun = pool.share('one');
  const result = begun.run('render-stations', stationTask(1));
  const abandoned = Array.from({ length: 20 }, () => {
    const shared = pool.share('one');
    return { shared, result: shared.run('render-stations', stationTask(2)) };
  });
  const wanted = pool.share('one');
  const wantedResult = wanted.run('render-stations', stationTask(3));
  wanted.join('other');
  t.notOk(begun.leave('one'));
  t.notOk(wanted.leave('one'));
  for (const { shared, result } of abandoned) {
    t.ok(shared.leave('one'));
    await t.rejects(result, PoolBusyError);
    t.notOk(shared.leave('one'));
  }
  t.ok(await result);
  t.ok(await wantedResult);
  t.same(counts, { jobsStarted: 2, jobsAbandoned: 20 });
});

void t.test('loads the code of a job again where it could not be loaded before', async (t) => {
  const built = join(t.testdir(), 'src');
  await cp(resolve('build/src'), built, { recursive: true });
  const module = (await import(pathToFileURL(join(built, 'workers/pool.js')).href)) as {
    readonly WorkerPool: typeof WorkerPool;
  };
  const pool = new module.WorkerPool({ threads: 1 });
  const code = join(built, 'workers/jobs/import/render-stations.js');
  await rename(code, `${code}.away`);
  await t.rejects(pool.run('render-stations', stationTask(1)));
  await rename(`${code}.away`, code);
  t.ok(namesOf(await pool.run('render-stations', stationTask(1))).length > 0);
});

void t.test('loses the job of a thread that dies, and no other', async (t) => {
  // Heaps that are made from now on: those of the threads.
  setFlagsFromString('--max-old-space-size=32');
  const pool = new WorkerPool({ threads: 2 });
  const deadly = pool.run('render-stations', stationTask(1, 400_000));
  const others = [2, 3, 4].map((id) => pool.run('render-stations', stationTask(id)));
  await t.rejects(deadly, { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  const results = await Promise.all(others);
  t.ok(results.every((result) => result.index.length > 0));
  const next = await Promise.all([5, 6].map((id) => pool.run('render-stations', stationTask(id))));
  t.notOk(next.some((result) => result.index.length === 0));
});
