/** Observations that a front finds by itself: the same as a worker finds, and only few of few series. */
import { Buffer } from 'node:buffer';
import t from 'tap';
import { BlockCache } from '../../../src/http/answers/block-cache.js';
import { FewRecords, type RecordsQuery } from '../../../src/http/answers/few-records.js';
import { LeasedSnapshot } from '../../../src/snapshot/local/lease.js';
import type { Plan } from '../../../src/snapshot/local/plan.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import { planObservations } from '../../../src/workers/jobs/answers/plan-observations.js';
import { writeObservationsCopy } from '../../support/documents/local-copy.js';
import {
  component,
  LAST_HOUR,
  observationColumns,
} from '../../support/expected/observation-columns.js';

const COMPONENTS = Array.from({ length: 17 }, (_, at) => component(at + 1, `C${at + 10}`));

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
  const records = new FewRecords(reader, blocks);
  const ask = (
    filter: { stationId?: string; parameterCode?: string },
    hours: number,
    form: 'json' | 'ndjson',
    gzip: boolean,
  ): RecordsQuery => ({
    filter: { stationId: undefined, parameterCode: undefined, ...filter },
    interval: { from: LAST_HOUR - hours, to: LAST_HOUR + 1 },
    form,
    gzip,
  });
  const bytesOf = ({ chunks }: Plan): Buffer =>
    Buffer.concat(
      chunks.map((chunk) =>
        chunk.kind === 'bytes' ? chunk.bytes : reader.read(chunk.file, chunk.offset, chunk.length),
      ),
    );
  for (const form of ['json', 'ndjson'] as const) {
    for (const gzip of [false, true]) {
      const found: [string, Parameters<typeof ask>[0], number, number | undefined][] = [
        ['one series', { stationId: '1', parameterCode: 'C10' }, 720, 600],
        ['a part of it', { stationId: '1', parameterCode: 'C10' }, 24, 24],
        ['a station', { stationId: '1' }, 500, 1000],
        ['more than 1,000 records', { stationId: '1' }, 501, undefined],
        ['more than 16 series', { stationId: '3' }, 24, undefined],
        ['16 of them at the most', { stationId: '3', parameterCode: 'C26' }, 24, 1],
        ['no station, of more than 16 series', { parameterCode: 'C10' }, 1, undefined],
        ['a station that is not there', { stationId: '4' }, 24, 0],
        ['another text of its number', { stationId: '01' }, 24, 0],
      ];
      for (const [what, filter, hours, expected] of found) {
        const query = ask(filter, hours, form, gzip);
        const few = records.few(query);
        t.equal(few?.records, expected, `${what}, ${form}`);
        if (few === undefined) continue;
        const planned = planObservations({ location: { directory }, ...query });
        t.ok(bytesOf(few).equals(bytesOf(planned)), `${what}: the same bytes`);
        t.same(few.checksum, planned.checksum);
      }
    }
  }
});
