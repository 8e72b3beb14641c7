/** Plans of observations: for any filter and window, their chunks are the very bytes of the records that fit. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { withEnvelope } from '../../../../src/snapshot/local/plan.js';
import {
  findRecords,
  planRecords,
} from '../../../../src/snapshot/local/observations/records-plan.js';
import type { Plan } from '../../../../src/snapshot/local/plan.js';
import type { SeriesFilter } from '../../../../src/snapshot/local/observations/series-list.js';
import { selectedIds } from '../../../../src/snapshot/domain/selection.js';
import type { SnapshotReader } from '../../../../src/snapshot/local/reader.js';
import { createObservationJson } from '../../../../src/views/hvd/observation.js';
import {
  clipWindow,
  hoursOfWindow,
  listEnvelope,
  streamEnvelope,
  type RequestedWindow,
} from '../../../../src/views/hvd/window.js';
import { bytesOfChunks } from '../../../support/readers/chunk-bytes.js';
import { onlyMember } from '../../../support/readers/gzip-member.js';
import { openCopy, writeObservationsCopy } from '../../../support/documents/local-copy.js';
import {
  component,
  HEADER,
  LAST_HOUR,
  observationColumns,
  type SeriesRows,
} from '../../../support/expected/observation-columns.js';

const HOUR_MS = 3_600_000;
const UTF8 = new TextDecoder();

const COMPONENTS = [component(1, 'PM10'), component(2, 'Ć'), component(3, 'A b')];

/** Runs of ten days that are full, that have one row, and that are not there. */
const SERIES: readonly SeriesRows[] = [
  rows(1, 1, (hour) => hour <= 720),
  rows(1, 2, (hour) => hour % 72 === 5),
  rows(2, 3, (hour) => hour <= 3 || hour >= 700),
  rows(10, 1, (hour) => hour <= 720 && hour % 2 === 0),
  rows(10, 3, (hour) => hour === 400),
];

function rows(
  stationId: number,
  componentId: number,
  has: (hoursAgo: number) => boolean,
): SeriesRows {
  const hours = Array.from({ length: 720 }, (_, at) => 720 - at).filter(has);
  return {
    stationId,
    componentId,
    rows: hours.map((ago) => [LAST_HOUR + 1 - ago, ago % 13 === 0 ? null : ago / 7]),
  };
}

void t.test('hold exactly what a filter leaves', async (t) => {
  const observations = observationColumns(SERIES);
  const directory = await writeObservationsCopy(t, { components: COMPONENTS, observations });
  const reader = openCopy(t, directory);
  const seen = { chunks: 0, records: 0 };
  const epochMs = fc.option(
    fc
      .tuple(fc.integer({ min: -740, max: 20 }), fc.constantFrom(0, 0, 1, HOUR_MS - 1))
      .map(([hours, more]) => HEADER.generatedAtMs + hours * HOUR_MS + more),
    { nil: undefined },
  );
  const query = fc.record({
    from: epochMs,
    to: epochMs,
    stationId: fc.constantFrom(undefined, '1', '2', '10', '3'),
    parameterCode: fc.constantFrom(undefined, undefined, 'PM10', 'Ć', 'A b', ''),
  });
  fc.assert(
    fc.property(query, fc.constantFrom('json', 'ndjson'), fc.boolean(), (asked, form, gzip) => {
      const plan = planOf(reader, asked, { form, gzip });
      const records = expectedRecords(asked);
      assert.equal(plan.records, records.length);
      const bytes = bytesOfChunks(plan.chunks, reader);
      assert.equal(bytes.length, plan.totalBytes);
      assert.equal(plan.coding, gzip && records.length >= 3 ? 'gzip' : 'identity');
      const text = UTF8.decode(plan.coding === 'gzip' ? onlyMember(bytes) : bytes);
      const own = form === 'json' ? listRecords(text) : text.split('\n').slice(1, -1);
      if (own.join('\n') !== records.join('\n')) assert.fail(`other records for ${form}`);
      seen.chunks = Math.max(seen.chunks, plan.chunks.length);
      seen.records = Math.max(seen.records, records.length);
    }),
    {
      numRuns: 400,
      // Chance leaves it out now and then.
      examples: [
        [
          { from: undefined, to: undefined, stationId: undefined, parameterCode: undefined },
          'json',
          false,
        ],
      ],
    },
  );
  t.ok(seen.chunks > 1 && seen.records > 1000, JSON.stringify(seen));
});

void t.test('hold no memory beside their own bytes', async (t) => {
  const observations = observationColumns(SERIES);
  const directory = await writeObservationsCopy(t, { components: COMPONENTS, observations });
  const reader = openCopy(t, directory);
  const from = HEADER.generatedAtMs - 500 * HOUR_MS;
  const query = { from, to: undefined, stationId: undefined, parameterCode: undefined };
  for (const form of ['json', 'ndjson'] as const) {
    for (const gzip of [false, true]) {
      const { chunks } = recordsOf(reader, query, { form, gzip });
      for (const chunk of chunks) {
        if (chunk.kind === 'bytes') t.equal(chunk.bytes.buffer.byteLength, chunk.bytes.byteLength);
      }
    }
  }
});

interface Query extends RequestedWindow {
  readonly stationId: string | undefined;
  readonly parameterCode: string | undefined;
}

function filterOf({ stationId, parameterCode }: Query): SeriesFilter {
  return {
    stationIds: stationId === undefined ? undefined : selectedIds([stationId]),
    parameterCodes: parameterCode === undefined ? undefined : [parameterCode],
  };
}

interface Wanted {
  readonly form: 'json' | 'ndjson';
  readonly gzip: boolean;
}

function recordsOf(reader: SnapshotReader, query: Query, wanted: Wanted): Plan {
  const interval = hoursOfWindow(clipWindow(query, HEADER.generatedAtMs));
  const found = findRecords(reader, reader.seriesList().select(filterOf(query)), interval, wanted);
  return planRecords(reader, found, wanted);
}

function planOf(reader: SnapshotReader, query: Query, wanted: Wanted): Plan {
  const envelope =
    wanted.form === 'json' ? listEnvelope(HEADER, query) : streamEnvelope(HEADER, query);
  return withEnvelope(reader, recordsOf(reader, query, wanted), envelope);
}

/** Text of the records, in order. */
function expectedRecords({ from = -Infinity, to = Infinity, ...filter }: Query): string[] {
  const rendererOf = createObservationJson(HEADER.generatedAtMs);
  return [...SERIES]
    .map((series) => {
      const { shortName = '', unit = '' } =
        COMPONENTS.find(({ id }) => id === series.componentId) ?? {};
      return { ...series, parameterCode: shortName, unit };
    })
    .sort((a, b) => a.stationId - b.stationId || (a.parameterCode < b.parameterCode ? -1 : 1))
    .filter(
      ({ stationId, parameterCode }) =>
        (filter.stationId === undefined || filter.stationId === String(stationId)) &&
        (filter.parameterCode === undefined || filter.parameterCode === parameterCode),
    )
    .flatMap((series) =>
      series.rows
        .filter(([hour]) => hour * HOUR_MS >= from && hour * HOUR_MS < to)
        .map(([hour, value]) => rendererOf(series)(hour, value ?? NaN)),
    );
}

/** Records of a list, as they stand in it. */
function listRecords(text: string): readonly string[] {
  const end = text.lastIndexOf('],"meta":');
  const inner = text.slice('{"data":['.length, end);
  return inner === '' ? [] : inner.split(/(?<=\}),(?=\{)/);
}
