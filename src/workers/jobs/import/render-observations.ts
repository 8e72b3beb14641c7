/** Renders the observations of some series at import: as NDJSON, as runs of DEFLATE, and as lines of CSV. */
import {
  RECORD_END,
  runOfHour,
  toForm,
  type Form,
} from '../../../snapshot/local/observations/record-layout.js';
import { deflateText, storedBlock } from '../../../snapshot/local/observations/gzip-member.js';
import type { Component, Observations, Series } from '../../../snapshot/domain/model.js';
import {
  createObservationCsvBytes,
  createObservationJsonBytes,
  type RenderObservation,
} from '../../../views/hvd/observation.js';
import { joinBytes } from '../../formats/answers.js';
import type { RenderedObservations, RenderedRun, RenderSeriesTask } from '../../messages.js';
import { deflateBulkText } from './bulk-file-writer.js';

/** Level of the runs, whose compressed bytes every request for the whole dataset reuses (`record-layout.ts`). */
const LEVEL = 5;

/** Renders the records of the task's series, in order. */
export function renderObservations(task: RenderSeriesTask): RenderedObservations {
  const { jsonOf, csvOf } = renderersAt(task.header.generatedAtMs);
  const rows = task.observations.series.reduce((sum, { start, end }) => sum + end - start, 0);
  const ends = new Uint32Array(2 * rows);
  const texts: Uint8Array[] = [];
  const lines: Uint8Array[] = [];
  const deflated: Readonly<Record<Form, Uint8Array[]>> = { json: [], ndjson: [] };
  let row = 0;
  const series = task.observations.series.map((one) => {
    const { shortName: parameterCode, unit } = componentOf(one, task.components);
    const parts = { stationId: one.stationId, parameterCode, unit };
    const ownEnds = ends.subarray(2 * row, 2 * (row += one.end - one.start));
    const to = { json: jsonOf(parts), csv: csvOf(parts), ends: ownEnds };
    const { text, csv } = renderTexts(one, task.observations, to);
    texts.push(text);
    lines.push(csv);
    const runs = runsOf(one, task).map(({ first, end }): RenderedRun => {
      const run = text.subarray(first === 0 ? 0 : ownEnds[2 * first - 2], ownEnds[2 * end - 2]);
      return { firstRecord: first, deflate: deflateRun(run, deflated) };
    });
    return { ...one, parameterCode, runs };
  });
  const csv = joinBytes(lines);
  return {
    series,
    ends: ends.buffer,
    text: joinBytes(texts),
    deflate: { json: joinBytes(deflated.json), ndjson: joinBytes(deflated.ndjson) },
    csv: { text: csv, deflated: deflateBulkText(new Uint8Array(csv)) },
  };
}

interface Renderers {
  readonly generatedAtMs: number;
  readonly jsonOf: ReturnType<typeof createObservationJsonBytes>;
  readonly csvOf: ReturnType<typeof createObservationCsvBytes>;
}

let cached: Renderers | undefined;

/** Renderers, cached for one generation time: the tasks of an import share the texts of hours. */
function renderersAt(generatedAtMs: number): Renderers {
  if (cached?.generatedAtMs !== generatedAtMs) {
    const jsonOf = createObservationJsonBytes(generatedAtMs);
    cached = { generatedAtMs, jsonOf, csvOf: createObservationCsvBytes(generatedAtMs) };
  }
  return cached;
}

function componentOf({ componentId }: Series, components: readonly Component[]): Component {
  const component = components.find(({ id }) => id === componentId);
  if (component === undefined) throw new RangeError(`no component ${componentId}`);
  return component;
}

/** Renders one series as NDJSON and CSV; writes the ends of records into `ends`. */
function renderTexts(
  { start, end }: Series,
  { hours, values, publishedAtMs, updatedAtMs }: Observations,
  to: {
    readonly json: RenderObservation;
    readonly csv: RenderObservation;
    readonly ends: Uint32Array;
  },
): { readonly text: Uint8Array; readonly csv: Uint8Array } {
  let text = '';
  let csv = '';
  for (let row = start, at = 0; row < end; row += 1) {
    const hour = hours[row] ?? 0;
    const value = values[row] ?? NaN;
    const published = publishedAtMs?.[row];
    const updated = updatedAtMs?.[row];
    text += to.json(hour, value, published, updated) + RECORD_END.ndjson;
    csv += to.csv(hour, value, published, updated);
    to.ends[at++] = text.length;
    to.ends[at++] = csv.length;
  }
  return { text: Buffer.from(text, 'latin1'), csv: Buffer.from(csv, 'latin1') };
}

/** Records of each run of the series, `[first, end)`. */
function runsOf(
  { start, end }: Series,
  { observations: { hours }, header }: RenderSeriesTask,
): readonly { readonly first: number; readonly end: number }[] {
  const runs: { first: number; end: number }[] = [];
  const runOf = (row: number): number => runOfHour(hours[row] ?? 0, header);
  let first = start;
  for (let row = start + 1; row <= end; row += 1) {
    if (row < end && runOf(row) === runOf(first)) continue;
    runs.push({ first: first - start, end: row - start });
    first = row;
  }
  return runs;
}

/** Appends the compressed run to each form, with the last record's end as a separate block. */
function deflateRun(
  run: Uint8Array,
  deflated: Readonly<Record<Form, Uint8Array[]>>,
): RenderedRun['deflate'] {
  const deflateAs = (form: Form): RenderedRun['deflate'][Form] => {
    const end = Buffer.from(RECORD_END[form]);
    const text = form === 'ndjson' ? run : Uint8Array.from(run);
    toForm(form, text);
    const { bytes, checksum } = deflateText(text.subarray(0, -end.byteLength), { level: LEVEL });
    deflated[form].push(bytes, storedBlock(end));
    return { bytes: bytes.byteLength, crc32: checksum.crc32 };
  };
  return { json: deflateAs('json'), ndjson: deflateAs('ndjson') };
}
