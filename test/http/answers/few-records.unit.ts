/** Observations that a front finds by itself: the same as a worker finds, and only few of few series. */
import type { Buffer } from 'node:buffer';
import t from 'tap';
import { BlockCache } from '../../../src/http/answers/block-cache.js';
import type { Selection } from '../../../src/snapshot/domain/selection.js';
import { LeasedSnapshot } from '../../../src/snapshot/local/lease.js';
import {
  planFew,
  type RecordsQuery,
} from '../../../src/snapshot/local/observations/records-plan.js';
import type { Plan } from '../../../src/snapshot/local/plan.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import { planObservations } from '../../../src/workers/jobs/answers/plan-observations.js';
import { bytesOfChunks } from '../../support/readers/chunk-bytes.js';
import { writeObservationsCopy } from '../../support/documents/local-copy.js';
import {
  component,
  LAST_HOUR,
  observationColumns,
} from '../../support/expected/observation-columns.js';

const COMPONENTS = Array.from({ length: 17 }, (_, at) => component(at + 1, `C${at + 10}`));

const ALL: Selection = {
  stationIds: undefined,
  parameterCodes: undefined,
  active: undefined,
  municipality: undefined,
  stationType: undefined,
  box: undefined,
  circle: undefined,
};

void t.test('finds what a worker finds, where it is little enough', async (t) => {
  const hours = (records: number): readonly (readonly [number, number])[] =>
    Array.from({ length: records }, (_, at) => [LAST_HOUR - records + at, at / 3] as const);
  const directory = await writeObservationsCopy(t, {
    components: COMPONENTS,
    observations: observationColumns([
      // Two series of 600 and one of 300 hours; 17 of one hour each.
      { stationId: 1, componentId: 1, rows: hours(600) },
      { stationId: 1, componentId: 2, rows: hours(600) },
      { stationId: 2, componentId: 1, rows: hours(300) },
      ...COMPONENTS.map(({ id }) => ({ stationId: 3, componentId: id, rows: hours(1) })),
    ]),
  });
  const reader = new SnapshotReader(directory);
  t.teardown(() => reader.close());
  const blocks = new BlockCache(new LeasedSnapshot(reader, () => undefined), (error) => {
    throw error;
  });
  const list = reader.seriesList();
  const ask = (
    selection: { stationIds?: number[]; parameterCodes?: string[]; active?: boolean },
    hours: number,
    form: 'json' | 'ndjson',
    gzip: boolean,
  ): RecordsQuery => ({
    selection: { ...ALL, ...selection },
    interval: { from: LAST_HOUR - hours, to: LAST_HOUR + 1 },
    form,
    gzip,
  });
  const bytesOf = ({ chunks }: Plan): Buffer => bytesOfChunks(chunks, reader);
  for (const form of ['json', 'ndjson'] as const) {
    for (const gzip of [false, true]) {
      const found: [string, Parameters<typeof ask>[0], number, number | undefined][] = [
        ['one series', { stationIds: [1], parameterCodes: ['C10'] }, 720, 600],
        ['a part of it', { stationIds: [1], parameterCodes: ['C10'] }, 24, 24],
        ['a station', { stationIds: [1] }, 500, 1000],
        ['more than 1,000 records', { stationIds: [1] }, 501, undefined],
        ['more than 16 series', { stationIds: [3] }, 24, undefined],
        ['16 of them at the most', { stationIds: [3], parameterCodes: ['C26', 'C27'] }, 24, 1],
        ['no station, of more than 16 series', { parameterCodes: ['C10'] }, 1, undefined],
        ['a station that is not there', { stationIds: [4] }, 24, 0],
        ['no station at all', { stationIds: [] }, 24, 0],
        ['two stations', { stationIds: [1, 2] }, 24, undefined],
        ['stations by more than an id', { stationIds: [1], active: true }, 24, undefined],
      ];
      for (const [what, selection, hours, expected] of found) {
        const query = ask(selection, hours, form, gzip);
        const few = planFew(blocks, list, query);
        t.equal(few?.records, expected, `${what}, ${form}`);
        if (few === undefined) continue;
        const planned = await planObservations({ location: { directory }, ...query });
        t.ok(bytesOf(few).equals(bytesOf(planned)), `${what}: the same bytes`);
        t.same(few.checksum, planned.checksum);
      }
    }
  }
});
