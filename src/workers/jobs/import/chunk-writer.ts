/** Appends rendered observations to the files of a local copy, and notes where each chunk came to lie. */
import {
  chunkFile,
  FORMS,
  type DeflateChunk,
  type Form,
  type SeriesChunk,
  type SeriesChunks,
} from '../../../snapshot/local/chunks.js';
import type { FileWriter } from '../../../snapshot/local/files.js';
import type { CopyWriter } from '../../../snapshot/local/writer.js';
import type { RenderedObservations, RenderedChunk } from '../../messages.js';

type FormFiles = Readonly<
  Record<Form, { readonly text: FileWriter; readonly deflate: FileWriter }>
>;

export class ChunkWriter {
  /** In the order of the observations. */
  readonly series: SeriesChunks[] = [];
  readonly #writer: CopyWriter;
  readonly #files: FormFiles;

  constructor(writer: CopyWriter) {
    const create = (form: Form): FormFiles[Form] => ({
      text: writer.createFile(chunkFile.text(form)),
      deflate: writer.createFile(chunkFile.deflate(form)),
    });
    this.#writer = writer;
    this.#files = { json: create('json'), ndjson: create('ndjson') };
  }

  /** In the order of the observations; each part in one transaction. */
  append(part: RenderedObservations): void {
    const place = this.#placer();
    for (const { chunks, ...series } of part.series) {
      this.series.push({ ...series, chunks: chunks.map(place) });
    }
    this.#writer.transaction(() => {
      for (const form of FORMS) {
        this.#files[form].text.append(new Uint8Array(part[form].text));
        this.#files[form].deflate.append(new Uint8Array(part[form].deflate));
      }
    });
  }

  /** Gives each chunk of a part, taken in order, its place behind what is already there. */
  #placer(): (chunk: RenderedChunk) => SeriesChunk {
    // Both forms of the text have the same length, and so the same offsets.
    let textOffset = this.#files.json.text.sizeBytes;
    const offsets = {
      json: this.#files.json.deflate.sizeBytes,
      ndjson: this.#files.ndjson.deflate.sizeBytes,
    };
    const placeDeflate = (chunk: RenderedChunk, form: Form): DeflateChunk => {
      const placed = { offset: offsets[form], ...chunk.deflate[form] };
      offsets[form] += placed.bytes;
      return placed;
    };
    return (chunk) => {
      const deflate = { json: placeDeflate(chunk, 'json'), ndjson: placeDeflate(chunk, 'ndjson') };
      const placed = { ...chunk, textOffset, deflate };
      textOffset += chunk.textBytes;
      return placed;
    };
  }
}
