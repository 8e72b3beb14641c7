/** Appends rendered observations to the files of a local copy, and notes where each run came to lie. */
import {
  blockFile,
  FORMS,
  type DeflateRun,
  type Form,
  type Run,
  type SeriesBlock,
} from '../../../snapshot/local/blocks.js';
import type { FileWriter } from '../../../snapshot/local/files.js';
import type { CopyWriter } from '../../../snapshot/local/writer.js';
import type { RenderedObservations, RenderedRun } from '../../messages.js';

type FormFiles = Readonly<
  Record<Form, { readonly text: FileWriter; readonly deflate: FileWriter }>
>;

export class BlockWriter {
  /** In the order of the observations. */
  readonly series: SeriesBlock[] = [];
  readonly #writer: CopyWriter;
  readonly #files: FormFiles;

  constructor(writer: CopyWriter) {
    const create = (form: Form): FormFiles[Form] => ({
      text: writer.createFile(blockFile.text(form)),
      deflate: writer.createFile(blockFile.deflate(form)),
    });
    this.#writer = writer;
    this.#files = { json: create('json'), ndjson: create('ndjson') };
  }

  /** In the order of the observations; each part in one transaction. */
  append(part: RenderedObservations): void {
    const place = this.#placer();
    for (const { runs, ...series } of part.series) {
      this.series.push({ ...series, runs: runs.map(place) });
    }
    this.#writer.transaction(() => {
      for (const form of FORMS) {
        this.#files[form].text.append(new Uint8Array(part[form].text));
        this.#files[form].deflate.append(new Uint8Array(part[form].deflate));
      }
    });
  }

  /** Gives each run of a part, taken in order, its place behind what is already there. */
  #placer(): (run: RenderedRun) => Run {
    // Both forms of the text have the same length, and so the same offsets.
    let textOffset = this.#files.json.text.sizeBytes;
    const offsets = {
      json: this.#files.json.deflate.sizeBytes,
      ndjson: this.#files.ndjson.deflate.sizeBytes,
    };
    const placeDeflate = (run: RenderedRun, form: Form): DeflateRun => {
      const placed = { offset: offsets[form], ...run.deflate[form] };
      offsets[form] += placed.bytes;
      return placed;
    };
    return (run) => {
      const deflate = { json: placeDeflate(run, 'json'), ndjson: placeDeflate(run, 'ndjson') };
      const placed = { ...run, textOffset, deflate };
      textOffset += run.textBytes;
      return placed;
    };
  }
}
