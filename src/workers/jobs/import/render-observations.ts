/** Renders the observations of some series into finished records, as text and as chunks of DEFLATE: at import. */
import { FORMS, RECORD_END, chunkOfHour, type Form } from '../../../snapshot/local/chunks.js';
import type { Component, Observations, Series } from '../../../snapshot/domain/model.js';
import {
  createObservationJson,
  type ObservationSeries,
  type RenderObservation,
} from '../../../views/hvd/observation.js';
import { deflateText } from '../../formats/gzip-members.js';
import type {
  RenderedObservations,
  RenderedChunk,
  RenderObservationsTask,
} from '../../messages.js';

type RendererOf = (series: ObservationSeries) => RenderObservation;

/** Records of the task's series in their order; the bytes of all chunks, one after the other. */
export function renderObservations(task: RenderObservationsTask): RenderedObservations {
  const rendererOf = rendererAt(task.generatedAtMs);
  const chunkBytes: Readonly<Record<Form, { text: Uint8Array[]; deflate: Uint8Array[] }>> = {
    json: { text: [], deflate: [] },
    ndjson: { text: [], deflate: [] },
  };
  const series = task.observations.series.map((one) => {
    const described = describe(one, task.components);
    const render = rendererOf(described);
    const chunks = chunksOf(one, task.observations.hours).map((rows): RenderedChunk => {
      const records = renderRows(rows, task.observations, render);
      const sizes = { textBytes: 0, deflate: { json: NOTHING, ndjson: NOTHING } };
      const texts = textsOf(records);
      for (const form of FORMS) {
        const text = texts[form];
        const { bytes, checksum } = deflateText(text);
        chunkBytes[form].text.push(text);
        chunkBytes[form].deflate.push(bytes);
        sizes.textBytes = text.byteLength;
        sizes.deflate[form] = { bytes: bytes.byteLength, crc32: checksum.crc32 };
      }
      return {
        firstHour: task.observations.hours[rows.start] ?? 0,
        lastHour: task.observations.hours[rows.end - 1] ?? 0,
        records: records.length,
        ...sizes,
      };
    });
    return {
      stationId: one.stationId,
      componentId: one.componentId,
      parameterCode: described.parameterCode,
      chunks,
    };
  });
  return {
    series,
    json: { text: join(chunkBytes.json.text), deflate: join(chunkBytes.json.deflate) },
    ndjson: { text: join(chunkBytes.ndjson.text), deflate: join(chunkBytes.ndjson.deflate) },
  };
}

let cached: { readonly generatedAtMs: number; readonly rendererOf: RendererOf } | undefined;

/** The cached renderer where the time is the same: the tasks of an import share the texts of their hours. */
function rendererAt(generatedAtMs: number): RendererOf {
  if (cached?.generatedAtMs !== generatedAtMs) {
    cached = { generatedAtMs, rendererOf: createObservationJson(generatedAtMs) };
  }
  return cached.rendererOf;
}

/** The records in each form. Their ends have one byte, so the second form is the first one with other ends. */
function textsOf(records: readonly string[]): Readonly<Record<Form, Uint8Array>> {
  const text = records.join(RECORD_END.json) + RECORD_END.json;
  const json = Buffer.from(text);
  const ndjson = Uint8Array.from(json);
  const end = RECORD_END.ndjson.charCodeAt(0);
  // Mostly every character is one byte, and then its length is known without counting: half the time of this.
  const isPlain = json.byteLength === text.length;
  let offset = -1;
  for (const record of records) {
    offset += (isPlain ? record.length : Buffer.byteLength(record)) + 1;
    ndjson[offset] = end;
  }
  return { json, ndjson };
}

const NOTHING = { bytes: 0, crc32: 0 };

interface Rows {
  readonly start: number;
  readonly end: number;
}

function describe(
  { stationId, componentId }: Series,
  components: readonly Component[],
): ObservationSeries {
  const component = components.find(({ id }) => id === componentId);
  if (component === undefined) throw new RangeError(`no component ${componentId}`);
  return { stationId, parameterCode: component.shortName, unit: component.unit };
}

/** The rows of each chunk that the series has any of. */
function chunksOf({ start, end }: Series, hours: Int32Array): readonly Rows[] {
  const chunks: Rows[] = [];
  let first = start;
  for (let row = start + 1; row <= end; row += 1) {
    const ends = row === end || chunkOfHour(hours[row] ?? 0) !== chunkOfHour(hours[first] ?? 0);
    if (!ends) continue;
    chunks.push({ start: first, end: row });
    first = row;
  }
  return chunks;
}

function renderRows(
  { start, end }: Rows,
  { hours, values, publishedAtMs, updatedAtMs }: Observations,
  render: RenderObservation,
): readonly string[] {
  const records: string[] = [];
  for (let row = start; row < end; row += 1) {
    records.push(
      render(hours[row] ?? 0, values[row] ?? NaN, publishedAtMs?.[row], updatedAtMs?.[row]),
    );
  }
  return records;
}

function join(chunks: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes.buffer;
}
