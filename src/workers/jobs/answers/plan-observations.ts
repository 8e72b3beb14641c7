/** Finds the finished bytes that an observations request is answered with, and makes the few that it lacks. */
import {
  chunkFile,
  RECORD_END,
  type SeriesChunk,
  type SeriesChunks,
} from '../../../snapshot/local/chunks.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import { clipWindow, hoursOfWindow, viewObservationsMeta } from '../../../views/hvd/window.js';
import { openSnapshot, type SeriesIndex } from '../../open-snapshot.js';
import { GzipAssembly, TextAssembly, type Assembly } from '../../formats/assembly.js';
import type { ObservationsQuery, Plan, PlanObservationsTask } from '../../messages.js';

/** Such an answer is sent in one chunk, so it is put together here. */
const WHOLE_BYTES_MAX = 256 * 1024;

/** Three records are about as long as the smallest answer that is worth compressing. */
const GZIP_RECORDS_MIN = 3;

/** What the stream says of its own order. */
const RECORD_ORDER = 'store retrieval order: station_id, parameter_code, time_start_utc';

/**
 * The plan of `GET /api/v1/observations` (form `json`) or `/observations/stream` (form `ndjson`).
 *
 * Costs what it answers, not what the snapshot holds: series are found by their keys, whole chunks are referred to,
 * and only the chunks that `from` and `to` cut are read.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export function planObservations({ location, query, form, gzip }: PlanObservationsTask): Plan {
  const { reader, series } = openSnapshot(location);
  const interval = hoursOfWindow(clipWindow(query, reader.header.generatedAtMs));
  const selections = select(series, query).flatMap((series) =>
    selectionsOf(reader, series, interval),
  );
  const records = selections.reduce((sum, selection) => sum + selection.records, 0);
  // A few records are less than a packet: compression saves nothing.
  const compressed = gzip && records >= GZIP_RECORDS_MIN;
  const assembly = compressed
    ? new GzipAssembly(reader.files, form)
    : new TextAssembly(reader.files, form);
  const meta = viewObservationsMeta(reader.header, query);
  if (form === 'ndjson') {
    const line = { ...meta, streaming: true, record_order: RECORD_ORDER };
    assembly.addText(Buffer.from(`${JSON.stringify({ meta: line })}\n`));
    addSelections(assembly, selections);
  } else {
    assembly.addText(Buffer.from('{"data":['));
    addSelections(assembly, selections);
    // The list has commas between records, not after the last one.
    if (records > 0) assembly.dropLast(RECORD_END.json.length);
    assembly.addText(Buffer.from(`],"meta":${JSON.stringify({ ...meta, count: records })}}`));
  }
  return assembly.finish({ records, wholeBytesMax: WHOLE_BYTES_MAX });
}

/** Some records of one chunk: all of them, or those that the window leaves. */
interface Selection {
  readonly chunk: SeriesChunk;
  readonly records: number;
  /** Within the chunk's text. */
  readonly start: number;
  readonly end: number;
}

function addSelections(assembly: Assembly, selections: readonly Selection[]): void {
  for (const { chunk, start, end } of selections) {
    if (end - start === chunk.textBytes) assembly.addChunk(chunk);
    else assembly.addSlice(chunk, start, end);
  }
}

function select(series: SeriesIndex, query: ObservationsQuery): readonly SeriesChunks[] {
  const { stationId, parameterCode } = query;
  if (stationId !== undefined) {
    const own = series.byStation.get(stationId) ?? [];
    if (parameterCode === undefined) return own;
    return own.filter((series) => series.parameterCode === parameterCode);
  }
  return parameterCode === undefined ? series.all : (series.byParameter.get(parameterCode) ?? []);
}

function selectionsOf(
  reader: SnapshotReader,
  series: SeriesChunks,
  interval: HourInterval,
): Selection[] {
  return series.chunks.flatMap((chunk) => {
    if (chunk.lastHour < interval.from || chunk.firstHour >= interval.to) return [];
    if (chunk.firstHour >= interval.from && chunk.lastHour < interval.to) {
      return [{ chunk, records: chunk.records, start: 0, end: chunk.textBytes }];
    }
    return cutChunk(reader, { series, chunk, interval });
  });
}

function cutChunk(
  reader: SnapshotReader,
  { series, chunk, interval }: { series: SeriesChunks; chunk: SeriesChunk; interval: HourInterval },
): Selection[] {
  const hours = [...reader.observations(series, { from: chunk.firstHour, to: chunk.lastHour + 1 })];
  const before = hours.filter(({ hour }) => hour < interval.from).length;
  const records = hours.filter(({ hour }) => hour >= interval.from && hour < interval.to).length;
  if (records === 0) return [];
  // Records hold no line feed of their own, so the line feeds of this form are where they end.
  const text = reader.files.read(chunkFile.text('ndjson'), chunk.textOffset, chunk.textBytes);
  const start = afterLine(text, 0, before);
  return [{ chunk, records, start, end: afterLine(text, start, records) }];
}

const LINE_FEED = RECORD_END.ndjson.charCodeAt(0);

/** The offset behind the `count`th line end from `offset` on. */
function afterLine(text: Uint8Array, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line < count; line += 1) at = text.indexOf(LINE_FEED, at) + 1;
  return at;
}
