/** Finds the finished bytes that an observations request is answered with, and makes the few that it lacks. */
import {
  blockFile,
  RECORD_END,
  type Run,
  type SeriesBlock,
} from '../../../snapshot/local/blocks.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import { clipWindow, hoursOfWindow, viewObservationsMeta } from '../../../views/hvd/window.js';
import { openSnapshot, type BlockIndex } from '../../open-snapshot.js';
import { GzipAssembly, TextAssembly, type Assembly } from '../../formats/assembly.js';
import type { ObservationsQuery, Plan, PlanObservationsTask } from '../../messages.js';

/** Such an answer is sent in one piece, so it is put together here. */
const WHOLE_BYTES_MAX = 256 * 1024;

/** Three records are about as long as the smallest answer that is worth compressing. */
const GZIP_RECORDS_MIN = 3;

/** What the stream says of its own order (spec, "Stream meta"). */
const RECORD_ORDER = 'store retrieval order: station_id, parameter_code, time_start_utc';

/**
 * The plan of `GET /api/v1/observations` (form `json`) or `/observations/stream` (form `ndjson`).
 *
 * Costs what it answers, not what the snapshot holds: series are found by their keys, whole runs are referred to,
 * and only the runs that `from` and `to` cut are read.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export function planObservations({ location, query, form, gzip }: PlanObservationsTask): Plan {
  const { reader, blocks } = openSnapshot(location);
  const interval = hoursOfWindow(clipWindow(query, reader.header.generatedAtMs));
  const spans = select(blocks, query).flatMap((block) => spansOf(reader, block, interval));
  const records = spans.reduce((sum, span) => sum + span.records, 0);
  // A few records are less than a packet: compression saves nothing.
  const compressed = gzip && records >= GZIP_RECORDS_MIN;
  const assembly = compressed
    ? new GzipAssembly(reader.files, form)
    : new TextAssembly(reader.files, form);
  const meta = viewObservationsMeta(reader.header, query);
  if (form === 'ndjson') {
    const line = { ...meta, streaming: true, record_order: RECORD_ORDER };
    assembly.addText(Buffer.from(`${JSON.stringify({ meta: line })}\n`));
    addSpans(assembly, spans);
  } else {
    assembly.addText(Buffer.from('{"data":['));
    addSpans(assembly, spans);
    // The list has commas between records, not after the last one.
    if (records > 0) assembly.dropLast(RECORD_END.json.length);
    assembly.addText(Buffer.from(`],"meta":${JSON.stringify({ ...meta, count: records })}}`));
  }
  return assembly.finish({ records, wholeBytesMax: WHOLE_BYTES_MAX });
}

/** Some records of one run: all of them, or those that the window leaves. */
interface Span {
  readonly run: Run;
  readonly records: number;
  /** Within the run's text. */
  readonly start: number;
  readonly end: number;
}

function addSpans(assembly: Assembly, spans: readonly Span[]): void {
  for (const { run, start, end } of spans) {
    if (end - start === run.textBytes) assembly.addRun(run);
    else assembly.addPartOfRun(run, start, end);
  }
}

function select(blocks: BlockIndex, query: ObservationsQuery): readonly SeriesBlock[] {
  const { stationId, parameterCode } = query;
  if (stationId !== undefined) {
    const own = blocks.byStation.get(stationId) ?? [];
    if (parameterCode === undefined) return own;
    return own.filter((block) => block.parameterCode === parameterCode);
  }
  return parameterCode === undefined ? blocks.all : (blocks.byParameter.get(parameterCode) ?? []);
}

function spansOf(reader: SnapshotReader, block: SeriesBlock, interval: HourInterval): Span[] {
  return block.runs.flatMap((run) => {
    if (run.lastHour < interval.from || run.firstHour >= interval.to) return [];
    if (run.firstHour >= interval.from && run.lastHour < interval.to) {
      return [{ run, records: run.records, start: 0, end: run.textBytes }];
    }
    return cutSpan(reader, { block, run, interval });
  });
}

function cutSpan(
  reader: SnapshotReader,
  { block, run, interval }: { block: SeriesBlock; run: Run; interval: HourInterval },
): Span[] {
  const hours = [...reader.observations(block, { from: run.firstHour, to: run.lastHour + 1 })];
  const before = hours.filter(({ hour }) => hour < interval.from).length;
  const records = hours.filter(({ hour }) => hour >= interval.from && hour < interval.to).length;
  if (records === 0) return [];
  // Records hold no line feed of their own, so the text of this form tells where they end.
  const text = reader.files.read(blockFile.text('ndjson'), run.textOffset, run.textBytes);
  const start = afterLine(text, 0, before);
  return [{ run, records, start, end: afterLine(text, start, records) }];
}

const LINE_FEED = RECORD_END.ndjson.charCodeAt(0);

/** The offset behind the `count`th line end from `offset` on. */
function afterLine(text: Uint8Array, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line < count; line += 1) at = text.indexOf(LINE_FEED, at) + 1;
  return at;
}
