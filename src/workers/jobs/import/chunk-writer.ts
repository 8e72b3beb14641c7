/** Appends rendered observations to the files of a local copy, and records the offset of each chunk. */
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

  /** Appends the result of one task in one transaction; tasks come in the order of the observations. */
  append(rendered: RenderedObservations): void {
    const withOffsets = this.#createOffsets();
    for (const { chunks, ...series } of rendered.series) {
      this.series.push({ ...series, chunks: chunks.map(withOffsets) });
    }
    this.#writer.transaction(() => {
      for (const form of FORMS) {
        this.#files[form].text.append(new Uint8Array(rendered[form].text));
        this.#files[form].deflate.append(new Uint8Array(rendered[form].deflate));
      }
    });
  }

  /** Gives each chunk of one task, in their order, its offsets behind the bytes that the files have already. */
  #createOffsets(): (chunk: RenderedChunk) => SeriesChunk {
    // Both forms of the text have the same length, and so the same offsets.
    let textOffset = this.#files.json.text.sizeBytes;
    const offsets = {
      json: this.#files.json.deflate.sizeBytes,
      ndjson: this.#files.ndjson.deflate.sizeBytes,
    };
    const deflateChunk = (chunk: RenderedChunk, form: Form): DeflateChunk => {
      const withOffset = { offset: offsets[form], ...chunk.deflate[form] };
      offsets[form] += withOffset.bytes;
      return withOffset;
    };
    return (chunk) => {
      const deflate = { json: deflateChunk(chunk, 'json'), ndjson: deflateChunk(chunk, 'ndjson') };
      const complete = { ...chunk, textOffset, deflate };
      textOffset += chunk.textBytes;
      return complete;
    };
  }
}
