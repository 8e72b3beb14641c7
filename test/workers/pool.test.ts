/** The worker pool with real threads and real jobs: results, errors made again, limits, and a thread that dies. */
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

/** One station with one series of so many hours. */
function stationTask(stationId: number, hours = 24): RenderStationsTask {
  const rows = Array.from({ length: hours }, (_, at) => [LAST_HOUR - hours + 1 + at, at] as const);
  return {
    header: HEADER,
    components: [component(1, 'PM10')],
    stations: [
      {
        ...{ id: stationId, name: `S${stationId}`, code: 'S', active: true, public: true },
        ...{ organizationId: 1, networkId: 1, networkCode: 'N', componentIds: [1], additional: {} },
      },
    ],
    observations: observationColumns([{ stationId, componentId: 1, rows }]),
  };
}

/** Of a local copy that is not there. */
const LOST: PlanExportTask = {
  ...{ location: { directory: '/nowhere' }, gzip: false, format: 'csv' },
  ...{ organizationId: 1, stationId: 1, componentId: 1, window: '1d' },
};

const namesOf = ({ index }: JoinedAnswers): readonly string[] => index.map(({ name }) => name);

void t.test('gives each job its own result', async (t) => {
  const pool = new WorkerPool({ threads: 2, maxQueue: 16 });
  const ids = [1, 2, 3, 4, 5];
  const results = await Promise.all(ids.map((id) => pool.run('render-stations', stationTask(id))));
  for (const [at, id] of ids.entries()) {
    const result = results[at];
    t.ok(result && namesOf(result).every((name) => name.startsWith(`1/${id}/`)), `station ${id}`);
  }
});

void t.test('makes an expected failure again, and passes on a bug as it is', async (t) => {
  const pool = new WorkerPool({ threads: 1, maxQueue: 16 });
  const failure = await pool.run('plan-export', LOST).catch((error: unknown) => error);
  t.ok(failure instanceof SnapshotError);
  t.match(failure, { code: 'copy_damaged', message: /\/nowhere/ });
  const { generatedAtMs } = HEADER;
  const { observations } = stationTask(1);
  const bug = pool.run('render-observations', { generatedAtMs, components: [], observations });
  await t.rejects(bug, { name: 'RangeError', message: 'no component 1' });
  t.ok(await pool.run('render-stations', stationTask(1)), 'the thread works on');
});

void t.test('refuses a job when as many wait as may', async (t) => {
  const pool = new WorkerPool({ threads: 1, maxQueue: 1 });
  await pool.run('render-stations', stationTask(1));
  const underWay = pool.run('render-stations', stationTask(2));
  const waiting = pool.run('render-stations', stationTask(3));
  await t.rejects(pool.run('render-stations', stationTask(4)), PoolBusyError);
  t.ok(await underWay);
  t.ok(await waiting);
  t.ok(await pool.run('render-stations', stationTask(4)));
});

void t.test('refuses the 33rd export that is under way, and nothing else', async (t) => {
  const pool = new WorkerPool({ threads: 1, maxQueue: 64 });
  const exports = Array.from({ length: 33 }, () =>
    pool.run('plan-export', LOST).catch((error: unknown) => error),
  );
  const other = pool.run('render-stations', stationTask(1));
  const errors = await Promise.all(exports);
  t.ok(errors.slice(0, 32).every((error) => error instanceof SnapshotError));
  t.ok(errors[32] instanceof PoolBusyError);
  t.ok(await other);
  await t.rejects(pool.run('plan-export', LOST), { code: 'copy_damaged' });
});

void t.test('loses the job of a thread that dies, and no other', async (t) => {
  // Of heaps that are made from now on: those of the threads.
  setFlagsFromString('--max-old-space-size=32');
  const pool = new WorkerPool({ threads: 2, maxQueue: 16 });
  const deadly = pool.run('render-stations', stationTask(1, 1_000_000));
  const others = [2, 3, 4].map((id) => pool.run('render-stations', stationTask(id)));
  await t.rejects(deadly, { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  const results = await Promise.all(others);
  t.ok(results.every((result) => result.index.length > 0));
  const next = await Promise.all([5, 6].map((id) => pool.run('render-stations', stationTask(id))));
  t.ok(
    next.every((result) => result.index.length > 0),
    'its place is taken',
  );
});
