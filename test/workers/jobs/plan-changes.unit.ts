/** Changes as workers make them from two files: small when little has changed, and equal in every instance. */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { changesAtSwap } from '../../../src/http/answers/changes-at-swap.js';
import { writePast } from '../../../src/snapshot/history/past-files.js';
import type { PastSnapshot } from '../../../src/snapshot/history/past-snapshot.js';
import { planChanges } from '../../../src/workers/jobs/answers/plan-changes.js';
import { WorkerPool } from '../../../src/workers/pool.js';
import { randomNumbers } from '../../support/documents/random.js';

const HOUR_MS = 3_600_000;
const GENERATED_AT_MS = Date.parse('2026-02-09T00:00:00Z');
const CODES = ['CO', 'NO', 'NO2', 'O3', 'PM10', 'PM2.5', 'SO2', 'benzene', 'toluene', 'PM1'];
const STATIONS = 30;

const ANYWHERE = { municipality: undefined, box: undefined, circle: undefined };
const ALL = { ...ANYWHERE, stationIds: undefined, active: undefined, stationType: undefined };

void t.test('a new hour of 300 series is less than 4 kB in gzip', async (t) => {
  const { folder, task } = await twoSnapshots(t);
  const { coding, records, totalBytes } = await planChanges({ ...task, folder, gzip: true });
  t.same([coding, records], ['gzip', 300]);
  t.ok(totalBytes < 4096, `${totalBytes} bytes`);
});

void t.test('counts for those who tell clients of a swap', async (t) => {
  const { folder } = await twoSnapshots(t);
  const pool = new WorkerPool({ threads: 1 });
  const damaged: string[] = [];
  const onDamaged = (ids: readonly string[]): void => void damaged.push(...ids);
  const entry = { generatedAtMs: 0, activatedAtMs: 0, measurementRows: 0 };
  const snapshots = ['new', 'old', 'lost'].map((id) => ({ ...nameOf(id), ...entry }));
  const list = { folder, snapshots, activatedAtMs: 0 };
  const since = (previousId: string | undefined) =>
    changesAtSwap('new', { current: { ...list, previousId }, onDamaged }, pool);
  t.equal(await since(undefined), undefined, 'none was served before');
  t.equal(await since('aged'), undefined, 'its rows are not stored');
  t.strictSame(damaged, []);
  const counts = { added: 300, changed: 0, withdrawn: 0 };
  t.strictSame(await since('old'), { previousSnapshotId: 'old', ...counts });
  t.equal(await since('lost'), undefined, 'it cannot be read');
  t.strictSame(damaged, ['lost', 'new']);
});

function nameOf(snapshotId: string) {
  return { snapshotId, documentSha256: `digest of ${snapshotId}` };
}

/** The files of two snapshots; the newer one has an additional hour of 300 series. */
async function twoSnapshots(t: Test) {
  const folder = t.testdir();
  const snapshot = (snapshotId: string, hours: number): PastSnapshot => ({
    ...nameOf(snapshotId),
    measurementRows: hours * 300,
    parameterCodes: CODES,
    generatedAtMs: GENERATED_AT_MS + hours * HOUR_MS,
    stations: Array.from({ length: STATIONS }, (_, at) => station(at)),
    series: Array.from({ length: STATIONS * CODES.length }, (_, at) => ({
      stationId: station(Math.floor(at / CODES.length)).id,
      parameterCode: CODES[at % CODES.length] ?? '',
      hours: Int32Array.from({ length: hours }, (_, hour) => GENERATED_AT_MS / HOUR_MS + hour),
      values: values(at, hours),
    })),
  });
  await writePast(folder, snapshot('old', 48));
  await writePast(folder, snapshot('new', 49));
  const generatedAtMs = GENERATED_AT_MS + 49 * HOUR_MS;
  const location = { directory: join(folder, 'new~build') };
  const task = { location, since: nameOf('old'), current: nameOf('new'), generatedAtMs };
  return { folder, task: { ...task, selection: ALL, parameterCodes: undefined } };
}

function station(at: number) {
  const place = { stationType: undefined, latitude: undefined, longitude: undefined };
  return { id: 28_005_002 + 997 * at, active: true, municipality: undefined, ...place };
}

/** Tenths below 100, the same ones for the same series. */
function values(seed: number, hours: number): Float64Array {
  const random = randomNumbers(seed + 1);
  return Float64Array.from({ length: hours }, () => Math.floor(random() * 1000) / 10);
}
