/** Renders the observations of some series into finished records, as text and as runs of DEFLATE: at import. */
import {
  FORMS,
  RECORD_END,
  runOfHour,
  toForm,
  type Form,
} from '../../../snapshot/local/observations/layout.js';
import { deflateText, storedBlock } from '../../../snapshot/local/observations/gzip-member.js';
import type { Component, Observations, Series } from '../../../snapshot/domain/model.js';
import {
  createObservationJsonBytes,
  createCsvShorter,
  type RenderObservation,
} from '../../../views/hvd/observation.js';
import type { RenderedObservations, RenderedRun, RenderObservationsTask } from '../../messages.js';

/** Level of runs: everybody who asks for the whole dataset pays for what is not compressed once (`layout.ts`). */
const LEVEL = 5;

/** Records of the task's series in their order; the bytes of all, one after the other. */
export function renderObservations(task: RenderObservationsTask): RenderedObservations {
  const { rendererOf, csvShorterOf } = renderersAt(task.generatedAtMs);
  const rows = task.observations.series.reduce((sum, { start, end }) => sum + end - start, 0);
  const ends = new Uint32Array(rows);
  const texts: Uint8Array[] = [];
  const deflated: Readonly<Record<Form, Uint8Array[]>> = { json: [], ndjson: [] };
  let row = 0;
  const series = task.observations.series.map((one) => {
    const { shortName: parameterCode, unit } = componentOf(one, task.components);
    const parts = { stationId: one.stationId, parameterCode, unit };
    const render = rendererOf(parts);
    const ownEnds = ends.subarray(row, (row += one.end - one.start));
    const text = renderText(one, { observations: task.observations, render, ends: ownEnds });
    texts.push(text);
    const runs = runsOf(one, task).map(({ first, end }): RenderedRun => {
      const run = text.subarray(first === 0 ? 0 : ownEnds[first - 1], ownEnds[end - 1]);
      return { firstRecord: first, deflate: deflateRun(run, deflated) };
    });
    return { ...one, parameterCode, csvShorter: csvShorterOf(parts), runs };
  });
  return {
    series,
    ends: ends.buffer,
    text: join(texts),
    deflate: { json: join(deflated.json), ndjson: join(deflated.ndjson) },
  };
}

interface Renderers {
  readonly generatedAtMs: number;
  readonly rendererOf: ReturnType<typeof createObservationJsonBytes>;
  readonly csvShorterOf: ReturnType<typeof createCsvShorter>;
}

let cached: Renderers | undefined;

/** The cached renderers where the time is the same: the tasks of an import share the texts of their hours. */
function renderersAt(generatedAtMs: number): Renderers {
  if (cached?.generatedAtMs !== generatedAtMs) {
    const rendererOf = createObservationJsonBytes(generatedAtMs);
    cached = { generatedAtMs, rendererOf, csvShorterOf: createCsvShorter(generatedAtMs) };
  }
  return cached;
}

function componentOf({ componentId }: Series, components: readonly Component[]): Component {
  const component = components.find(({ id }) => id === componentId);
  if (component === undefined) throw new RangeError(`no component ${componentId}`);
  return component;
}

/** The NDJSON text of one series; writes into `ends` where each record's text ends. */
function renderText(
  { start, end }: Series,
  to: {
    readonly observations: Observations;
    readonly render: RenderObservation;
    readonly ends: Uint32Array;
  },
): Uint8Array {
  const { hours, values, publishedAtMs, updatedAtMs } = to.observations;
  let text = '';
  for (let row = start; row < end; row += 1) {
    text += to.render(
      hours[row] ?? 0,
      values[row] ?? NaN,
      publishedAtMs?.[row],
      updatedAtMs?.[row],
    );
    text += RECORD_END.ndjson;
    to.ends[row - start] = text.length;
  }
  return Buffer.from(text, 'latin1');
}

/** Records of each run that the series has any of, `[first, end)`. */
function runsOf(
  { start, end }: Series,
  { observations: { hours }, generatedAtMs }: RenderObservationsTask,
): readonly { readonly first: number; readonly end: number }[] {
  const runs: { first: number; end: number }[] = [];
  const runOf = (row: number): number => runOfHour(hours[row] ?? 0, generatedAtMs);
  let first = start;
  for (let row = start + 1; row <= end; row += 1) {
    if (row < end && runOf(row) === runOf(first)) continue;
    runs.push({ first: first - start, end: row - start });
    first = row;
  }
  return runs;
}

/** Compresses a run in each form, without the last record's end, and behind it that end as a block of its own. */
function deflateRun(
  run: Uint8Array,
  deflated: Readonly<Record<Form, Uint8Array[]>>,
): RenderedRun['deflate'] {
  const sizes = { json: NOTHING, ndjson: NOTHING };
  for (const form of FORMS) {
    const end = Buffer.from(RECORD_END[form]);
    const text = form === 'ndjson' ? run : Uint8Array.from(run);
    toForm(form, text);
    const { bytes, checksum } = deflateText(text.subarray(0, -end.byteLength), { level: LEVEL });
    deflated[form].push(bytes, storedBlock(end));
    sizes[form] = { bytes: bytes.byteLength, crc32: checksum.crc32 };
  }
  return sizes;
}

const NOTHING = { bytes: 0, crc32: 0 };

function join(parts: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes.buffer;
}
